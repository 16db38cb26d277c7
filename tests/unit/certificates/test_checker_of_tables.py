"""The checker rebuilds every bit from a table as text: each dialect, each test, and what it refuses to guess."""

import gzip
import hashlib
import io
import json
import lzma

import pytest

from conjunct.certificates import checker
from reference.tampering import outcome

DELIMITED = {
    "format": "delimited",
    "delimiter": ",",
    "header": True,
    "label": 0,
    "missing": ["?", "NA"],
    "skip_unlabelled": False,
}
SVMLIGHT = {"format": "svmlight", "zero_based": False}


def certificate(tests, rows, reading, classes=("n", "p"), **changes):
    """A claim about one leaf, which is accepted if the rows of the table are these digits and labels."""
    names = json.dumps([test[0] for test in tests], separators=(",", ":"))
    text = "".join(f"{line}\n" for line in [f"{len(rows)} {len(tests)}", names, *rows])
    sizes = [sum(row.endswith(f" {k}") for row in rows) for k in range(len(classes))]
    header = {
        "format": "conjunct certificate 1",
        "kind": "tree",
        "rows": len(rows),
        "classes": list(classes),
        "tests": tests,
        "reading": reading,
        "literals": "both",
        "depth": 0,
        "price": "1",
        "row_costs": None,
        "cost_matrix": None,
        "min_samples_leaf": 1,
        "digest": hashlib.sha256(text.encode()).hexdigest(),
        "lower": str(1 + len(rows) - max(sizes)),
        "upper": None,
        "witness": None,
    } | changes
    return (json.dumps(header, separators=(",", ":")) + "\nend 0 0 0\n").encode()


def said_of(table, tests, rows, reading=DELIMITED, **changes):
    """What the checker says of a table for which a certificate has these rows."""
    data = table if isinstance(table, bytes) else table.encode()
    code, verdict = outcome(checker, (certificate(tests, rows, reading, **changes), data))
    return "accepted" if code == 0 else verdict


def equals(*values, column=1):
    return [[f"x={value}", column, "=", value] for value in values]


OTHER = "the certificate is about other data: the digest of the rows differs"
PLAIN = "y,a\np,u\nn,v\np,\n"


@pytest.mark.parametrize(
    ("delimiter", "table"),
    [
        (",", "y,a b,c\np,u,1\nn, v\t,2\np,,3\n"),
        (";", "y;a;c\np;u;1\nn;v;2\np;;3\n"),
        ("|", "y|a|c\np|u|1\nn| v |2\np||3\n"),
        ("\t", "y\ta\tc\np\tu\t1\nn\t v \t2\np\t\t3\n"),
        (" ", "y a c\np  u 1 \n\tn\tv 2\np ? 3\n"),
    ],
)
def test_tables_of_every_delimiter_are_read(delimiter, table):
    reading = DELIMITED | {"delimiter": delimiter}
    assert said_of(table, equals("u", "v"), ["10 1", "01 0", "00 1"], reading) == "accepted"
    assert said_of(table.replace("v", "w"), equals("u", "v"), ["10 1", "01 0", "00 1"], reading) == OTHER


def test_compression_line_ends_byte_order_marks_and_blank_lines_change_nothing():
    rows = ["10 1", "01 0", "00 1"]
    data = PLAIN.encode()
    for table in [
        data,
        gzip.compress(data),
        lzma.compress(data),
        b"\xef\xbb\xbf" + data,
        data.replace(b"\n", b"\r\n"),
        data[:-1],
        data.replace(b"\n", b"\n \t\n\n"),
        b"\n" + data,
    ]:
        assert said_of(table, equals("u", "v"), rows) == "accepted"
    assert said_of("p,u\nn,v\np,\n", equals("u", "v"), rows, DELIMITED | {"header": False}) == "accepted"
    assert said_of(PLAIN + "p,u\r", equals("u", "v"), [*rows, "10 1"]) == OTHER  # a CR without LF belongs to the entry


