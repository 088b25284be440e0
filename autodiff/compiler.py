"""From a function to its derivative: the list of passes."""

from __future__ import annotations

import contextlib
import types
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import Any, Literal

import gast

from autodiff import runtime
from autodiff.analysis.activity import activity, varied
from autodiff.analysis.alias import alias
from autodiff.analysis.arguments import kind_of
from autodiff.analysis.callees import Resolver
from autodiff.analysis.kind import (
    UNKNOWN,
    Array,
    Kind,
    Record,
    Scalar,
    Sequence,
    Static,
    Text,
    differentiable,
    is_complex,
    is_inexact,
    join,
)
from autodiff.analysis.kinds import Kinds, kinds
from autodiff.reverse.recompute import recompute
from autodiff.reverse.recorded import recorded
from autodiff.analysis.scope import Scope
from autodiff.errors import NonDifferentiableError
from autodiff.frontend.source import Namespace
from autodiff.loader import load
from autodiff.normalize.anf import anf
from autodiff.normalize.inline import Inliner
from autodiff.normalize.normal import normal_form
from autodiff.normalize.rebind import rebind, separate, unwrap
from autodiff.normalize.suppress import suppress
from autodiff.normalize.versions import versions
from autodiff.optimize.facts import Facts
from autodiff.optimize.optimize import optimize
from autodiff.optimize.options import Options
from autodiff.recursion import Recursion, generalized
from autodiff.reverse.assemble import Parts, assemble, bare, decorate
from autodiff.reverse.bars import Bar
from autodiff.reverse.containers import whole_names
from autodiff.reverse.helpers import Helpers
from autodiff.reverse.primitives import part_of
from autodiff.reverse.result import gradient
from autodiff.reverse.reverse import Reverse, certain_before, defined_before, definitions
from autodiff.rules import registry
from autodiff.syntax.emit import emit
from autodiff.syntax.names import Names, all_names, name, parameters, writes
from autodiff.syntax.origin import origin_of
from autodiff.syntax.quote import quote, quote_statements

Mode = Literal["grad", "value_and_grad", "vjp"]


@dataclass(frozen=True, slots=True)
class Request:
    """What is to be compiled: the transformation, the inputs, and what kinds they have.

    kinds: one per parameter of the function, in the order of its signature.
    single: the gradient is returned bare, not in a tuple of one.
    """

    mode: Mode
    wrt: tuple[str, ...]
    single: bool
    has_aux: bool
    kinds: tuple[Kind, ...]
    options: Options = Options()


@dataclass(frozen=True, slots=True)
class Compiled:
    """A derivative: the function, its text, the text after each pass, and what must still hold."""

    function: types.FunctionType
    source: str
    stages: tuple[tuple[str, str], ...]
    guards: tuple[Callable[[], bool], ...]


@dataclass(slots=True)
class _Unit:
    """The function on its way through the passes."""

    tree: gast.FunctionDef
    names: Names
    scope: Scope
    given: Mapping[str, Kind]
    inputs: tuple[str, ...]
    temporaries: set[str]
    main: types.CodeType
    recursion: Recursion
    guards: list[tuple[Any, str, Any]] = field(default_factory=list)
    stages: list[tuple[str, gast.FunctionDef]] = field(default_factory=list)

    def keep(self, stage: str) -> None:
        self.stages.append((stage, self.tree))

    def is_module(self, identifier: str) -> bool:
        local = writes(self.tree.body) | set(parameters(self.tree.args))
        return identifier not in local and self.scope.is_module(identifier)


def compile(
    function: types.FunctionType, request: Request, recursion: Recursion | None = None
) -> Compiled:
    """The derivative of `function` for the kinds of arguments in `request`.

    `recursion` is shared with the function being compiled that calls this one.
    """
    registry.load()
    unit = normalize(function, request, recursion)
    known = specialize(unit)
    tree, known = settle(unit, known)
    sweeps = transform(unit, known, request, function)
    optimized = optimize(sweeps, facts(unit, known), request.options)
    unit.tree = decorate(optimized, docstring(function, request))
    unit.keep("optimize")
    emitted = emit(unit.tree)
    namespace: Namespace = unit.scope.namespace
    place = f"{PurePath(function.__code__.co_filename).name}:{function.__code__.co_firstlineno}"
    loaded = load(
        emitted.text, f"{unit.tree.name} {place}", namespace, unit.scope.helpers, emitted.origins
    )
    if recursion is not None:
        recursion.sources.append(emitted.text)
        return Compiled(loaded, emitted.text, _Stages(unit.stages), guards(unit))
    text = "\n\n".join([*unit.recursion.sources, emitted.text])
    return Compiled(loaded, text, _Stages(unit.stages), guards(unit))


