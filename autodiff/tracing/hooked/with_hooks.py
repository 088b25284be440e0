"""A function whose every operation goes through a hook, so that a run of it is seen.

    t += obj.rate * x[i]

    t = hooks.inplace("add", t, hooks.binary("mul", hooks.getattr(obj, "rate"),
                                             hooks.getitem(x, i)))

Lines, names, globals and closure cells are those of the user's function, so its errors are, too.
"""

from __future__ import annotations
import __future__

import ast
import copy
from collections.abc import Callable, Iterator
from types import CellType, CodeType, FunctionType
from typing import Any

from autodiff.core import NotYet
from autodiff.frontend.source import definition_in_text
from autodiff.syntax.quiet import quiet
from autodiff.tracing.hooked.hooked_expressions import HOOKS
from autodiff.tracing.hooked.hooked_statements import Hooked


class Rewritten:
    """The code of a rewritten function, and the variables around it that it assigns."""

    __slots__ = ("code", "global_names")

    def __init__(self, code: CodeType, global_names: frozenset[str]) -> None:
        self.code, self.global_names = code, global_names


_KNOWN: dict[CodeType, Rewritten] = {}
_ORIGINALS: dict[CodeType, CodeType] = {}
OWN: set[CodeType] = set()
"""The code of all that is rewritten, functions inside of functions with it."""


def rewritten(function: FunctionType, hooks: Any) -> tuple[FunctionType, Rewritten]:
    """The function with hooks, over the same globals, cells and defaults.

    Raises SourceNotFoundError where there is no text of it, NotYet for what has no hook.
    """
    code = function.__code__
    known = _KNOWN.get(code)
    if known is None:
        known = _KNOWN[code] = _rewrite(function)
        _own(known.code)
        _pair(code, known.code)
    cells = dict(zip(code.co_freevars, function.__closure__ or ()))
    cells[HOOKS] = CellType(hooks)
    closure = tuple(cells[name] for name in known.code.co_freevars)
    made = FunctionType(
        known.code, function.__globals__, function.__name__, function.__defaults__, closure
    )
    made.__kwdefaults__ = function.__kwdefaults__
    made.__qualname__ = function.__qualname__
    return made, known


def without_hooks(function: FunctionType) -> FunctionType | None:
    """The user's own function for one with hooks; None where nobody knows which that is."""
    hooked = function.__code__
    if hooked not in OWN:
        return function
    code = _ORIGINALS.get(hooked)
    cells = dict(zip(hooked.co_freevars, function.__closure__ or ()))
    if code is None or not cells.keys() >= {*code.co_freevars}:
        return None
    closure = tuple(cells[name] for name in code.co_freevars)
    made = FunctionType(
        code, function.__globals__, function.__name__, function.__defaults__, closure
    )
    made.__kwdefaults__ = function.__kwdefaults__
    made.__qualname__ = function.__qualname__
    return made


def _pair(original: CodeType, hooked: CodeType) -> None:
    """Notes which code with hooks is made of which: functions alike come in the same order."""
    _ORIGINALS[hooked] = original
    theirs = [part for part in original.co_consts if isinstance(part, CodeType)]
    ours = [*_inside(hooked, {*map(_form, theirs)})]
    for form in map(_form, theirs):
        pair = [[own for own in each if _form(own) == form] for each in (theirs, ours)]
        if len(pair[0]) == len(pair[1]):
            for own, made in zip(*pair):
                _pair(own, made)


def _inside(code: CodeType, forms: set[Any]) -> Iterator[CodeType]:
    """The functions of some forms in some code, also within others that hooks need."""
    for part in code.co_consts:
        if isinstance(part, CodeType):
            if _form(part) in forms:
                yield part
            else:
                yield from _inside(part, forms)


def _form(code: CodeType) -> Any:
    count = code.co_argcount + code.co_kwonlyargcount
    return code.co_name, code.co_firstlineno, count, code.co_varnames[:count]


def _own(code: CodeType) -> None:
    OWN.add(code)
    for part in code.co_consts:
        if isinstance(part, CodeType):
            _own(part)


def _rewrite(function: FunctionType) -> Rewritten:
    code = function.__code__
    found = definition_in_text(function)
    node: Any = copy.deepcopy(found.node)
    if isinstance(node, ast.AsyncFunctionDef):
        raise NotYet("a coroutine")
    if isinstance(node, ast.Lambda):
        body = ast.copy_location(ast.Return(node.body), node.body)
        name = "function"
        made = ast.FunctionDef(name, node.args, [body], [], None, None)
        node = ast.copy_location(made, node)
    node.decorator_list, node.returns = [], None
    arguments = node.args
    nothing: Callable[[], ast.expr] = lambda: ast.Constant(None)  # noqa: E731
    arguments.defaults = [nothing() for _ in arguments.defaults]
    arguments.kw_defaults = [own and nothing() for own in arguments.kw_defaults]
    for own in ast.walk(arguments):
        if isinstance(own, ast.arg):
            own.annotation = None
    sets = {_key(own): own for own in _frozen(code)}
    for own in ast.walk(node):
        if isinstance(own, (ast.For, ast.comprehension)) and isinstance(own.iter, ast.Set):
            own.iter = _constant(own.iter, sets)
    node.name = "__autodiff_function__"  # a name within is that around
    work = Hooked(found.owner)
    work.first.append(work._first(arguments))
    node.body = work.block(node.body)
    around = [*code.co_freevars, HOOKS]
    given = ast.arguments(
        posonlyargs=[], args=[ast.arg(name) for name in around], kwonlyargs=[], kw_defaults=[],
        defaults=[],
    )  # fmt: skip
    outer: Any = ast.FunctionDef("outer", given, [node], [], None, None)
    for each in (node, outer):
        each.type_params = []
    tree = ast.Module([outer], [])
    ast.fix_missing_locations(tree)
    with quiet():
        whole = compile(tree, code.co_filename, "exec", flags=_features(code), dont_inherit=True)
    inside = next(part for part in whole.co_consts if isinstance(part, CodeType))
    own_code = next(
        part
        for part in inside.co_consts
        if isinstance(part, CodeType) and part.co_name == node.name
    )
    own_code = _with(own_code.replace(co_name=code.co_name), sets)
    return Rewritten(own_code, frozenset(work.global_names))


def _frozen(code: CodeType) -> Iterator[frozenset[Any]]:
    """The sets that are constants of some code. How they are ordered tells no text: one that comes
    from a file of bytecode was put together there.
    """
    for part in code.co_consts:
        if isinstance(part, frozenset):
            yield part
        elif isinstance(part, CodeType):
            yield from _frozen(part)


def _key(items: Any) -> Any:
    return frozenset((type(own), own) for own in items)


def _constant(node: ast.Set, sets: dict[Any, frozenset[Any]]) -> ast.expr:
    """A set that is only gone over, as the constant that Python makes of it."""
    found: Any
    try:
        found = sets.get(_key(ast.literal_eval(node)))
    except (ValueError, TypeError):
        return node
    return node if found is None else ast.copy_location(ast.Constant(found), node)


def _with(code: CodeType, sets: dict[Any, frozenset[Any]]) -> CodeType:
    """The code with these sets for constants."""
    made: list[Any] = []
    for part in code.co_consts:
        if isinstance(part, frozenset):
            part = sets.get(_key(part), part)
        made.append(_with(part, sets) if isinstance(part, CodeType) else part)
    return code.replace(co_consts=tuple(made))


def _features(code: CodeType) -> int:
    features = (getattr(__future__, name) for name in __future__.all_feature_names)
    return sum(own.compiler_flag for own in features if code.co_flags & own.compiler_flag)
