"""Breaking a long line of code the way a formatter does.

A line is broken inside its brackets: first around what they hold, then at its commas, then before
its operators. Where there are no brackets, a pair is put around the right side.
"""

from __future__ import annotations

import ast
import io
import keyword
import re
import tokenize
from collections.abc import Sequence
from typing import NamedTuple

from autodiff.syntax.quiet import quiet
from autodiff.syntax.walk import same

WIDTH = 100

_OPEN, _CLOSE = frozenset("([{"), frozenset(")]}")
_INDENT = " " * 4
# from the loosest to the tightest; a line is broken before them
_OPERATORS: tuple[frozenset[str], ...] = (
    frozenset(("if", "else")),
    frozenset(("or",)),
    frozenset(("and",)),
    frozenset(("in", "not", "is", "<", "<=", ">", ">=", "==", "!=")),
    frozenset("|"),
    frozenset("^"),
    frozenset("&"),
    frozenset(("<<", ">>")),
    frozenset("+-"),
    frozenset(("*", "/", "//", "%", "@")),
)
_ENCLOSED = ("return", "if", "elif", "while")  # what follows may be put in parentheses
_ASSIGNS = frozenset(f"{o}=" for o in ("", *"+-*/%@&|^", "//", "**", "<<", ">>"))
_AROUND = {"elif": "if 1: pass\n{}", "else": "if 1: pass\n{}", "case": "match 1:\n {}"}
_AROUND |= {"except": "try: pass\n{}", "@": "{}\ndef f(): pass"}


class _Token(NamedTuple):
    """A piece of text that is never broken, and how it stands in the line."""

    text: str
    spaced: bool  # a space comes before it
    depth: int  # how many brackets are open around it; a bracket itself stands outside
    binary: bool  # an operand comes before it, so an operator here has two


def wrap(line: str) -> list[str]:
    """The lines that a long line of code becomes; the line itself where it cannot be broken.

    >>> for part in wrap("total = " + " + ".join(f"term_{k:02}" for k in range(14))):
    ...     print(part)
    total = (
        term_00
        + term_01
        + term_02
        + term_03
        + term_04
        + term_05
        + term_06
        + term_07
        + term_08
        + term_09
        + term_10
        + term_11
        + term_12
        + term_13
    )
    """
    code = line.lstrip(" ")
    if "\n" in line:
        return line.split("\n")
    try:
        tokens = _tokens(code)
    except tokenize.TokenError:
        return [line]
    lines = _statement(tokens, line[: len(line) - len(code)])
    return lines if len(lines) > 1 and _same_meaning(code, lines) else [line]


def _statement(tokens: Sequence[_Token], indent: str) -> list[str]:
    """Lay out a whole line: what stands before its right side, the right side, a final colon."""
    suffix = ""
    if tokens[-1].text == ":" and tokens[-1].depth == 0:
        tokens, suffix = tokens[:-1], ":"
    first = tokens[0].text
    assigns = [k for k, token in enumerate(tokens) if token.text in _ASSIGNS and not token.depth]
    loop = [k for k, token in enumerate(tokens) if token.text == "in" and not token.depth]
    if first in _ENCLOSED:
        start = 1
    elif first == "from":
        start = [token.text for token in tokens].index("import") + 1
    elif first in ("for", "async") and loop:
        start = loop[0] + 1
    elif assigns:
        start = assigns[-1] + 1
    elif keyword.iskeyword(first) or suffix or first == "@":
        return _brackets("", tokens, suffix, indent)
    else:
        start = 0
    prefix = _text(tokens[:start]) + " " if start else ""
    if assigns and not _fits(indent, prefix, [], "("):
        *lines, last = _targets(tokens[: start - 1], f" {tokens[start - 1].text}", indent)
        return [*lines, *_right_side(last.lstrip() + " ", tokens[start:], suffix, indent)]
    return _right_side(prefix, tokens[start:], suffix, indent)


def _targets(tokens: Sequence[_Token], suffix: str, indent: str) -> list[str]:
    """What is assigned to, where it does not fit in a line by itself."""
    if _commas(tokens) and not any(token.text == "=" and not token.depth for token in tokens):
        return [f"{indent}(", *_content(tokens, indent + _INDENT), f"{indent}){suffix}"]
    return _brackets("", tokens, suffix, indent)


def _right_side(prefix: str, tokens: Sequence[_Token], suffix: str, indent: str) -> list[str]:
    """Code that is in no brackets, but may be put into parentheses."""
    if _fits(indent, prefix, tokens, suffix):
        return [indent + prefix + _text(tokens) + suffix]
    helps = not _pairs(tokens) and _fits(indent + _INDENT, "", tokens, "")
    if _commas(tokens) or _breaks(tokens) or helps:
        inner = _content(tokens, indent + _INDENT)
        return [f"{indent}{prefix}(", *inner, f"{indent}){suffix}"]
    return _brackets(prefix, tokens, suffix, indent)


def _brackets(prefix: str, tokens: Sequence[_Token], suffix: str, indent: str) -> list[str]:
    """Break inside the largest pair of brackets."""
    pairs = _pairs(tokens)
    if not pairs or _fits(indent, prefix, tokens, suffix):
        return [indent + prefix + _text(tokens) + suffix]
    first, last = max(pairs, key=lambda pair: len(_text(tokens[pair[0] : pair[1]])))
    opening = " " * (tokens[first].spaced and first > 0) + tokens[first].text
    after = tokens[last + 1 :]
    closing = tokens[last].text + " " * bool(after and after[0].spaced)
    return [
        *_brackets(prefix, tokens[:first], opening, indent),
        *_content(tokens[first + 1 : last], indent + _INDENT),
        *_brackets(closing, after, suffix, indent),
    ]