def result_kind(function: types.FunctionType, kinds: tuple[Kind, ...], recursion: Recursion) -> Any:
    """The kind that a recursive function returns for kinds of arguments."""
    given = list(parameters(normal_form(function).tree.args))
    differentiated = tuple(p for p, kind in zip(given, kinds) if differentiable(kind))
    request = Request("vjp", differentiated, False, False, kinds)
    unit = normalize(function, request, recursion)
    known = specialize(unit)
    last = unit.tree.body[-1]
    if not isinstance(last, gast.Return) or last.value is None:
        return Static(None)
    found = known.of(last.value)
    if found is not None and function.__code__ in recursion.marked:
        return generalized(found)
    return found


def pair(
    unit: _Unit, function: types.FunctionType, wrt: tuple[str, ...], kinds: list[Kind]
) -> gast.expr:
    """A name for the function that returns value and pullback; compiled on first use."""
    general = tuple(map(generalized, kinds))
    given = list(parameters(normal_form(function).tree.args))
    request_kinds = (*general, *(kind_of(d) for d in _missing(function, given, general)))
    key = ((function.__code__, general), wrt)
    recursion = unit.recursion
    cell = recursion.functions.get(key)
    if cell is None:
        cell = recursion.functions[key] = types.CellType()
        request = Request("vjp", wrt, False, False, request_kinds)
        cell.cell_contents = compile(function, request, recursion).function
    hint = f"{function.__name__}_vjp"
    for identifier, value in unit.scope.helpers.items():
        if value is cell:
            return name(identifier)
    own = unit.names.fresh(hint)
    unit.scope.helpers[own] = cell
    return name(own)


def _missing(function: types.FunctionType, given: list[str], kinds: tuple[Kind, ...]) -> list[Any]:
    """Values of the parameters that a call leaves to their defaults."""
    defaults = normal_form(function).defaults
    return [defaults.get(parameter) for parameter in given[len(kinds) :]]


_INJECTED = ("sequence", "is_sequence", "is_mapping", "Tape")
"""Names that the normal form and the tape may use."""


class _Stages(tuple):  # type: ignore[type-arg]
    """The stages, printed only when someone looks at them."""

    __slots__ = ()

    def __iter__(self) -> Any:
        for stage, tree in tuple.__iter__(self):
            yield stage, emit(tree).text


def normalize(
    function: types.FunctionType, request: Request, recursion: Recursion | None
) -> _Unit:
    """source, fence, desugar, control, anf, versions."""
    form = normal_form(function)
    names = Names(all_names(form.tree))
    given = dict(zip(parameters(form.tree.args), request.kinds))
    inputs = tuple(n for n in request.wrt if differentiable(given.get(n, UNKNOWN)))
    scope = Scope(form.namespace, {n: getattr(runtime, n) for n in _INJECTED})
    if recursion is None:
        recursion = Recursion(lambda f, kinds: result_kind(f, kinds, recursion))
    unit = _Unit(
        tree=form.tree,
        names=names,
        scope=scope,
        given=given,
        inputs=inputs,
        temporaries=set(form.temporaries),
        main=function.__code__,
        recursion=recursion,
    )
    unit.keep("normalize")
    return unit


def specialize(unit: _Unit) -> Kinds:
    """kinds and inline, until no call of a user function carries a derivative any more."""
    chains: dict[int, tuple[Any, ...]] = {}
    while True:
        known = kinds(unit.tree, unit.given, unit.scope, unit.recursion.result)
        depends = varied(unit.tree, known, unit.inputs)
        local = set(known.local)
        marked = set(unit.recursion.marked)
        resolver = Resolver(known, depends, chains, unit.main, unit.recursion.marked)
        resolver.see(unit.tree)
        inliner = Inliner(unit.names, unit.scope, local, resolver.resolve)
        inliner.chains = chains
        body = inliner.block(unit.tree.body)
        settled = not inliner.changed and marked == unit.recursion.marked
        if settled and unit.recursion.asked and not unit.recursion.summarize:
            unit.recursion.summarize = True
            continue
        if settled:
            unit.keep("inline")
            return known
        unit.tree = _with_body(unit.tree, body)
        unit.temporaries |= inliner.temporaries
        unit.guards.extend(inliner.guards)


