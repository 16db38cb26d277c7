"""Tables as the world writes them: what is understood, and what is refused with its remedy."""

from __future__ import annotations

import numpy as np
import pytest

from conjunct import Binarizer
from conjunct.datasets import read_data, read_table
from conjunct.errors import BitsError, OptionError, SettingError
from conjunct.tables import TableEncoding


@pytest.fixture
def saved(tmp_path):
    def save(text, encoding="utf-8"):
        path = tmp_path / "t.csv"
        path.write_bytes(text if isinstance(text, bytes) else text.encode(encoding))
        return path

    return save


@pytest.fixture
def column(saved):
    """Read a column of entries, none of which holds a bar; return it typed."""

    def read(*entries, **options):
        rows = "".join(f"{entry}|{'uv'[k % 2]}\n" for k, entry in enumerate(entries))
        (typed,) = read_table(saved(f"a|y\n{rows}"), **options).typed_columns
        return typed

    return read


def refused(read, *arguments, **options):
    with pytest.raises(BitsError) as caught:
        read(*arguments, **options)
    message = str(caught.value)
    assert message.isprintable()
    return message.partition("t.csv:")[2]


# Columns without a name


def test_a_column_without_a_name_gets_one(saved):
    table = read_table(saved("a,,y\n1,red,u\n2,red,v\n"))
    assert (table.names, table.notes) == (("a", "column 2"), ())


def test_the_last_column_may_be_without_a_name_and_is_still_the_label(saved):
    table = read_table(saved("a,b,\n1,5,u\n2,6,v\n"))
    assert (table.label_name, table.labels.tolist()) == ("column 3", ["u", "v"])


@pytest.mark.parametrize("index", ["0 1 2", "1 2 3", "17 3 8", "ann bob cid"])
def test_a_nameless_column_that_tells_the_rows_apart_is_left_out_with_a_note(saved, index):
    first, second, third = index.split()
    table = read_table(saved(f'"",a,y\n{first},7,u\n{second},7,v\n{third},8,u\n'))
    assert table.names == ("a",)
    assert table.notes == ("column 1 has no name in the header and tells all rows apart; it is left out",)


def test_a_nameless_column_of_measurements_or_repeated_numbers_is_a_column(saved):
    assert read_table(saved(",a,y\n0.5,7,u\n1.5,7,v\n")).names == ("column 1", "a")
    assert read_table(saved(",a,y\n1,7,u\n1,7,v\n")).names == ("column 1", "a")


def test_a_nameless_column_that_a_model_needs_is_read_even_if_it_tells_the_rows_apart(saved):
    assert read_table(saved(",a,y\n1,7,u\n2,7,v\n"), columns={"column 1": "number"}).columns == ([1, 2],)


def test_names_of_rows_that_the_header_has_no_place_for_are_left_out(saved):
    table = read_table(saved('"a","y"\n"1",7,"u"\n"2",8,"v"\n'))
    assert (table.names, table.columns, table.labels.tolist()) == (("a",), ([7, 8],), ["u", "v"])
    assert table.notes == ("the rows have names, which the header has not; they are left out",)
    assert refused(read_table, saved("a,y\n1,7,u\n1,8,v\n")) == "2: 3 cells, expected 2 as in the header"


@pytest.mark.parametrize("text", ["a,y,\n1,u,\n2,v,\n", "a,y\n1,u,\n2,v,\n", "a,y,,\n1,u,,\n2,v,,\n"])
def test_delimiters_at_the_end_of_every_line_make_no_column(saved, text):
    table = read_table(saved(text))
    assert (table.names, table.labels.tolist()) == (("a",), ["u", "v"])
    assert len(table.notes) == 1


def test_an_entry_below_a_trailing_delimiter_is_refused_by_its_line(saved):
    message = refused(read_table, saved("a,y,\n1,u,\n2,v,\n3,u,x\n"))
    assert message == (
        "4: 'x' after the last column that has a name, expected nothing there (name the column in the header)"
    )


# Delimiters and lines


@pytest.mark.parametrize("sign", [";", "|", "\t", ","])
def test_the_delimiter_is_found_by_content(saved, sign):
    table = read_table(saved(f"a{sign}b{sign}y\n1{sign}x{sign}u\n2{sign}z{sign}v\n"))
    assert table.columns == ([1, 2], ["x", "z"])


