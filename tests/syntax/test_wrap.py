"""`wrap`: long lines are broken where a formatter would break them."""

from __future__ import annotations

import ast
import string

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autodiff.syntax.wrap import WIDTH, wrap

A, B, C = "a" * 40, "b" * 40, "c" * 40

CASES = {
    "arguments on a line of their own": (
        f"result = unbroadcast({A} * {B}, like=x)",
        ["result = unbroadcast(", f"    {A} * {B}, like=x", ")"],
    ),
    "arguments on lines of their own": (
        f"f({A}, {B}, k={C}, *args)",
        ["f(", f"    {A},", f"    {B},", f"    k={C},", "    *args,", ")"],
    ),
    "operators": (
        f"    y = {A} * x + {B} - {C}",
        ["    y = (", f"        {A} * x", f"        + {B}", f"        - {C}", "    )"],
    ),
    "tighter operators only if needed": (
        f"y = {A} * {B} * {C} + 1",
        ["y = (", f"    {A}", f"    * {B}", f"    * {C}", "    + 1", ")"],
    ),
    "returned tuple": (
        f"return {A}, {B}, {C}",
        ["return (", f"    {A},", f"    {B},", f"    {C},", ")"],
    ),
    "condition": (
        f"while {A} and {B} or not {C}:",
        ["while (", f"    {A} and {B}", f"    or not {C}", "):"],
    ),
    "comparison": (
        f"if {A} + {B} not in {C}:",
        ["if (", f"    {A} + {B}", f"    not in {C}", "):"],
    ),
    "choice": (
        f"y = {A} if {B} else {C}",
        ["y = (", f"    {A}", f"    if {B}", f"    else {C}", ")"],
    ),
    "comprehension": (
        f"y = [{A} for k, j in {B} if {C}]",
        ["y = [", f"    {A}", f"    for k, j in {B}", f"    if {C}", "]"],
    ),
    "generator": (
        f"y = sum({A} for k, j in {B} if {C})",
        ["y = sum(", f"    {A}", f"    for k, j in {B}", f"    if {C}", ")"],
    ),
    "dictionary": (
        f'y = {{"a": {A}, "b": {B}, **{C}}}',
        ["y = {", f'    "a": {A},', f'    "b": {B},', f"    **{C},", "}"],
    ),
    "subscript": (f"y = {A}[{B}, {C}]", [f"y = {A}[", f"    {B}, {C}", "]"]),
    "subscript without a comma": (f"y = {A}{B}[{C}]", [f"y = {A}{B}[", f"    {C}", "]"]),
    "targets": (
        f"{A}, {B}, {C} = tape.pop()",
        ["(", f"    {A},", f"    {B},", f"    {C},", ") = tape.pop()"],
    ),
    "subscripted target": (
        f"x[{A}, {B}, {C}] += y",
        ["x[", f"    {A},", f"    {B},", f"    {C},", "] += y"],
    ),
    "definition": (
        f"def f({A}, /, {B}: int = 1, *, {C}) -> int:",
        ["def f(", f"    {A},", "    /,", f"    {B}: int = 1,", "    *,", f"    {C},", ") -> int:"],
    ),
    "loop": (
        f"for k in reversed(range({A} + {B} + {C})):",
        [
            "for k in reversed(",
            "    range(",
            f"        {A}",
            f"        + {B}",
            f"        + {C}",
            "    )",
            "):",
        ],
    ),
    "lambda": (
        f"y = f(lambda a, b: {A}, {B}, {C})",
        ["y = f(", f"    lambda a, b: {A},", f"    {B},", f"    {C},", ")"],
    ),
    "assertion": (f"assert f({A}, {B}), {C}", ["assert f(", f"    {A}, {B}", f"), {C}"]),
    "decorator": (f"@d({A}, {B}, {C})", ["@d(", f"    {A},", f"    {B},", f"    {C},", ")"]),
    "handler": (
        f"except ({A}, {B}, {C}) as e:",
        ["except (", f"    {A},", f"    {B},", f"    {C},", ") as e:"],
    ),
    "import": (
        f"from a import {A}, {B}, {C}",
        ["from a import (", f"    {A},", f"    {B},", f"    {C},", ")"],
    ),
    "text in parentheses": (
        f'value_of_text = "{A}{B}{C[:-31]}"',
        ["value_of_text = (", f'    "{A}{B}{C[:-31]}"', ")"],
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_breaks(name: str) -> None:
    line, expected = CASES[name]
    assert wrap(line) == expected


@pytest.mark.parametrize(
    "line",
    [
        "y = x",
        f'y = "{A}{B}{C}"',
        f'"{A}{B}{C}"',
        f"import {A}, {B}, {C}",
        f"from {A}{B}{C} import *",
        f"{A}{B}{C}",
        f"global {A}, {B}, {C}",
        f'y = f"{A}{{x + 1}}{B} {C}"',
    ],
)
def test_what_fits_or_cannot_be_broken_is_left(line: str) -> None:
    assert wrap(line) == [line]


def test_what_is_not_code_is_left() -> None:
    line = f"    ) {A} {B} {C}"
    assert wrap(line) == [line]
    assert wrap("one\ntwo") == ["one", "two"]


NAMES = st.sampled_from([letter * 12 for letter in string.ascii_lowercase[:6]] + ["x", "k"])
OPERATORS = st.sampled_from(
    ["+", "-", "*", "/", "@", "**", "and", "or", "<", "not in", "is not", "|", "^", "&", "<<", "%"]
)


def combine(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    several = st.lists(inner, min_size=1, max_size=4)
    return st.one_of(
        st.builds("({} {} {})".format, inner, OPERATORS, inner),
        st.builds("({} if {} else {})".format, inner, inner, inner),
        st.builds("(-{})".format, inner),
        st.builds("(not {})".format, inner),
        st.builds("(lambda a, b: {})".format, inner),
        st.builds("[{} for k in {} if {}]".format, inner, inner, inner),
        st.builds('f"{{x + 1}} {{{}}}"'.format, NAMES),
        st.builds(lambda f, xs: f"{f}({', '.join(xs)})", NAMES, several),
        st.builds(lambda f, x, y: f"{f}({x}, key={y}, *{f})", NAMES, inner, inner),
        st.builds(lambda f, xs: f"{f}[{', '.join(xs)}]", NAMES, several),
        st.builds(lambda f, x, y: f"{f}[{x} : {y}]", NAMES, inner, inner),
        st.builds(lambda xs: f"({', '.join(xs)},)", several),
        st.builds(lambda xs, y: f"{{{', '.join(f'{x}: {y}' for x in xs)}}}", several, inner),
    )


@settings(max_examples=60)
@given(st.recursive(NAMES, combine, max_leaves=12), st.sampled_from(["y = {}", "return {}", "{}"]))
def test_the_meaning_stays(value: str, form: str) -> None:
    line = ast.unparse(ast.parse(form.format(value)))
    lines = wrap(line)
    assert ast.dump(ast.parse("\n".join(lines))) == ast.dump(ast.parse(line))
    assert all(len(part) <= WIDTH for part in lines)
    assert len(lines) > 1 or len(line) <= WIDTH
