"""Finding the definition in a file that a code object was compiled from.

A line number is not enough: a line may hold several lambdas, and the file may have been edited
since. So a candidate is compiled again, and its code compared with the code that runs.
"""

from __future__ import annotations
import __future__

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from dis import get_instructions
from types import CodeType
from typing import Any

from autodiff.frontend.text import Text
from autodiff.syntax.quiet import quiet

_FEATURES = 0
for _feature in __future__.all_feature_names:
    _FEATURES |= getattr(__future__, _feature).compiler_flag

_HOOKS = ("@py", "__beartype", "TypeCheckMemo")  # pytest, beartype, typeguard

AnyFunction = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


@dataclass(frozen=True, slots=True)
class Definition:
    """A definition, the class around it (whose private names it mangles), and the file's lines."""

    node: AnyFunction
    owner: str | None
    lines: list[str]


def select(text: Text, code: CodeType) -> Definition | None:
    """The definition that `code` was compiled from, or None if the text has no such definition."""
    exact: list[Definition] = []
    similar: list[Definition] = []
    for node, owner in _candidates(text.tree, code.co_firstlineno, None):
        if code.co_name != getattr(node, "name", "<lambda>"):
            continue
        again = _compile(node, owner, code, text.prelude)
        if again is None:
            continue
        if _same(again, code):
            exact.append(Definition(node, owner, text.lines))
        elif _extended(again, code) or list(_steps(again)) == list(_steps(code)):
            similar.append(Definition(node, owner, text.lines))
    found = exact or similar
    return found[0] if len(found) < 2 and found else _by_column(found, code)


def _candidates(
    node: ast.AST, line: int, owner: str | None
) -> Iterator[tuple[AnyFunction, str | None]]:
    """The functions that begin at a line, each with the class around it."""
    for child in ast.iter_child_nodes(node):
        first = getattr(child, "lineno", None)
        decorators = getattr(child, "decorator_list", None)
        if decorators:
            first = decorators[0].lineno
        if first is not None and not first <= line <= child.end_lineno:  # type: ignore[attr-defined]
            continue
        if first == line and isinstance(child, AnyFunction):
            yield child, owner
        yield from _candidates(
            child, line, child.name if isinstance(child, ast.ClassDef) else owner
        )


def _by_column(found: list[Definition], code: CodeType) -> Definition | None:
    """Of several functions with the same code, the one at the place that the code remembers."""
    if found and hasattr(code, "co_positions"):  # Python 3.11
        starts = {
            (line, column)
            for line, _, column, _ in code.co_positions()
            if line is not None and column
        }
        for definition in found:
            body = definition.node.body
            first = body[0] if isinstance(body, list) else body
            if any(
                (node.lineno, node.col_offset) in starts
                for node in ast.walk(first)
                if isinstance(node, ast.expr)
            ):
                return definition
    return found[0] if found else None


def _compile(
    node: AnyFunction, owner: str | None, code: CodeType, prelude: tuple[ast.stmt, ...]
) -> CodeType | None:
    """The code of a definition, compiled in surroundings like those it has in the file."""
    arguments = ast.arguments(
        posonlyargs=_bare(node.args.posonlyargs),
        args=_bare(node.args.args),
        vararg=node.args.vararg and ast.arg(node.args.vararg.arg),
        kwonlyargs=_bare(node.args.kwonlyargs),
        kw_defaults=[None] * len(node.args.kwonlyargs),
        kwarg=node.args.kwarg and ast.arg(node.args.kwarg.arg),
        defaults=[],
    )
    statement: ast.stmt
    if isinstance(node, ast.Lambda):
        statement = ast.Expr(ast.Lambda(arguments, node.body))
    else:  # the name is one that the body cannot mean
        statement = _define("<definition>", arguments, node.body, type(node))
    around = [statement]
    if owner is not None:
        around = [_untyped(ast.ClassDef(owner, [], [], around, []))]
        if owner not in code.co_freevars:  # the class is a global, also in the surroundings
            around.insert(0, ast.Global([owner]))
    if code.co_freevars:
        cells = ast.arguments(
            posonlyargs=[],
            args=[ast.arg(name) for name in code.co_freevars],
            kwonlyargs=[],
            kw_defaults=[],
            defaults=[],
        )
        around = [_define("<surroundings>", cells, around)]
    module = ast.Module([*prelude, *around], [])
    _locate(module, node)
    try:
        flags = code.co_flags & _FEATURES
        with quiet():
            made: CodeType = compile(module, code.co_filename, "exec", flags, dont_inherit=True)
    except (SyntaxError, ValueError):
        return None
    for _ in range((owner is not None) + bool(code.co_freevars) + 1):
        made = next(constant for constant in made.co_consts if isinstance(constant, CodeType))
    return made


