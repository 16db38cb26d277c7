import pytest

from conjunct.errors import FormulaError
from conjunct.logic import CNF, DNF, Clause, Literal, Term, parse
from conjunct.logic.tokenizer import Scanner

DEEP = 200


@pytest.mark.parametrize(
    ("text", "kind", "printed"),
    [
        ("x1", DNF, "x1"),
        ("x1 & ~x2", DNF, "x1 & ~x2"),
        ("x1 | x2", DNF, "x1 | x2"),
        ("~x1 & x2 | x3", DNF, "x3 | ~x1 & x2"),
        ("x1 & (x2 & (x3 & x1))", DNF, "x1 & x2 & x3"),
        ("~(x1 & (x2 | x3))", DNF, "~x1 | ~x2 & ~x3"),
        ("~(x1 & (x2 | x3) | x4)", DNF, "~x1 & ~x4 | ~x2 & ~x3 & ~x4"),
        ("~(x1 & x2 | x4)", CNF, "~x4 & (~x1 | ~x2)"),
        ("~(x1 | ~x2)", DNF, "~x1 & x2"),
        ("!~!x1", DNF, "~x1"),
        ("(x1 | x2) & x3", CNF, "x3 & (x1 | x2)"),
        ("(x1 | x2) & 1", CNF, "(x1 | x2)"),
        ("(x1 | x2) & 0", CNF, "0 & (x1 | x2)"),
        ("x1 & (x2 | x3 & x4)", DNF, "x1 & x2 | x1 & x3 & x4"),
        ("((x1 | x2) & (x1 | x3) | x4)", DNF, "x1 | x4 | x2 & x3"),
        ("0", DNF, "0"),
        ("1", DNF, "1"),
        ("~0", DNF, "1"),
        ("1 | x1", DNF, "1 | x1"),
        ("x1 & ~x1", DNF, "0"),
        ("x1 & 0 | x2 & 1", DNF, "x2"),
        ('"0" | "1"', DNF, '"0" | "1"'),
        ('"x1"', DNF, "x1"),
        (r'"\"\\\n\r\u{41}"', DNF, r'"\"\\\n\rA"'),
        ('"a\nb"', DNF, r'"a\nb"'),
        ("  x1&x2|\n\tx3  ", DNF, "x3 | x1 & x2"),
        ("x1 and not x2 OR x3", DNF, "x3 | x1 & ~x2"),
        ("not (x1 or x2) And x3", DNF, "~x1 & ~x2 & x3"),
        ('"and" | "Or" & nothing', DNF, '"and" | "Or" & nothing'),
        ("x1 ^ x2", DNF, "x1 & ~x2 | ~x1 & x2"),
        ("~(x1 ^ x2)", CNF, "(x1 | ~x2) & (~x1 | x2)"),
        ("x1 ^ x2 & x3 | x4", DNF, "x4 | x1 & ~x2 | x1 & ~x3 | ~x1 & x2 & x3"),
        ("x1 -> x2", DNF, "~x1 | x2"),
        ("x1 | x2 -> x3 -> x4", DNF, "~x3 | x4 | ~x1 & ~x2"),
        ("(x1 -> x2) -> x3", DNF, "x3 | x1 & ~x2"),
    ],
)
def test_a_text_is_read_as_the_simplest_class_that_fits(text, kind, printed):
    formula = parse(text)
    assert type(formula) is kind
    assert str(formula) == printed