def test_of_a_file_that_is_too_long_no_more_than_a_block_beyond_the_limit_is_read(monkeypatch):
    class File(io.BytesIO):
        def peek(self, _):
            return b"{"

    monkeypatch.setattr(checker, "MOST_BYTES", 8)
    monkeypatch.setattr(checker, "BLOCK_BYTES", 4)
    file = File(b"{" * 100)
    places = []
    monkeypatch.setattr(file, "close", lambda: places.append(file.tell()))
    monkeypatch.setattr(checker, "open", lambda *_: file, raising=False)
    with pytest.raises(checker.CheckError, match="more than 8 bytes"):
        checker.read_text("name")
    assert places == [12]


@pytest.mark.parametrize(
    ("delimiter", "line", "entry"),
    [
        (",", 'p,"u"', "u"),
        (",", 'p, "u" ', "u"),
        (",", '"p",u', "u"),
        (",", '"p",\t "u, v"', "u, v"),
        (",", '"p","a ""b"" c"', 'a "b" c'),
        (",", '"p",""""', '"'),
        (",", '"p"," u "', " u "),
        (",", 'p,5" pipe', '5" pipe'),
        (",", 'p,5"', '5"'),
        (";", '"p";"u"', "u"),
        ("|", '"p"|"u|v"', "u|v"),
        ("\t", '"p"\t"u\tv"', "u\tv"),
        ("\t", '"p" \t "u"', "u"),
    ],
)
def test_quotes_are_taken_off(delimiter, line, entry):
    reading = DELIMITED | {"delimiter": delimiter, "header": False}
    assert said_of(f"{line}\n", equals(entry), ["1 1"], reading) == "accepted"
    assert said_of(f"{line}\n", equals(entry + "!"), ["1 1"], reading) == OTHER


@pytest.mark.parametrize("delimiter", ",;|\t")
def test_empty_entries_stand_between_quoted_ones(delimiter):
    reading = DELIMITED | {"delimiter": delimiter, "header": False, "label": 2}
    table = f'"a"{delimiter}{delimiter}"p"\n{delimiter}"b"{delimiter}p\n"a"{delimiter}"b"{delimiter}"p"\n'
    tests = [*equals("a", column=0), ["missing", 1, "missing", ""]]
    assert said_of(table, tests, ["11 1", "00 1", "10 1"], reading) == "accepted"
    table = f'{delimiter}"b"{delimiter}p\n{delimiter}{delimiter}"p"\n"a"{delimiter}"b"{delimiter}"p"\n'
    assert said_of(table, tests, ["00 1", "01 1", "10 1"], reading) == "accepted"
    last = f'p{delimiter}"a"{delimiter}\n'
    assert said_of(last, [["m", 2, "missing", ""]], ["1 1"], reading | {"label": 0}) == "accepted"


@pytest.mark.parametrize(
    ("delimiter", "line"),
    [
        (",", 'p,"u'),
        (",", 'p, "u'),
        (",", 'p,"u"v'),
        (",", 'p,"u" v'),
        (",", 'p,"u""'),
        ("\t", 'p\t"u" v'),
        (" ", 'p "u"'),
    ],
)
def test_quotes_that_mean_something_else_are_refused(delimiter, line):
    reading = DELIMITED | {"delimiter": delimiter, "header": False}
    words = "line 2: quotes that are not read here; certify canonical rows"
    assert said_of(f"p{delimiter}u\n{line}\n", equals("u"), ["1 1", "1 1"], reading) == words