def _define(
    name: str, arguments: ast.arguments, body: list[ast.stmt], kind: Any = ast.FunctionDef
) -> ast.stmt:
    made: ast.stmt = kind(name=name, args=arguments, body=body, decorator_list=[], returns=None)
    return _untyped(made)


def _untyped(definition: ast.stmt) -> ast.stmt:
    """A definition without type parameters, which Python 3.12 introduced."""
    if hasattr(ast, "type_param"):
        definition.type_params = []  # type: ignore[attr-defined]
    return definition


def _bare(arguments: list[ast.arg]) -> list[ast.arg]:
    return [ast.arg(argument.arg) for argument in arguments]


def _locate(node: ast.AST, like: AnyFunction) -> None:
    """Give places to the nodes made here, and stop at those of the file."""
    if hasattr(node, "lineno"):
        return
    if node._attributes:
        ast.copy_location(node, like)
    for child in ast.iter_child_nodes(node):
        _locate(child, like)


def _same(one: CodeType, other: CodeType) -> bool:
    return (
        one.co_code == other.co_code
        and one.co_names == other.co_names
        and one.co_varnames == other.co_varnames
        and _same_constants(one, other)
    )


def _same_constants(one: CodeType, other: CodeType) -> bool:
    pairs = list(zip(one.co_consts, other.co_consts))
    return len(one.co_consts) == len(other.co_consts) and all(
        _same(a, b)
        if isinstance(a, CodeType) and isinstance(b, CodeType)
        else type(a) is type(b) and (repr(a) == repr(b) or _prints_freely(a, b))
        for a, b in pairs
    )


def _prints_freely(one: object, other: object) -> bool:
    """A set prints in any order; Python 3.10 keeps the names of inner functions as constants."""
    if isinstance(one, frozenset):
        return one == other
    return isinstance(one, str) and "<locals>" in one


def _steps(code: CodeType) -> Iterator[tuple[str, str]]:
    """What a code object loads, stores and computes, in order.

    Releases of one Python version may compile the same text with other jumps, and `.pyc` files
    outlive them.
    """
    for instruction in get_instructions(code):
        kind = instruction.opname.split("_")[0]
        shown = instruction.argrepr.removeprefix("NULL + ").removesuffix(" + NULL|self")
        if isinstance(instruction.argval, CodeType):
            yield from _steps(instruction.argval)
        elif kind in ("LOAD", "STORE", "DELETE"):
            yield kind, shown
        elif kind in ("BINARY", "INPLACE", "COMPARE", "UNARY", "IS", "CONTAINS"):
            yield instruction.opname, shown


def _extended(one: CodeType, other: CodeType) -> bool:
    """Whether `other` is `one` with checks added by an import hook.

    pytest rewrites assertions, typeguard and beartype insert checks of types. They leave names that
    nobody writes, and take nothing away.
    """
    before, after = _facts(one), _facts(other)
    added = [fact for fact in after - before if isinstance(fact, str)]
    return before < after and any(name.startswith(_HOOKS) for name in added)


def _facts(code: CodeType) -> set[object]:
    facts: set[object] = {*code.co_names, *code.co_varnames}
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            facts |= _facts(constant)
        elif isinstance(constant, (int, float, complex)):
            facts.add((type(constant), repr(constant)))
    return facts
