"""Functions that call themselves: the kind of their result, and their two halves."""

from __future__ import annotations

import types
from collections.abc import Callable, Sequence
from typing import Any

import gast

from autodiff.analysis.arguments import kind_of
from autodiff.analysis.entered import entering
from autodiff.analysis.kind import Kind, Static, differentiable
from autodiff.normalize.normal import normal_form
from autodiff.pipeline.guards import guards
from autodiff.pipeline.normalize import normalize
from autodiff.pipeline.request import Mode, Request
from autodiff.pipeline.specialize import specialize
from autodiff.pipeline.unit import Unit
from autodiff.recursion import Recursion, alike, alike_and_sizes, generalized
from autodiff.syntax.names import name, parameters, title_of

Compile = Callable[[types.FunctionType, Request, Recursion], types.FunctionType]


def recursion(titles: set[str] | None = None, whole: bool = False) -> Recursion:
    """What a compilation that begins knows of recursive functions: nothing yet.

    titles: those of the compilation that this one is a part of, which shares them.
    whole: whether all is inlined that can be.
    """
    found = Recursion(lambda function, kinds: result_kind(function, kinds, found), whole=whole)
    found.titles = set() if titles is None else titles
    return found


def result_kind(function: types.FunctionType, kinds: tuple[Kind, ...], recursion: Recursion) -> Any:
    """The kind that a recursive function returns for kinds of arguments."""
    given = list(parameters(normal_form(function).tree.args))
    differentiated = tuple(p for p, kind in zip(given, kinds) if differentiable(kind))
    complete = (*kinds, *(kind_of(d) for d in _missing(function, given, kinds)))
    request = Request("vjp", differentiated, False, False, complete)
    with entering(recursion.entries.get(function.__code__)):
        unit = normalize(function, request, recursion)
        known = specialize(unit)
    if function.__code__ not in recursion.marked:  # else its halves are guarded
        recursion.guards.extend(guards(unit))
    last = unit.tree.body[-1]
    if not isinstance(last, gast.Return) or last.value is None:
        return Static(None)
    found = known.of(last.value)
    if found is not None and function.__code__ in recursion.marked - recursion.divided:
        return generalized(found, result=True)
    return found


def pair(
    unit: Unit,
    compiled: Compile,
    function: types.FunctionType,
    wrt: tuple[str, ...],
    kinds: Sequence[Kind | None],
    mode: Mode = "vjp",
    exactly: bool = False,
) -> gast.expr:
    """A name for the function that returns value and pullback, tangent or adjoints; compiled once.

    It is compiled for all calls of a recursion, or `exactly` for these kinds, as what is called
    from several places is. They are those of the first parameters, in their order: None where one
    is left to its default.
    """
    given = list(parameters(normal_form(function).tree.args))
    defaults = normal_form(function).defaults
    known = [kind or kind_of(defaults.get(p)) for p, kind in zip(given, kinds)]
    if function.__code__ in unit.recursion.divided:
        general = tuple(alike_and_sizes(known)[0])
    else:
        general = tuple(alike(known) if exactly else map(generalized, known))
    request_kinds = (*general, *(kind_of(d) for d in _missing(function, given, general)))
    key = ((function.__code__, general), wrt)
    recursion = unit.recursion
    if key not in recursion.functions:
        cell = types.CellType()
        title = _title(f"{title_of(function)}_{mode}", recursion.titles)
        recursion.functions[key] = cell, title
        again = mode == "adjoints"
        request = Request(mode, wrt, False, False, request_kinds, composed=again, title=title)
        cell.cell_contents = compiled(function, request, recursion)
        if function.__code__ in recursion.divided:
            recursion.functions[key] = _shared(recursion, cell, title)
    cell, title = recursion.functions[key]
    for identifier, value in unit.scope.helpers.items():
        if value is cell:
            return name(identifier)
    own = unit.names.fresh(title)
    unit.scope.helpers[own] = cell
    return name(own)


def _shared(recursion: Recursion, cell: types.CellType, title: str) -> tuple[types.CellType, str]:
    """The function that was compiled, or the one for other kinds whose text came out the same."""
    made = cell.cell_contents
    text = recursion.sources[-1].replace(f"def {title}(", "def (", 1)
    code, cells = made.__code__, made.__closure__ or ()
    meant = tuple((own, id(_content(c))) for own, c in zip(code.co_freevars, cells))
    found = recursion.texts.setdefault((text, id(made.__globals__), meant), (cell, title))
    if found[0] is not cell:
        recursion.sources.pop()
        recursion.titles.discard(title)
    return found


def _content(cell: types.CellType) -> object:
    try:
        return cell.cell_contents
    except ValueError:  # a function that is still being compiled
        return cell


def _title(hint: str, taken: set[str]) -> str:
    """A name for a function that no other function of the text has."""
    title, count = hint, 1
    while title in taken:
        count += 1
        title = f"{hint}_{count}"
    taken.add(title)
    return title


def _missing(function: types.FunctionType, given: list[str], kinds: tuple[Kind, ...]) -> list[Any]:
    """Values of the parameters that a call leaves to their defaults."""
    defaults = normal_form(function).defaults
    return [defaults.get(parameter) for parameter in given[len(kinds) :]]