@pytest.mark.parametrize(
    ("text", "message", "column"),
    [
        ("", "expected a variable, 0, 1, ~ or (, found the end of the text (character 1)", 0),
        ("  ", "expected a variable, 0, 1, ~ or (, found the end of the text (character 3)", 2),
        ("a &", "expected a variable, 0, 1, ~ or (, found the end of the text (character 4)", 3),
        ("a & | b", "expected a variable, 0, 1, ~ or (, found '|' (character 5)", 4),
        ("& a", "expected a variable, 0, 1, ~ or (, found '&' (character 1)", 0),
        ("a && b", "expected a variable, 0, 1, ~ or (, found '&' (character 4)", 3),
        ("a & ~", "expected a variable, 0, 1, ~ or (, found the end of the text (character 6)", 5),
        ("()", "expected a variable, 0, 1, ~ or (, found ')' (character 2)", 1),
        ("a & 2", "expected a variable, 0, 1, ~ or (, found '2' (character 5)", 4),
        ("a b", "expected &, |, ^ or ->, found 'b' (character 3)", 2),
        ("a xor b", "expected &, |, ^ or ->, found 'xor'; write ^ (character 3)", 2),
        ("a true", "expected &, |, ^ or ->, found 'true'; write 1 (character 3)", 2),
        ("a and", "expected a variable, 0, 1, ~ or (, found the end of the text (character 6)", 5),
        ("and a", "expected a variable, 0, 1, ~ or (, found 'and' (character 1)", 0),
        ("a ->", "expected a variable, 0, 1, ~ or (, found the end of the text (character 5)", 4),
        ('a "b c"', "expected &, |, ^ or ->, found '\"b c\"' (character 3)", 2),
        ("a ~b", "expected &, |, ^ or ->, found '~' (character 3)", 2),
        ("(a b)", "expected &, |, ^, -> or ), found 'b' (character 4)", 3),
        ("a >= b", "expected a number, found 'b' (character 6)", 5),
        ("a | b >= 1", "expected '>=', found '|' (character 3)", 2),
        ("a & (b | (c)", "the parenthesis that opens here is never closed (character 5)", 4),
        ("a & b) | c", "no parenthesis opens for the one that closes here (character 6)", 5),
        ('a & "b', "the quote that opens here is never closed (character 5)", 4),
        ('a & "b\\"', "the quote that opens here is never closed (character 5)", 4),
        ("a # b", "'#' has no meaning here; a name with it goes in quotes (character 3)", 2),
        ("a & ²", "'²' has no meaning here; a name with it goes in quotes (character 5)", 4),
        ("a > b", "'>' has no meaning here; a name with it goes in quotes (character 3)", 2),
        ("a & 2nd", "a number ends in a digit, and a name that starts with one goes in quotes (character 5)", 4),
        ("0.5", "a number ends in a digit, and a name that starts with one goes in quotes (character 1)", 0),
        ("1/0", "a fraction needs a number other than 0 below its bar (character 1)", 0),
        ("1/", "a fraction needs a number other than 0 below its bar (character 1)", 0),
    ],
)
def test_a_syntax_error_is_shown_with_a_caret_under_it(text, message, column):
    with pytest.raises(FormulaError) as refused:
        parse(text)
    assert str(refused.value) == f"{message}\n  {text}\n  {' ' * column}^"


@pytest.mark.parametrize(
    "escape", [r"\t", r"\u", r"\u{}", r"\u{g}", r"\u{110000}", r"\u{0000000041}", r"\u{41", "\\u41"]
)
def test_other_backslashes_in_quotes_are_refused(escape):
    with pytest.raises(FormulaError, match=r"^a backslash in quotes stands before .* \(character 3\)\n"):
        parse(f'"a{escape}"')


def test_an_unknown_variable_is_refused_in_its_place_with_the_nearest_name():
    with pytest.raises(FormulaError) as refused:
        parse("radius & ~textur", names=["radius", "texture"])
    assert str(refused.value) == (
        "no variable is called 'textur'; did you mean 'texture'? (character 11)\n  radius & ~textur\n            ^"
    )
    for read in (DNF.parse, CNF.parse, Term.parse, Clause.parse, Literal.parse):
        with pytest.raises(FormulaError, match=r"^no variable is called 'a' \(character 1\)\n"):
            read("a", [])


def test_a_long_text_is_shown_around_the_place():
    text = " & ".join(f"x{k}" for k in range(100))
    with pytest.raises(FormulaError) as refused:
        parse(f"{text} & & {text}")
    _, shown, caret = str(refused.value).split("\n")
    assert shown.startswith("  …")
    assert shown.endswith("…")
    assert len(shown) == 2 + 60 + 2
    assert shown[: len(caret)].endswith("& &")
    with pytest.raises(FormulaError) as refused:
        parse(f"{text} &")
    _, shown, caret = str(refused.value).split("\n")
    assert shown.endswith("x99 &")
    assert len(caret) == len(shown) + 1