def test_commas_in_numbers_or_between_quotes_do_not_hide_the_delimiter(saved):
    assert read_table(saved("length, cm;y\n1,5;u\n2,5;v\n")).columns == ([1.5, 2.5],)
    assert read_table(saved('"a;b;c","y"\n1,"u"\n2,"v"\n')).names == ("a;b;c",)
    assert read_table(saved("a;b,c,y\n1,2,u\n3,4,v\n")).names == ("a;b", "c")


def test_the_line_by_which_excel_names_the_delimiter_is_understood(saved):
    table = read_table(saved("sep=;\r\na,1;y\r\n5;u\r\n6;v\r\n"))
    assert (table.names, table.columns, table.lines.tolist()) == (("a,1",), ([5, 6],), [3, 4])


def test_a_header_that_comes_again_is_no_row(saved):
    rows = "".join(f"{k},{'uv'[k % 2]}\n" for k in range(9000))
    table = read_table(saved(f"a,y\n\na,y\n{rows}a,y\na,y\r\n7,u\na,y"))
    assert table.columns == ([*range(9000), 7],)
    assert table.lines[[0, -1]].tolist() == [4, 9006]
    assert table.notes == ("lines that repeat the header are left out: 4",)


def test_a_file_in_two_dialects_is_refused_with_the_other_delimiter(saved):
    message = refused(read_table, saved("a,b,y\n1,2,u\n3;4;v\n"))
    assert message == "3: 1 cells, expected 3 as in the header; with ';' it has 3: write all rows with one delimiter"


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("% a comment\n@relation iris\n@data\n1,2\n", "an ARFF file"),
        ("@RELATION iris\n", "an ARFF file"),
        ('{"a": 1, "y": "u"}\n{"a": 2, "y": "v"}\n', "JSON"),
        ('[{"a": 1}]\n', "JSON"),
        ("a,y\r1,u\r2,v\r", "a carriage return within the line"),
    ],
)
def test_other_formats_are_named_in_the_refusal(saved, text, what):
    for read in (read_table, read_data):
        assert refused(read, saved(text)).partition(": ")[2].startswith(f"{what}, expected ")
    assert read_table(saved("% fat,y\n1,u\n2,v\n")).names == ("% fat",)


def test_a_workbook_is_named_in_the_refusal(saved):
    with pytest.raises(BitsError, match="an Excel workbook or other zip file, expected text; save it as CSV UTF-8"):
        read_data(saved(b"PK\x03\x04\xff\x00\x00\n"))


# Encodings


@pytest.mark.parametrize("encoding", ["latin-1", "utf-16", "utf-16-le", "cp1252", "utf-8", "utf-8-sig"])
def test_the_encoding_of_a_text_can_be_said(saved, encoding):
    path = saved("größe,y\n1,café\n2,thé\n", encoding)
    for read in (read_table, read_data):
        table = read(path, encoding=encoding)
        assert (table.names, table.labels.tolist()) == (("größe",), ["café", "thé"])


def test_text_that_is_no_utf_8_is_refused_with_the_option(saved):
    assert refused(read_table, saved("größe,y\n1,u\n", "latin-1")).endswith("expected UTF-8 text (--encoding latin-1?)")
    assert refused(read_table, saved("a,y\n1,u\n", "utf-16")).endswith("expected UTF-8 text (--encoding utf-16?)")


def test_bytes_that_the_encoding_does_not_have_are_refused(saved):
    assert refused(read_table, saved("a,y\n1,é\n"), encoding="ascii").startswith("2: bytes that are no ascii")
    with pytest.raises(SettingError, match="encoding='latin-x': expected the name of an encoding, such as utf-8"):
        read_table(saved("a,y\n1,u\n"), encoding="latin-x")
    with pytest.raises(SettingError, match="encoding='zip'"):
        read_table(saved("a,y\n1,u\n"), encoding="zip")
    with pytest.raises(OptionError, match="option 'encoding' has no meaning for Parquet"):
        read_data(saved(b"PAR1"), encoding="latin-1")


# Missing entries


@pytest.mark.parametrize("token", ["N/A", "n/a", "#N/A", "None", "NULL", "<NA>", "\\N", "-", "."])
def test_the_ways_to_write_that_a_number_is_missing(column, token):
    assert column("1", token, "3").tolist() == [1, None, 3]


@pytest.mark.parametrize("token", ["N/A", "n/a", "#N/A", "None"])
def test_the_same_ways_among_text_and_dates(column, token):
    assert column("red", token, "blue").tolist() == ["red", None, "blue"]
    assert column("2020-01-02", token, "2020-01-03").tolist() == ["2020-01-02", None, "2020-01-03"]


