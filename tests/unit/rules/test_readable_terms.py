import numpy as np
import pytest

from conjunct import BitMatrix
from conjunct.kernels import Conjunctions
from conjunct.models import KernelExpansion
from conjunct.rules.named_model import NamedModel
from conjunct.rules.readable_terms import TermReader
from parts import case

NAMES = ("age<=24", "age<=31", "age<=40", "sky=grey", "sky=clear", "is_old", "fee<=2", "fee<=3", "fee is missing")


def reader(names=NAMES):
    return TermReader(NamedModel(None, tuple(names), (0, 1)))


@pytest.fixture
def said():
    own = reader()

    def text(*wanted):
        return own.text(sorted(2 * NAMES.index(name.removeprefix("~")) + (name[0] != "~") for name in wanted))

    return text


def test_tests_of_one_column_read_as_people_say_them(said):
    for wanted, text in (
        (("~age<=24", "age<=31"), "24 < age <= 31"),
        (("age<=24", "age<=31", "age<=40"), "age <= 24"),
        (("~age<=24", "~age<=31"), "age > 31"),
        (("~age<=24", "age<=40", "sky=grey"), "24 < age <= 40 & sky=grey"),
        (("sky=grey", "~sky=clear"), "sky=grey"),
        (("~sky=grey", "~sky=clear"), "sky!=grey & sky!=clear"),
        (("is_old",), "is_old"),
        (("~is_old",), "not is_old"),
        (("~fee<=2",), "not fee <= 2"),  # which holds on missing entries too
        (("~fee<=2", "fee<=3"), "2 < fee <= 3"),
        (("~fee<=2", "~fee is missing"), "fee > 2"),
        (("fee<=2", "~fee is missing"), "fee <= 2"),
        (("fee is missing", "~fee<=2", "~fee<=3"), "fee is missing"),
        (("~fee is missing",), "fee is not missing"),
        ((), "(always)"),
    ):
        with case(text):
            assert said(*wanted) == text


def test_limits_are_compared_as_numbers_and_as_dates():
    assert reader(["t<=9", "t<=10", "t<=1e1"]).text([1, 3]) == "t <= 9"
    assert reader(["t<=9.5", "t<=-10"]).text([1, 2]) == "-10 < t <= 9.5"
    assert reader(["day<=1999-12-31", "day<=2001-01-01"]).text([1, 3]) == "day <= 1999-12-31"


def test_names_that_could_mislead_stand_in_quotes():
    for name, text in (
        ('say "x"', '"say \\"x\\""'),
        ("a\nb\x1b[31m", '"a\\nb\\u{1b}[31m"'),
        ("a & b", '"a & b"'),
        ("cut or not", '"cut or not"'),
        (" padded", '" padded"'),
        ("=1+1", '"=1+1"'),
        ("", '""'),
        ("mean radius (mm)", "mean radius (mm)"),
        ("<b>=x & y", '"<b>"="x & y"'),
    ):
        with case(name):
            assert reader([name]).text([1]) == text


def test_names_imply_nothing_that_the_rows_of_the_model_contradict():
    def read(rows, names):
        packed = BitMatrix.of(rows, names)
        weights = np.ones((1, packed.n_rows), np.int64)
        return TermReader(NamedModel.of(KernelExpansion(Conjunctions(), packed, weights, 1, 0)))

    tags, values = (read(rows, ["tag=a", "tag=b"]) for rows in (["11", "10"], ["01", "10"]))
    assert tags.text([1, 3]) == "tag=a & tag=b"
    assert tags.text([1, 2]) == "tag=a & tag!=b"
    assert values.text([1, 2]) == "tag=a"