def test_only_blanks_and_tabs_stand_around_entries():
    blank = DELIMITED | {"delimiter": " ", "header": False}
    assert said_of("p u\u00a0v\n", equals("u\u00a0v"), ["1 1"], blank) == "accepted"
    assert said_of("p,\u00a0u\x0b\n", equals("\u00a0u\x0b"), ["1 1"], DELIMITED | {"header": False}) == "accepted"
    tabs = DELIMITED | {"delimiter": "\t", "header": False, "label": 1, "skip_unlabelled": True}
    assert said_of("u\tp\n\t\n  \nu\tp\n", equals("u", column=0), ["1 1", "1 1"], tabs) == "accepted"
    unlabelled = "line 2: the label '' is no class of the certificate"
    assert said_of("u\tp\n\t\n", equals("u", column=0), ["1 1"], tabs | {"skip_unlabelled": False}) == unlabelled


def test_two_whole_numbers_are_a_row_like_others():
    reading = DELIMITED | {"delimiter": " ", "header": False}
    table = "1 0\n0 1\n1 1\n"
    assert said_of(table, equals("1"), ["0 1", "1 0", "1 1"], reading, classes=("0", "1")) == "accepted"


def test_canonical_rows_are_no_table():
    rows = ["10 1", "01 0", "00 1"]
    text = "\n".join(["3 2", '["x=u","x=v"]', *rows, ""])
    assert said_of(text, equals("u", "v"), rows) != "accepted"
    assert said_of(PLAIN, [["x=u"], ["x=v"]], rows, "canonical") == "the table has 0 rows, the certificate 3"
    assert said_of(text, [["x=u"], ["x=v"]], rows, "canonical") == "accepted"
    nameless = "\n".join(["3 2", *rows, ""])  # the second line is of names, never a row
    assert said_of(nameless, [["x=u"], ["x=v"]], rows, "canonical") == "the table has 2 rows, the certificate 3"
    assert said_of(PLAIN, [["x=u"]], rows) == "the tests do not fit the reading"


def at_most(*cuts):
    return [[f"x<={cut}", 1, "<=", cut] for cut in cuts]


@pytest.mark.parametrize(
    ("entry", "digits"),
    [
        ("0.1", "11"), ("0.10", "11"), (".1", "11"), ("1e-1", "11"), ("+0.1", "11"), ("10E-2", "11"), ("0.1000", "11"),
        ("0.10000000000000000001", "01"),
        ("0.1000000000000000055511151231257827", "01"), ("-5", "11"), ("-.5e+0", "11"),
        ("0.2", "01"), ("0.20", "01"), ("2e-1", "01"), ("0.3", "00"), ("1.", "00"), ("1e999", "00"), ("-1e999", "11"),
        ("9" * 400, "00"), ("?", "00"), ("", "00"), ("NA", "00"), ("1e-999", "11"),
    ],
)  # fmt: skip
def test_numbers_are_compared_as_exact_decimals(entry, digits):
    reading = DELIMITED | {"header": False}
    assert said_of(f"p,{entry}\n", at_most("0.1", "0.2"), [f"{digits} 1"], reading) == "accepted"
    assert said_of(f"p,{entry}\n", at_most("1e-1", "+.20"), [f"{digits} 1"], reading) == "accepted"


@pytest.mark.parametrize(
    "entry", ["abc", "1,5", "0x1", "1_000", "nan", "inf", "1e", "1e1000", ".", "--1", "٣", "1/2", "9" * 401, "na"]
)
def test_what_is_no_number_is_refused(entry):
    reading = DELIMITED | {"header": False, "delimiter": ";"}
    words = f"line 1: {entry[:40]!r} is no number"
    assert said_of(f"p;{entry}\n", at_most("1"), ["0 1"], reading) == words
    assert said_of(f"p;{entry}\n", [["x", 1, "one", ""]], ["0 1"], reading) == words


def test_ones_are_more_than_a_half_and_missing_is_a_test_of_its_own():
    table = "y,a\np,1\np,0\np,0.5\np,0.51\np,5e-1\np,?\np,\np,7\n"
    tests = [["x", 1, "one", ""], ["m", 1, "missing", ""]]
    assert said_of(table, tests, ["10 1", "00 1", "00 1", "10 1", "00 1", "01 1", "01 1", "10 1"]) == "accepted"
    quoted = 'y,a\np,"?"\np,""\np," "\n'  # a quoted blank is an entry
    assert said_of(quoted, [*equals("?", " "), tests[1]], ["001 1", "001 1", "010 1"]) == "accepted"