@pytest.mark.parametrize("dash", ["-", "."])
def test_a_dash_is_missing_among_dates_and_a_text_among_text(column, dash):
    assert column("2020-01-02", dash).tolist() == ["2020-01-02", None]
    assert column("+", dash, "red").tolist() == ["+", dash, "red"]
    assert column(dash, dash).tolist() == [dash, dash]


def test_more_spellings_of_missing_entries_can_be_said(column):
    assert column("1", "999", "x", missing=["999", "x"]).tolist() == [1, None, None]
    assert column("1", "999").tolist() == [1, 999]
    with pytest.raises(SettingError, match="missing='999': expected a list of spellings"):
        column("1", "2", missing="999")


def test_many_numbers_with_a_dash_among_them_are_numbers(column):
    entries = [*map(str, range(5000)), "-"]
    assert column(*entries).tolist() == [*range(5000), None]


def test_none_is_a_class_where_it_is_a_label(saved):
    assert read_table(saved("a,y\n1,None\n2,v\n")).labels.tolist() == ["None", "v"]


def test_rows_without_a_label_are_counted_and_refused_or_left_out(saved):
    path = saved("a,y\n1,u\n2,?\n3,v\n4,\n")
    assert refused(read_table, path) == (
        "3: label column 'y' has '?', expected a label in every row; "
        "2 of 4 have none (--skip-unlabelled leaves them out)"
    )
    table = read_table(path, skip_unlabelled=True)
    assert (table.columns, table.labels.tolist(), table.lines.tolist()) == (([1, 3],), ["u", "v"], [2, 4])
    assert table.notes == ("rows without a label are left out: 2 of 4",)
    assert "; 2 of 2 have none" in refused(read_table, saved("a,y\n1,\n2,\n"), skip_unlabelled=True)


# Numbers


@pytest.mark.parametrize(
    ("entries", "values"),
    [
        (["1,5", "-2,25", "3", ",5"], [1.5, -2.25, 3.0, 0.5]),
        (["0,123", "1,234"], [0.123, 1.234]),
        (["1234,567", "1,234"], [1234.567, 1.234]),
        (["1,234,567", "12", "1,000"], [1234567, 12, 1000]),
        (["1,234.50", "7.25", "12,000"], [1234.5, 7.25, 12000.0]),
        (["1.234,50", "7", "12.000"], [1234.5, 7.0, 12000.0]),
        (["1'234.5", "2'000"], [1234.5, 2000.0]),
        (["1\u00a0234,5", "2\u00a0000", "7"], [1234.5, 2000.0, 7.0]),
        (["$1,234.50", "-$7.00", "$ 12"], [1234.5, -7.0, 12.0]),
        (["1.234,50 €", "7,00 €", "-3 €"], [1234.5, 7.0, -3.0]),
        (["£5", "£7", "£9"], [5, 7, 9]),
        (["5%", "12.5 %", "-3%"], [5.0, 12.5, -3.0]),
        (["5,5%", "12 %"], [5.5, 12.0]),
        (["1,5e3", "2"], [1500.0, 2.0]),
        (["1,234,56", "7", "8"], ["1,234,56", "7", "8"]),
        (["$5", "€7", "x"], ["$5", "€7", "x"]),
    ],
)
def test_numbers_in_the_notations_of_the_world(column, entries, values):
    read = column(*entries).tolist()
    assert read == values
    assert [type(value) for value in read] == [type(value) for value in values]


def test_a_comma_that_reads_both_ways_is_refused_until_the_decimal_sign_is_said(column):
    entries = ["1,234", "12", "999,000"]
    message = refused(column, *entries)
    assert message == (
        "2: column 'a' has '1,234', expected a number that reads one way (--decimal . reads 1234, --decimal , 1.234)"
    )
    assert column(*entries, decimal=".").tolist() == [1234, 12, 999000]
    assert column(*entries, decimal=",").tolist() == [1.234, 12.0, 999.0]


def test_points_are_thousands_where_the_decimal_sign_is_said_to_be_a_comma(column):
    assert column("1.234", "12.000").tolist() == [1.234, 12.0]
    assert column("1.234", "12.000", decimal=",").tolist() == [1234, 12000]
    assert column("5.1", "4.9", decimal=",").tolist() == [5.1, 4.9]
    many = [f"{k}.000" for k in range(1, 900)] * 6
    assert column(*many, decimal=",").tolist() == [1000 * k for k in range(1, 900)] * 6