def test_the_caret_stands_right_under_wide_and_unprintable_signs():
    with pytest.raises(FormulaError) as refused:
        parse('名前 & "e\u0301\n" & &')
    _, shown, caret = str(refused.value).split("\n")
    assert shown == '  名前 & "e\u0301?" & &'
    assert len(caret) == len(shown) + 2 - 1  # two wide signs, one of no width


def test_nesting_is_read_to_200_levels_and_refused_politely_beyond():
    deep = "(" * DEEP + "x1" + ")" * DEEP
    assert parse(deep) == parse("x1")
    alternating = "x1"
    for k in range(DEEP):
        alternating = f"x2 {'&|'[k % 2]} ({alternating})"
    assert parse(alternating) == parse("x2")
    for levels in (DEEP + 1, 100_000):
        with pytest.raises(FormulaError, match=r"^parentheses nest deeper than 200 levels \(character 201\)\n"):
            parse("(" * levels + "x1" + ")" * levels)


def test_any_number_of_negations_is_read():
    assert parse("~" * 100_001 + "x1") == parse("~x1")


def pairs(n, outer, inner):
    return f" {outer} ".join(f"(a{k} {inner} b{k})" for k in range(n))


def test_multiplying_out_is_done_within_a_budget_and_refused_beyond():
    assert len(DNF.parse(pairs(10, "&", "|")).terms) == 1024
    assert len(CNF.parse(pairs(10, "|", "&")).clauses) == 1024
    assert len(parse(pairs(20, "&", "|")).clauses) == 20
    with pytest.raises(
        FormulaError,
        match=r"^multiplied out, the formula has more than 100,000 terms; "
        r"read it with CNF.parse where it is written that way, or read smaller parts$",
    ):
        DNF.parse(pairs(20, "&", "|"))
    with pytest.raises(FormulaError, match=r"more than 100,000 terms; read it with CNF.parse"):
        parse(f"c | {pairs(20, '&', '|')}")
    with pytest.raises(FormulaError, match=r"more than 100,000 clauses; read it with DNF.parse"):
        CNF.parse(pairs(20, "|", "&"))


@pytest.mark.parametrize("read", [parse, DNF.parse, CNF.parse, Term.parse, Clause.parse, Literal.parse])
def test_a_formula_is_read_from_text_alone(read):
    with pytest.raises(FormulaError, match=r"^a formula is read from a text, got 3$"):
        read(3)


@pytest.mark.parametrize(
    ("read", "text", "message"),
    [
        (Term.parse, "a | b", r"^expected & or the end, found '\|' \(character 3\)\n"),
        (Term.parse, "1 & a", r"^expected & or the end, found '&' \(character 3\)\n"),
        (Term.parse, "0", r"^expected a variable, found '0' \(character 1\)\n"),
        (Clause.parse, "a & b", r"^expected \| or the end, found '&' \(character 3\)\n"),
        (Clause.parse, "a |", r"^expected a variable, found the end of the text \(character 4\)\n"),
        (Literal.parse, "a & b", r"^expected the end, found '&' \(character 3\)\n"),
        (Literal.parse, "1", r"^expected a variable, found '1' \(character 1\)\n"),
    ],
)
def test_terms_clauses_and_literals_are_read_strictly(read, text, message):
    with pytest.raises(FormulaError, match=message):
        read(text)


def test_the_scanner_knows_the_signs_of_every_class():
    scanner = Scanner('2*a + "b c" - 3/2 >= -1 ? : -> ; ( ) ~ ! & | = 1')
    kinds = []
    while not scanner.at("end"):
        kinds.append(scanner.advance().kind)
    signs = ["-", "number", "?", ":", "->", ";", "(", ")", "~", "~", "&", "|", "=", "number"]
    assert kinds == ["number", "*", "name", "+", "name", "-", "number", ">=", *signs]
    assert scanner.advance().kind == scanner.advance().kind == "end"


def test_numbers_of_thousands_of_digits_are_refused():
    assert Scanner("9" * 4000).number() == 10**4000 - 1
    with pytest.raises(FormulaError, match=r"^a number of more than 4000 digits is not read \(character 1\)\n"):
        Scanner("9" * 4001)