def settle(unit: _Unit, known: Kinds) -> tuple[gast.FunctionDef, Kinds]:
    """The last normal form: augmented assignments by kind, one version and one meaning per name."""
    aliases = alias(unit.tree, known)

    def rebinds(statement: gast.AugAssign) -> bool:
        kind = known.names.get(statement.target.id, UNKNOWN)
        if isinstance(kind, (Scalar, Text, Static)):
            return True
        if isinstance(kind, Record) and kind.cls is tuple:
            return True
        return not isinstance(kind, (Record, Sequence)) and aliases.grows_alone(statement.target.id)

    def indexable(value: gast.expr) -> gast.expr | None:
        operation = known.operation(value) if isinstance(value, gast.Call) else None
        if operation is None or operation.function is not runtime.sequence:
            return None
        kind = known.known(operation.arguments[0])
        is_list = isinstance(kind, Sequence) or isinstance(kind, Record) and kind.cls is not dict
        return operation.arguments[0] if is_list or isinstance(kind, Array) else None

    unit.tree = suppress(unit.tree, lambda f: known.known(f) == Static(contextlib.suppress))
    unit.tree, changed = rebind(unwrap(unit.tree, indexable), rebinds)
    before = set(unit.names.taken)
    unit.tree, _ = anf(unit.tree, unit.names, unit.is_module)
    unit.tree, versioned = versions(unit.tree, unit.names)
    unit.tree, _ = separate(unit.tree, unit.names)
    made = unit.names.taken - before
    unit.temporaries |= {n for n in made if versioned.get(n, n) not in before - unit.temporaries}
    unit.keep("settle")
    return unit.tree, kinds(unit.tree, unit.given, unit.scope, unit.recursion.result)


def transform(
    unit: _Unit, known: Kinds, request: Request, function: types.FunctionType
) -> gast.FunctionDef:
    """activity, reverse, recorded: the function with both sweeps."""
    last = unit.tree.body[-1]
    returned = last.value if isinstance(last, gast.Return) else None
    result = returned.id if isinstance(returned, gast.Name) else None
    check_result(request, known, returned, last, function)
    aliases = alias(unit.tree, known)
    flow = activity(unit.tree, known, aliases, unit.inputs, result)
    before: dict[int, frozenset[str]] = {}
    certain: dict[int, frozenset[str]] = {}
    own = frozenset(parameters(unit.tree.args))
    defined_before(unit.tree.body, own, before)
    certain_before(unit.tree.body, own, certain)
    helpers = Helpers(unit.scope, unit.names, known.local)
    whole = whole_names(unit.tree, known)
    assigned = writes(unit.tree.body)
    known.stable = tuple(
        p
        for p in parameters(unit.tree.args)
        if p not in assigned and not aliases.is_changed(p)
    )
    reverse = Reverse(
        known, unit.names, helpers, flow.active, whole, before, definitions(unit.tree), aliases
    )
    reverse.certain = certain
    reverse.reentrant = request.mode == "vjp"
    reverse.pair = lambda callee, wrt, own: pair(unit, callee, wrt, own)
    seed = seeded(reverse, request, result, unit)
    opening = list(reverse.bars.out)
    block = reverse.block(unit.tree.body)
    reverse.bars.out = []
    parts = [gradient(reverse, parameter) for parameter in request.wrt]
    closing = [*reverse.bars.out, gast.Return(value=gast.Tuple(elts=parts, ctx=gast.Load()))]
    from autodiff.reverse.items import Step

    made = set(reverse.bars.made)
    block = [Step([], closing), *block, Step([], opening)]
    again = recompute(block, known) if request.options.recompute else set()
    sweeps = recorded(block, known, aliases, made | again, unit.names, parameters(unit.tree.args))
    unit.temporaries |= made | set(reverse.flag_kinds)
    known.names.update(reverse.bars.joined_kinds())
    ending: gast.expr = parts[0] if request.single else gast.Tuple(elts=parts, ctx=gast.Load())
    if request.mode == "vjp":
        ending = gast.Tuple(elts=parts, ctx=gast.Load())
    value = returned if returned is not None else gast.Constant(value=None, kind=None)
    forward = list(sweeps.forward)
    if isinstance(value, gast.Name) and value.id in writes(sweeps.reverse):
        kept = unit.names.fresh("value")
        forward.extend(quote_statements("v = y", v=kept, y=value))
        value = name(kept)
    initial = []
    for identifier in sweeps.initial:
        scalar = isinstance(known.names.get(identifier), Scalar)
        initial.append(
            gast.Assign(
                targets=[name(identifier, gast.Store())],
                value=gast.Constant(value=0.0 if scalar else None, kind=None),
            )
        )
    for parameter in parameters(unit.tree.args):
        if aliases.is_changed(parameter) and not isinstance(known.names.get(parameter), Scalar):
            copied = quote("f(x)", f=reverse.helper("copied"), x=parameter)
            if isinstance(known.names.get(parameter), Array):
                copied = quote("x.copy()", x=parameter)
            initial.append(gast.Assign(targets=[name(parameter, gast.Store())], value=copied))
    reverse_code = sweeps.reverse[:-1]
    suffix = {"grad": "grad", "value_and_grad": "value_and_grad", "vjp": "vjp"}[request.mode]
    unit.tree = assemble(
        Parts(
            name=f"{unit.tree.name}_{suffix}",
            arguments=bare(unit.tree.args),
            docstring="",
            forward=forward,
            reverse=reverse_code,
            tape=sweeps.tape,
            initial=initial,
            value=value if request.mode != "grad" or request.has_aux else None,
            gradient=ending,
            seed=seed,
        )
    )
    if request.mode == "grad" and request.has_aux:
        ending_pair = unit.tree.body[-1].value
        aux = gast.Subscript(
            value=value, slice=gast.Constant(value=1, kind=None), ctx=gast.Load()
        )
        ending_pair.elts = [ending_pair.elts[1], aux]
    unit.keep("reverse")
    return unit.tree