def test_a_few_entries_of_another_kind_are_refused_in_every_notation(column):
    assert refused(column, "1,5", "2,5", "3,5", "4,5", "soon").startswith("6: column 'a' has 'soon', expected a number")
    assert refused(column, *["5%"] * 9, "5").startswith(
        "11: column 'a' has '5', expected a number like its other cells"
    )


def test_numbers_in_two_notations_are_refused(column):
    message = refused(column, "1.5", "2.5", "3,5", "4,5")
    assert message.startswith("4: column 'a' has '3,5', expected a number written as in the rows before it")
    assert message.endswith("(--categorical a reads it as text)")


# Dates


@pytest.mark.parametrize(
    ("entries", "dates"),
    [
        (["2020-01-31", "1999-12-01"], ["2020-01-31", "1999-12-01"]),
        (["2020/1/31", "1999/12/01"], ["2020-01-31", "1999-12-01"]),
        (["31/1/2020", "01/12/1999"], ["2020-01-31", "1999-12-01"]),
        (["1/31/2020", "12/01/1999"], ["2020-01-31", "1999-12-01"]),
        (["31.01.2020", "1.12.1999"], ["2020-01-31", "1999-12-01"]),
        (["2020-01-31 14:05", "2020-01-31"], ["2020-01-31 14:05:00", "2020-01-31 00:00:00"]),
        (["2020-01-31T14:05:09.123Z"], ["2020-01-31 14:05:09"]),
        (["2020-01-31 14:05:09+00", "2020-01-31 14:05:10+00"], ["2020-01-31 14:05:09", "2020-01-31 14:05:10"]),
        (["1/31/2020 2:05 PM", "1/31/2020 12:05 AM"], ["2020-01-31 14:05:00", "2020-01-31 00:05:00"]),
        (["2020-02-30", "2020-01-01", "x"], ["2020-02-30", "2020-01-01", "x"]),
    ],
)
def test_dates_stand_for_their_iso_text(column, entries, dates):
    typed = column(*entries, label=None, drop=["y"])
    assert typed.tolist() == dates
    assert typed.entry_type == ("text" if "x" in entries else "date")


def test_dates_that_read_both_ways_are_refused_until_the_order_is_said(column):
    entries = ["1/2/2020", "3/4/2020"]
    assert refused(column, *entries) == (
        "2: column 'a' has '1/2/2020', expected a date that reads one way (--dates dmy or --dates mdy)"
    )
    assert column(*entries, dates="dmy").tolist() == ["2020-02-01", "2020-04-03"]
    assert column(*entries, dates="mdy").tolist() == ["2020-01-02", "2020-03-04"]
    assert column("31/1/2020", "1/2/2020", dates="mdy").tolist() == ["2020-01-31", "2020-02-01"]


def test_a_column_half_numbers_half_dates_is_refused(column):
    message = refused(column, "1.5", "2.5", "2020-01-02", "2020-01-03")
    assert message == (
        "4: column 'a' has '2020-01-02', expected a number written as in the rows before it "
        "(--categorical a reads it as text)"
    )


def test_a_few_texts_among_dates_are_refused(column):
    message = refused(column, *[f"2020-01-{day:02}" for day in range(1, 20)], "soon")
    assert message.startswith("21: column 'a' has 'soon', expected a date like its other cells")


def test_dates_are_cut_where_numbers_in_their_places_would_be_and_cuts_print_as_dates(column):
    days = [f"2020-01-{day:02}" for day in range(1, 11)]
    encoding = TableEncoding.of({"a": column(*days)}, np.arange(10) % 2, cuts=4)
    assert encoding.variables == ("a<=2020-01-02", "a<=2020-01-04", "a<=2020-01-06", "a<=2020-01-08")
    bits = encoding.rows({"a": column(*days)}).to_array()
    assert bits.tolist() == [[int(test.holds(day)) for test in encoding.tests] for day in days]
    supervised = TableEncoding.of({"a": column(*days)}, np.arange(10) >= 5, cuts="supervised")
    assert supervised.variables == ("a<=2020-01-05",)
    two_spellings = column("2020-01-01", "2020/1/1", "2020-01-05", "2020/01/05")
    assert TableEncoding.of({"a": two_spellings}, np.arange(4) % 2).variables == ("a<=2020-01-03",)