def test_dates_are_compared_as_text():
    table = "y,a\np,2020-03-01\nn,2020-03-02\np,?\n"
    day = [["x<=2020-03-01", 1, "date<=", "2020-03-01"]]
    assert said_of(table, day, ["1 1", "0 0", "0 1"]) == "accepted"
    time = [["x", 1, "date<=", "2020-03-01 12:00:00"]]
    assert said_of("y,a\np,2020-03-01 12:00:00\nn,2020-03-01 12:00:01\n", time, ["1 1", "0 0"]) == "accepted"
    assert said_of(table, time, ["1 1", "0 0", "0 1"]) == "line 2: '2020-03-01' is no date like 2020-03-01 12:00:00"
    assert said_of("y,a\np,1.3.2020..\n", day, ["1 1"]) == "line 2: '1.3.2020..' is no date like 2020-03-01"
    assert said_of(table, [["x", 1, "date<=", "2020-3-1"]], ["1 1"]) == "the header's tests is not as the format says"


def test_rows_without_a_label_are_skipped_if_the_certificate_says_so():
    table = "y,a\np,u\n?,v\n,u\nn,v\n"
    skip = DELIMITED | {"skip_unlabelled": True}
    assert said_of(table, equals("u"), ["1 1", "0 0"], skip) == "accepted"
    assert said_of(table, equals("u"), ["1 1", "0 0"]) == "line 3: the label '?' is no class of the certificate"
    named = said_of(table, equals("u"), ["1 1", "0 2", "0 0"], skip, classes=("n", "p", "?"))
    assert named == "accepted"  # a class of that name is a class
    other = "line 6: the label 'q' is no class of the certificate"
    assert said_of(table + "q,u\n", equals("u"), ["1 1", "0 0"], skip) == other


def test_long_entries_are_named_by_forty_letters():
    entry, start = "x" * 50, repr("x" * 40)
    day = [["d", 1, "date<=", "2020-03-01"]]
    assert said_of(f"y,a\np,{entry}\n", day, ["1 1"]) == f"line 2: {start} is no date like 2020-03-01"
    assert said_of(f"y,a\n{entry},1\n", day, ["1 1"]) == f"line 2: the label {start} is no class of the certificate"


def test_tables_of_another_shape_are_refused():
    assert said_of("y,a\np,u\nn\n", equals("u"), ["1 1", "0 0"]) == "line 3 has 1 entries, the first 2"
    assert said_of("y,a\np,u\nn,v,w\n", equals("u"), ["1 1", "0 0"]) == "line 3 has 3 entries, the first 2"
    absent = "the certificate is about a column that is not there"
    assert said_of(PLAIN, equals("u", column=2), ["1 1"]) == absent
    assert said_of(PLAIN, equals("u"), ["1 1"], DELIMITED | {"label": 2}) == absent
    assert said_of(PLAIN, equals("u"), ["1 1", "0 0"]) == "the table has 3 rows, the certificate 2"
    assert said_of("y,a\n", equals("u"), ["1 1", "0 0"]) == "the table has 0 rows, the certificate 2"
    assert said_of("p,u\n\0", equals("u"), ["1 1"]) == "'rows' holds NUL"
    assert said_of(b"p,\xff\n", equals("u"), ["1 1"]).startswith("'rows': 'utf-8' codec can't decode byte 0xff")
    costs = said_of(PLAIN, equals("u"), ["1 1", "0 0", "0 1"], row_costs=["1", "1"])
    assert costs == "there is not one cost for each row of the table"