def seeded(reverse: Reverse, request: Request, result: str | None, unit: _Unit) -> str | None:
    """Give the result its adjoint: one, or what the pullback is called with."""
    if request.mode != "vjp":
        if result is not None and result in reverse.active:
            place = (result, (0,) if request.has_aux else ())
            kind = reverse.bars.kind(place)
            one = gast.Constant(value=1.0, kind=None)
            if result in reverse.bars.whole and request.has_aux:
                raise NonDifferentiableError("has_aux needs a function that returns a tuple")
            if not isinstance(kind, Scalar) and not isinstance(kind, Array):
                helper = reverse.helper("scalar_seed")
                variable = reverse.bars.variable(place)
                reverse.bars.assign(
                    variable, quote("f(y)", f=helper, y=reverse.bars.primal(place)), UNKNOWN
                )
                reverse.bars.present[place] = Bar(name(variable), UNKNOWN, False)
            else:
                reverse.bars.present[place] = Bar(one, Scalar("float", None, 1.0), True)
        return None
    seed = unit.names.fresh(f"{result or 'result'}_bar")
    reverse.bars.define(seed, reverse.kinds.names.get(result, UNKNOWN) if result else UNKNOWN)
    if result is not None and result in reverse.active:
        whole = [(result, ())] if result in reverse.bars.whole else reverse.bars.places(result)
        for place in whole:
            node: gast.expr = name(seed)
            kind = reverse.kinds.names.get(result, UNKNOWN)
            for key in place[1]:
                if isinstance(kind, Record) and not kind.indexed:
                    node = gast.Attribute(value=node, attr=str(key), ctx=gast.Load())
                else:
                    node = part_of(node, (key,))
                kind = (kind.get(key) if isinstance(kind, Record) else None) or UNKNOWN
            reverse.bars.present[place] = Bar(node, reverse.bars.kind(place), False)
        if len(whole) == 1 and not whole[0][1]:
            reverse.bars.variables[whole[0]] = seed
    return seed