def test_an_encoding_remembers_how_its_file_wrote_things(column):
    entries = {
        "price": column("1.234,5 €", "7,5 €", "999,00 €", missing=["gone"]),
        "day": column("1/2/2020", "31/12/2020", "gone", missing=["gone"]),
    }
    encoding = TableEncoding.of(entries, np.array([0, 1, 0]))
    again = TableEncoding.from_record(encoding.record())
    assert again.entry_types == {name: column.notation for name, column in entries.items()}
    assert again.missing_tokens == ("gone",)
    assert again.tests == encoding.tests
    frame = {"price": ["7,5 €", "1.000 €", "-"], "day": ["2/1/2020", "-", "5.6.2020"]}
    later = {"price": column("7,5 €", "1.000 €"), "day": column("2/1/2020", "1/1/2020", dates="dmy")}
    assert again.rows(frame).to_array()[0].tolist() == again.rows(later).to_array()[0].tolist()
    with pytest.raises(
        BitsError, match="column 'day' has '2020-01-02' in row 0; expected a date written day/month/year"
    ):
        again.rows({"price": ["7,5 €"], "day": ["2020-01-02"]})


def test_a_binarizer_reads_text_of_a_frame_as_the_dates_it_learned(column):
    binarizer = Binarizer(cuts=1).fit({"day": column("1/2/2020", "31/12/2020")})
    assert binarizer.transform({"day": ["2/2/2020", "30/12/2020"]}).tolist() == [[1], [0]]
    with pytest.raises(BitsError, match=r"column 'day' has 7\.0 in row 0; in fit its entries were dates"):
        binarizer.transform({"day": [7, 8]})


def test_an_encoding_of_plain_columns_says_nothing_about_notations(column):
    encoding = TableEncoding.of({"a": column("1", "2", "3.5")}, np.array([0, 1, 0]))
    assert set(encoding.columns[0].record()) == {"name", "kind", "values", "cuts", "had_missing"}


@pytest.mark.parametrize(
    "change",
    [
        {"notation": {"decimal": "x", "thousands": "", "unit": ""}},
        {"notation": {"decimal": ".", "thousands": ".", "unit": ""}},
        {"notation": {"decimal": ".", "thousands": "", "unit": "kg"}},
        {"notation": {"order": "myd", "has_time": False}},
        {"notation": {"order": "dmy", "has_time": False, "more": 1}},
        {"notation": None},
        {"notation": {"decimal": ",", "thousands": "", "unit": ""}},
        {"cuts": ["2020-13-01"]},
        {"cuts": ["2020-01-01", "2020-01-02 00:00:00"]},
        {"cuts": [3]},
        {"missing_tokens": "x"},
        {"missing_tokens": [1]},
    ],
)
def test_a_notation_that_is_none_is_refused_when_a_record_is_read(column, change):
    encoding = TableEncoding.of({"a": column("1/2/2020", "31/12/2020")}, np.array([0, 1]))
    record = encoding.record()
    record["columns"][0] |= change
    with pytest.raises(BitsError):
        TableEncoding.from_record(record)


# All refused columns at once


def test_all_refused_columns_are_named_in_one_line_with_what_to_paste(saved):
    rows = "".join(f"{k},{k},{k},{'uv'[k % 2]}\n" for k in range(9))
    message = refused(read_table, saved(f"a,b b,c,y\n{rows}9,x,9,u\nz,9,9,v\n"))
    assert message == (
        "11: column 'b b' has 'x', expected a number like its other cells (--categorical 'b b' reads it as text); "
        "2 columns are refused, --drop a --drop 'b b' leaves them out"
    )


def test_very_many_refused_columns_are_one_line_that_can_be_read(saved):
    names = [*(f"column{k}" for k in range(300)), "n" * 5000]
    rows = [",".join(["x" if row == 7 else str(row)] * len(names)) for row in range(12)]
    message = refused(read_table, saved("\n".join([",".join([*names, "y"]), *(f"{row},u" for row in rows), ""])))
    assert "; 301 columns are refused, --drop column0 --drop column1 " in message
    assert message.endswith("and so on for 281 more, which 'conjunct describe' lists, leaves them out")
    assert len(message) < 700


def test_ten_thousand_columns_are_read(saved):
    names = ",".join(f"c{k}" for k in range(10_000))
    row = ",".join(["1"] * 9_999)
    assert len(read_table(saved(f"{names}\n{row},u\n{row},v\n")).names) == 9_999
