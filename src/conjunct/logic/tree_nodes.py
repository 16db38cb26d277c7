"""Trees as their nodes in the order of their text: a variable, the nodes where it is 1, the nodes where it is 0.

A bool is a leaf. Lists instead of nested objects: no depth is too deep.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from conjunct.errors import FormulaError
from conjunct.logic.spelling import spelled
from conjunct.logic.term import Term
from conjunct.logic.tokenizer import Scanner
from conjunct.messages import shortened

__all__ = ["Node", "branch_taken", "chain", "drawn", "folded", "printed", "require_tree", "scanned_tree", "subtree_end"]

Node = str | bool
Folded = TypeVar("Folded")
PLACE = None  # where the next subtree belongs in a text


def require_tree(nodes: Sequence[Node]) -> None:
    """Refuse nodes that are no tree, and a tree in which a path tests a variable twice."""
    path: list[str] = []
    tested: set[str] = set()
    depths = [0]  # of the nodes to come
    for node in nodes:
        if not isinstance(node, str | bool):
            raise FormulaError(f"a node of a tree is a variable or True or False, got {shortened(node)}")
        if not depths:
            raise FormulaError(f"the tree is complete before its node {shortened(node)}; leave out what follows")
        depth = depths.pop()
        while len(path) > depth:
            tested.remove(path.pop())
        if isinstance(node, str):
            if node in tested:
                raise FormulaError(f"a path tests {shortened(node)} twice; leave out the second test")
            path.append(node)
            tested.add(node)
            depths += [depth + 1] * 2
    if depths:
        raise FormulaError(f"the tree lacks {len(depths)} of its branches; end each with True or False")


def subtree_end(nodes: Sequence[Node], index: int) -> int:
    """Return where the subtree that begins at a place ends."""
    missing = 1
    while missing:
        missing += 1 if isinstance(nodes[index], str) else -1
        index += 1
    return index


def folded(
    nodes: Sequence[Node], leaf: Callable[[bool], Folded], split: Callable[[str, Folded, Folded], Folded]
) -> Folded:
    """Combine the leaves upwards: split takes a variable, then what came where it is 1, and where it is 0."""
    results: list[Folded] = []
    for node in reversed(nodes):
        results.append(leaf(node) if isinstance(node, bool) else split(node, results.pop(), results.pop()))
    return results.pop()


def branch_taken(nodes: Sequence[Node], variable: str, value: bool) -> list[Node]:
    """Return the tree in which the tests of a variable give way to the branch that a value takes."""
    remaining: list[Node] = []
    index, left_out = 0, -1  # where a branch begins that is left out
    while index < len(nodes):
        node = nodes[index]
        if index == left_out:
            index = subtree_end(nodes, index)
        elif node != variable:
            remaining.append(node)
            index += 1
        elif value:
            left_out = subtree_end(nodes, index + 1)
            index += 1
        else:
            index = subtree_end(nodes, index + 1)
    return remaining


def chain(term: Term, others: bool) -> list[Node]:
    """Return the tree that tests the literals of a term in turn: True where it holds, `others` at the other leaves."""
    nodes: list[Node] = [True]
    for literal in reversed(term.literals):
        nodes = [literal.variable, *nodes, others] if literal.is_positive else [literal.variable, others, *nodes]
    return nodes


def printed(nodes: Sequence[Node]) -> str:
    """Return a tree as ``variable ? tree : tree``, subtrees in parentheses."""
    parts: list[str] = []
    stack: list[str | None] = [PLACE]
    for node in nodes:
        while (text := stack.pop()) is not PLACE:
            parts.append(text)
        if isinstance(node, bool):
            parts.append(str(int(node)))
        else:
            stack += [")" if parts else "", PLACE, " : ", PLACE]
            parts.append(f"{'(' if parts else ''}{spelled(node)} ? ")
    return "".join([*parts, *(text for text in reversed(stack) if text)])


def scanned_tree(scanner: Scanner) -> list[Node]:
    """Read the tree that comes next, with parentheses or without."""
    nodes: list[Node] = []
    stack = ["tree"]
    while stack:
        kind = stack.pop()
        if kind != "tree":
            scanner.take(kind)
        elif scanner.skip("("):
            stack += [")", "tree"]
        elif scanner.at("number") and scanner.token.text in ("0", "1"):
            nodes.append(scanner.advance().text == "1")
        elif scanner.at("name"):
            nodes.append(scanner.variable())
            stack += ["tree", ":", "tree", "?"]
        else:
            raise scanner.unexpected("a variable, 0 or 1")
    return nodes


def drawn(
    nodes: Sequence[Node | int],
    test: Callable[[Any], str] = lambda name: f"{spelled(name)} = 1",
    leaf: Callable[[Any], str] = lambda label: str(int(label)),
) -> str:
    """Return a drawing with a line per node; negative numbers are leaves too, other numbers tests."""
    lines: list[str] = []
    prefixes = [("", "")]  # what stands before the next node, and before the lines below it
    for node in nodes:
        first, below = prefixes.pop()
        if isinstance(node, bool) or (isinstance(node, int) and node < 0):
            lines.append(f"{first}{leaf(node)}")
        else:
            lines.append(f"{first}{test(node)}")
            prefixes += [(f"{below}└── no: ", f"{below}    "), (f"{below}├── yes: ", f"{below}│   ")]
    return "\n".join(lines)