def test_tests_of_several_columns_keep_their_order():
    table = "y,a,b\np,u,1\nn,v,2\np,u,3\n"
    tests = [*equals("u"), *[["b", 2, "<=", "2"], ["c", 2, "<=", "1"]], *equals("v"), ["d", 2, "=", "3"]]
    assert said_of(table, tests, ["11100 1", "01010 0", "10001 1"]) == "accepted"
    assert said_of(table, [], [" 1", " 0", " 1"]) == "accepted"
    last = DELIMITED | {"label": 2}
    assert said_of("a,b,y\nu,1,p\n", [["x", 1, "=", "1"], *equals("u", column=0)], ["11 1"], last) == "accepted"


def test_svmlight_is_read_from_one_or_zero():
    table = "+1 3:1 7:1 # 9:1\n\n# nothing\n-1 7:1 3:0\n-1\n+1\t9:1 7:0 \n"
    tests = [["x3", 3, "one", ""], ["x7", 7, "one", ""], ["x9", 9, "one", ""]]
    rows, classes = ["110 1", "010 0", "000 0", "001 1"], ("-1", "+1")
    assert said_of(table, tests, rows, SVMLIGHT, classes=classes) == "accepted"
    assert said_of(table + "+1\n", tests, rows, SVMLIGHT, classes=classes) == "the table has 5 rows, the certificate 4"
    zero = [["x0", 0, "one", ""]]
    from_zero = SVMLIGHT | {"zero_based": True}
    assert said_of("+1 0:1\n-1 1:1\n", zero, ["1 1", "0 0"], from_zero, classes=classes) == "accepted"
    assert said_of("+1 0:0\n", zero, ["0 1"], from_zero, classes=classes) == "accepted"
    label = said_of("2:1 3:1\n", [["x2", 2, "one", ""], ["x3", 3, "one", ""]], ["01 1"], SVMLIGHT, classes=("n", "2:1"))
    assert label == "accepted"  # the first word is the label, however it reads


@pytest.mark.parametrize(
    "line",
    ["+1 0:1", "+1 3:2", "+1 3:1 3:1", "+1 3:1 3:0", "+1 3", "+1 qid:1 3:1", "+1 03:1", "+1 3:1:1", "+1 3:1,4:1"],
)
def test_other_svmlight_is_refused(line):
    words = "line 2: expected a label, then id:1, each id once"
    assert said_of(f"+1\n{line}\n", [["x3", 3, "one", ""]], ["1 1"], SVMLIGHT, classes=("-1", "+1")) == words


def test_an_unknown_label_of_svmlight_is_refused():
    words = "line 1: the label '1' is no class of the certificate"
    assert said_of("1 3:1\n", [["x3", 3, "one", ""]], ["1 1"], SVMLIGHT, classes=("-1", "+1")) == words


@pytest.mark.parametrize(
    "change",
    [
        {"delimiter": ":"}, {"delimiter": ""},
        {"header": 0}, {"label": -1}, {"label": "0"}, {"missing": None}, {"missing": [0]},
        {"skip_unlabelled": None}, {"format": "csv"}, {"encoding": "utf-8"},
    ],
)  # fmt: skip
def test_an_unknown_reading_is_refused(change):
    assert said_of(PLAIN, equals("u"), ["1 1"], DELIMITED | change) == "the header's reading is not as the format says"


@pytest.mark.parametrize(
    "test",
    [
        [],
        ["x", 1],
        ["x", 1, "="],
        ["x", 1, "<", "2"],
        ["x", 1, "<=", "two"],
        ["x", 1, "one", "1"],
        ["x", -1, "=", ""],
        ["x", 1, "=", "a", ""],
        ["x", 1, "<=", "1e1000"],
    ],
)
def test_an_unknown_test_is_refused(test):
    assert (
        said_of(PLAIN, [["y", 1, "=", "u"], test or ["x", 1, "=", 0]], ["1 1"])
        == "the header's tests is not as the format says"
    )