def check_result(
    request: Request,
    known: Kinds,
    returned: gast.expr | None,
    last: gast.stmt,
    function: types.FunctionType,
) -> None:
    """A gradient needs a function that returns one real number."""
    if request.mode == "vjp":
        return
    kind: Kind = Static(None) if returned is None else known.known(returned)
    where = origin_of(last)
    if request.has_aux:
        if not isinstance(kind, Record) or len(kind.items) != 2:
            raise NonDifferentiableError(
                f"`{function.__name__}` does not return a pair (value, aux)",
                where,
                why="has_aux=True says that it does",
                cure="return a tuple of the scalar and whatever else is wanted",
            )
        kind = kind.items[0]
    what = None
    if isinstance(kind, Scalar) and kind.type in ("int", "bool") and not kind.value:
        what = f"returns a value of type {kind.type}"
    elif is_complex(kind):
        what = "returns a complex number"
    elif isinstance(kind, Array) and kind.shape:
        what = f"returns an array of {len(kind.shape)} dimension(s)"
    elif isinstance(kind, Record):
        what = f"returns a {kind.cls.__name__}"
    elif isinstance(kind, (Static, Text)):
        what = "returns None" if isinstance(kind, Static) and kind.value is None else "returns text"
    if what is not None:
        raise NonDifferentiableError(
            f"`{function.__name__}` {what}; a gradient needs a real scalar",
            where,
            why="the gradient is the derivative of one real number",
            cure="return a float (np.sum, .item(), abs ...), or use jacobian or vjp; with "
            "has_aux=True a pair (value, aux) is allowed",
        )


def facts(unit: _Unit, known: Kinds) -> Facts:
    """What the optimisations are told."""

    def pure(call: gast.Call) -> bool:
        if any(keyword.arg == "out" for keyword in call.keywords):
            return False
        operation = known.operation(call)
        if operation is not None:
            function = operation.function
            return operation.pure or function in _PURE
        return False

    def scalar(node: gast.expr) -> bool:
        return isinstance(known.of(node), Scalar)

    def inexact(node: gast.expr) -> bool:
        kind = known.known(node)
        return isinstance(kind, Scalar) and is_inexact(kind)

    return Facts(frozenset(unit.temporaries), pure, scalar, inexact)


_PURE = frozenset(
    getattr(runtime, identifier)
    for identifier in runtime.__all__
    if identifier not in ("Tape", "add_at")
) | {reversed, range, len, list, tuple, slice, type, isinstance}


def guards(unit: _Unit) -> tuple[Callable[[], bool], ...]:
    """Checks that what was resolved while compiling still holds."""
    found: list[Callable[[], bool]] = []
    seen: set[tuple[int, str]] = set()
    namespace = unit.scope.namespace
    resolved = [(namespace, n, v) for n, v in unit.scope.found.items()] + unit.guards
    for space, identifier, value in resolved:
        if (id(space), identifier) in seen or isinstance(value, types.ModuleType):
            continue
        seen.add((id(space), identifier))
        if identifier not in space.cells and identifier not in space.globals:
            continue
        found.append(_guard(space, identifier, value))
    return tuple(found)


def _guard(space: Namespace, identifier: str, value: Any) -> Callable[[], bool]:
    if callable(value) and isinstance(kind_of(value), Static):
        scope = space.globals
        if identifier in space.cells:
            cell = space.cells[identifier]
            return lambda: cell.cell_contents is value
        return lambda: scope.get(identifier) is value
    expected = kind_of(value)
    if isinstance(expected, Scalar):
        cls = type(value)
        return lambda: type(space.lookup(identifier)) is cls
    return lambda: kind_of(space.lookup(identifier)) == expected


def docstring(function: types.FunctionType, request: Request) -> str:
    """What the generated function says of itself."""
    code = function.__code__
    title = {"grad": "Gradient", "value_and_grad": "Value and gradient", "vjp": "Value and pullback"}
    place = f"{PurePath(code.co_filename).name}:{code.co_firstlineno}"
    inputs = ", ".join(request.wrt)
    return f"{title[request.mode]} of {function.__name__} ({place}) with respect to {inputs}."


def _with_body(tree: gast.FunctionDef, body: list[gast.stmt]) -> gast.FunctionDef:
    from autodiff.syntax.walk import map_children

    new = map_children(lambda child: child, tree)
    new.body = body
    return new


__all__ = ["Compiled", "Options", "Request", "compile", "join"]