def _content(tokens: Sequence[_Token], indent: str) -> list[str]:
    """What stands between brackets, which are on lines of their own."""
    commas = _commas(tokens)
    if _fits(indent, "", tokens, "") or not commas or _is_comprehension(tokens):
        return _item(tokens, "", indent)
    lines = []
    for start, stop in zip([-1, *commas], [*commas, len(tokens)]):
        if tokens[start + 1 : stop]:
            lines.extend(_item(tokens[start + 1 : stop], ",", indent))
    return lines


def _item(tokens: Sequence[_Token], suffix: str, indent: str) -> list[str]:
    """One item between brackets; the name of an argument or the key of a dict goes before it."""
    depth = tokens[0].depth
    start = 0
    for k, token in enumerate(tokens[:-1]):
        if token.text in ("=", ":") and token.depth == depth:
            start = k + 1
            break
        if token.text == "lambda":
            break
    if not _fits(indent, "", tokens[:start], "("):
        start = 0
    prefix = _text(tokens[:start])
    if start and tokens[start].spaced:
        prefix += " "
    return _operands(prefix, tokens[start:], suffix, indent)


def _operands(prefix: str, tokens: Sequence[_Token], suffix: str, indent: str) -> list[str]:
    """Break before the loosest operators of code that is inside brackets."""
    if _fits(indent, prefix, tokens, suffix):
        return [indent + prefix + _text(tokens) + suffix]
    breaks = _breaks(tokens)
    if not breaks:
        return _brackets(prefix, tokens, suffix, indent)
    lines = _operands(prefix, tokens[: breaks[0]], "", indent)
    for start, stop in zip(breaks, [*breaks[1:], len(tokens)]):
        ending = suffix if stop == len(tokens) else ""
        space = " " * tokens[start + 1].spaced
        operand = tokens[start + 1 : stop]
        lines.extend(_operands(tokens[start].text + space, operand, ending, indent))
    return lines


def _breaks(tokens: Sequence[_Token]) -> list[int]:
    """Where to break: before the clauses of a comprehension, or the loosest operators."""
    depth = tokens[0].depth
    top = [k for k, token in enumerate(tokens) if token.depth == depth and k]
    loops = [k for k in top if tokens[k].text == "for"]
    if loops:
        return [k for k in top if k in loops or (tokens[k].text == "if" and k > loops[0])]
    for operators in _OPERATORS:
        found = [k for k in top if tokens[k].binary and tokens[k].text in operators]
        if found:
            return found
    return []


def _is_comprehension(tokens: Sequence[_Token]) -> bool:
    return any(token.text == "for" and token.depth == tokens[0].depth for token in tokens[1:])


def _commas(tokens: Sequence[_Token]) -> list[int]:
    depth = tokens[0].depth
    return [k for k, token in enumerate(tokens) if token.text == "," and token.depth == depth]


def _pairs(tokens: Sequence[_Token]) -> list[tuple[int, int]]:
    """The outermost pairs of brackets that hold something."""
    if not tokens:
        return []
    depth = tokens[0].depth
    top = [k for k, token in enumerate(tokens) if token.depth == depth]
    opening = [k for k in top if tokens[k].text in _OPEN]
    closing = [k for k in top if tokens[k].text in _CLOSE]
    return [(a, b) for a, b in zip(opening, closing) if b > a + 1]


def _fits(indent: str, prefix: str, tokens: Sequence[_Token], suffix: str) -> bool:
    return len(indent) + len(prefix) + len(_text(tokens)) + len(suffix) <= WIDTH


def _text(tokens: Sequence[_Token]) -> str:
    return "".join([" " * token.spaced + token.text for token in tokens]).lstrip(" ")


def _tokens(code: str) -> list[_Token]:
    """The tokens of one line; an f-string is one token."""
    found: list[_Token] = []
    depth = 0
    lambdas: list[int] = []  # the depths of the parameter lists that are open
    end = 0
    for text, start, stop in _pieces(code):
        if text in _CLOSE or (text == ":" and lambdas and lambdas[-1] == depth):
            depth -= 1
            if text == ":":
                lambdas.pop()
        operand = bool(found) and _ends_operand(found[-1].text)
        found.append(_Token(text, start > end, depth, operand))
        if text in _OPEN or text == "lambda":
            depth += 1
            if text == "lambda":
                lambdas.append(depth)
        end = stop
    return found


def _ends_operand(text: str) -> bool:
    if keyword.iskeyword(text):
        return text in ("None", "True", "False")
    return text in _CLOSE or text == "..." or text[0].isalnum() or text[0] in "_\"'."


def _pieces(code: str) -> list[tuple[str, int, int]]:
    """Text, start and stop of each token."""
    found = []
    nested, beginning = 0, 0
    for token in tokenize.generate_tokens(io.StringIO(code).readline):
        start, stop = token.start[1], token.end[1]
        kind = tokenize.tok_name[token.type]
        if kind == "FSTRING_START":  # Python 3.12
            beginning = beginning if nested else start
            nested += 1
        elif kind == "FSTRING_END":
            nested -= 1
            if not nested:
                found.append((code[beginning:stop], beginning, stop))
        elif not nested and token.string.strip():
            found.append((code[start:stop], start, stop))
    return found


def _same_meaning(code: str, lines: list[str]) -> bool:
    """Whether the broken line still reads as the same code."""
    header = " pass" if code.endswith(":") else ""
    first = "@" if code[0] == "@" else re.split(r"\W", code)[0]
    around = _AROUND.get(first, "{}") + header
    try:
        with quiet():
            before = ast.parse(around.format(code))
            after = ast.parse(around.format("\n".join(lines).lstrip(" ")))
    except SyntaxError:
        return False
    return same(before, after)
