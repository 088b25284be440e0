"""Both sweeps of the function."""

from __future__ import annotations

import types
from collections.abc import Callable
from functools import partial

import gast

from autodiff.analysis.activity import activity
from autodiff.analysis.alias import Aliases, alias
from autodiff.analysis.complexity import complexity
from autodiff.analysis.conflicts import Conflict, conflicts
from autodiff.analysis.kind import UNKNOWN, Array, Kind, Record, Scalar
from autodiff.analysis.kinds import kinds
from autodiff.analysis.known import Kinds
from autodiff.analysis.mirrored import Mirrored, mirrored
from autodiff.analysis.shifts import shifts
from autodiff.pipeline.apart import apart
from autodiff.pipeline.beginnings import beginnings, depends_on_layout
from autodiff.pipeline.kept_attributes import kept_attributes
from autodiff.pipeline.lifting import lifted
from autodiff.pipeline.marks import unmarked
from autodiff.pipeline.mirroring import mirroring
from autodiff.pipeline.outlining import outlined
from autodiff.pipeline.request import Request
from autodiff.pipeline.returned import check_result
from autodiff.pipeline.seed import seeded
from autodiff.pipeline.stepped import Compile, stepped
from autodiff.pipeline.unit import Unit
from autodiff.reverse import mirrors, shadows
from autodiff.reverse.assemble import Parts, assemble, bare
from autodiff.reverse.contents import contents
from autodiff.reverse.definitions import certain_before, defined_before, definitions
from autodiff.reverse.helpers import Helpers
from autodiff.reverse.items import Step
from autodiff.reverse.named_sizes import named_sizes
from autodiff.reverse.overwriting import Overwriting
from autodiff.reverse.parts import part_of
from autodiff.reverse.recompute import recompute
from autodiff.reverse.recorded import recorded
from autodiff.reverse.result import gradient
from autodiff.reverse.reverse import Reverse
from autodiff.reverse.steady import steady
from autodiff.reverse.wholes import whole_names
from autodiff.runtime import distinct
from autodiff.syntax.content import content_reads
from autodiff.syntax.names import name, parameters, reads, substitute, writes
from autodiff.syntax.quote import quote_statements

Pair = Callable[..., gast.expr]
"""Names the function that returns value and pullback of a recursive function, or its adjoints."""


def transform(
    unit: Unit,
    known: Kinds,
    request: Request,
    function: types.FunctionType,
    pair: Pair,
    compiled: Compile,
) -> gast.FunctionDef:
    """activity, reverse, recorded: the function with both sweeps."""
    last = unit.tree.body[-1]
    returned = last.value if isinstance(last, gast.Return) else None
    check_result(request, known, returned, last, function)
    unit.is_scalar = returned is not None and isinstance(known.known(returned), Scalar)
    lifted(unit, known)
    known = kept_attributes(unit, known)
    if request.composed:
        unit.unmarked = unmarked(unit, known)
        known = apart(unit, known)
    last, result, known, active, aliases, found = settled(unit, known, request.options.shifts)
    if outlined(unit, known, active, aliases, request):
        last, result, known, active, aliases, found = settled(unit, known, request.options.shifts)
    returned = last.value if isinstance(last, gast.Return) else None
    reverse = reversal(unit, known, aliases, active, found)
    aliases = reverse.aliases
    reverse.reentrant = request.pulled and not request.seeded
    reverse.pair, reverse.composed = pair, request.composed
    reverse.bars.composed = request.composed
    reverse.stepped = None if request.backend is None else partial(stepped, unit, request, compiled)
    reverse.bars.complex = unit.complex or complexity(unit.tree, known, unit.given.values())
    seed = seeded(reverse, request, result, unit)
    opening = list(reverse.bars.out)
    block = reverse.block(unit.tree.body)
    unit.rebound = reverse.rebound
    reverse.bars.out = []
    parts = [gradient(reverse, parameter) for parameter in request.wrt]
    closing = [*reverse.bars.out, gast.Return(value=gast.Tuple(elts=parts, ctx=gast.Load()))]
    made = set(reverse.bars.made)
    shadow = shadows.parameters_of(reverse, parameters(unit.tree.args))
    shadow += mirrors.parameters_of(reverse, parameters(unit.tree.args))
    block = [Step(shadow, closing), *block, Step([], opening)]
    given = parameters(unit.tree.args)
    lasting = steady(unit.tree.body, given, known, aliases) if request.options.recompute else set()
    named_sizes(block, unit.tree.body, known, lasting, unit.temporaries)
    bars = reverse.bars
    beside = {*reverse.slots.values(), *bars.shadows.values(), *bars.mirrors.values()}
    overwriting = Overwriting(block, unit.tree, known, aliases)
    again: set[str] = set()
    if request.options.recompute:
        native = request.backend is not None
        mine = made | beside
        again = recompute(block, known, aliases, lasting, mine, overwriting, native)
    kept = contents(
        block, overwriting, known, aliases, unit.names, made | again | beside, reverse.helper
    )
    unit.temporaries |= set(kept.names)
    sweeps = recorded(
        block, known, aliases, made | again, unit.names, given, lasting, reverse.helper, unit.tree,
        unit.unsettled,
    )  # fmt: skip
    unit.temporaries |= made | set(reverse.flag_kinds) | sweeps.starts.keys()
    known.names.update(reverse.bars.joined_kinds())
    ending: gast.expr = parts[0] if request.single else gast.Tuple(elts=parts, ctx=gast.Load())
    if request.pulled:
        ending = gast.Tuple(elts=parts, ctx=gast.Load())
    value = returned if returned is not None else gast.Constant(value=None, kind=None)
    with_value = request.mode not in ("grad", "adjoints") or request.has_aux
    forward = list(sweeps.forward)
    if with_value and isinstance(value, gast.Name):
        changes = aliases.is_changed(value.id) and (kept.restored or request.pulled)
        if request.pulled and not isinstance(known.of(value), Scalar):
            read = content_reads(sweeps.reverse)  # the caller may change what he gets before that
            changes = changes or any(aliases.share(value.id, other) for other in read)
        if changes or value.id in writes(sweeps.reverse):
            own = unit.names.fresh("value")
            text = "v = y"
            if changes:
                text = "v = y.copy()" if isinstance(known.of(value), Array) else "v = f(y)"
            forward.extend(quote_statements(text, v=own, y=value, f=reverse.helper("copied")))
            value = name(own)
    arguments = bare(unit.tree.args)
    if request.seeded and seed is not None and returned is not None:
        if with_value:  # adjoints alone are asked for by what knows the shapes
            forward.extend(_fitting(seed, value, known.of(returned), reverse.helper))
        parameter = name(seed, gast.Param())
        own = arguments.args  # a call of Python's may leave out the last of them
        arguments.args = [parameter, *own] if request.backend is None else [*own, parameter]
        seed = None
    restores = kept.restored or reverse.bars.shadows or reverse.slots
    changed = {n for n in known.names if aliases.is_changed(n)}
    changed |= {*reverse.bars.shadows.values(), *reverse.slots.values()}
    changed |= {start for start, value in sweeps.starts.items() if value in changed}
    checks, forward = checks_first(forward, known)
    begun = beginnings(unit, known, aliases, reverse.helper, forward)
    initial = [*checks, *unset(known, sweeps.initial), *begun.statements]
    forward = begun.forward
    reverse_code = sweeps.reverse[:-1]
    unit.tree = assemble(
        Parts(
            name=f"{unit.tree.name}_{request.mode}",
            arguments=arguments,
            docstring="",
            forward=forward,
            reverse=reverse_code,
            tape=sweeps.tape,
            tape_class=reverse.helper("Tape"),
            initial=initial,
            value=value if with_value else None,
            gradient=ending,
            seed=seed,
            duplicates=reverse.helper("duplicates") if restores and seed else None,
            memory=frozenset(changed),
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


def _fitting(
    seed: str, value: gast.expr, kind: Kind | None, helper: Callable[[str], gast.expr]
) -> list[gast.stmt]:
    """Checks that the arrays of a seed have the shapes of those of the value."""
    parts: list[tuple[gast.expr, gast.expr, Kind | None]] = [(name(seed), value, kind)]
    if isinstance(kind, Record) and kind.cls is tuple:
        parts = [
            (part_of(name(seed), (k,)), part_of(value, (k,)), item)
            for k, item in enumerate(kind.items)
        ]
    return [
        statement
        for own, like, item in parts
        if isinstance(item, Array)
        for statement in quote_statements("f(g, y)", f=helper("alike"), g=own, y=like)
    ]


def checks_first(
    forward: list[gast.stmt], known: Kinds
) -> tuple[list[gast.stmt], list[gast.stmt]]:
    """The checks that arguments are distinct, which look at them and not at copies; the rest.

    What an inlined derivative checks of values that were made here stays where it is.
    """
    checks: list[gast.stmt] = []
    rest: list[gast.stmt] = []
    values: dict[str, gast.expr] = {}
    bound: set[str] = set()
    for statement in forward:
        call = statement.value if isinstance(statement, gast.Expr) else None
        operation = known.operation(call) if isinstance(call, gast.Call) else None
        if operation is not None and operation.function is distinct:
            moved = substitute(statement, values)
            if reads(moved).isdisjoint(bound):
                checks.append(moved)
                continue
        bound |= writes(statement)
        if isinstance(statement, gast.Assign) and isinstance(statement.value, gast.Tuple):
            values.update(dict.fromkeys(writes(statement), statement.value))  # the classes
        rest.append(statement)
    return checks, rest


_ZEROS = {"bool": False, "int": 0, "complex": 0j}


def unset(known: Kinds, names: list[str]) -> list[gast.stmt]:
    """Values of names that may have none when they are pushed."""
    found: list[gast.stmt] = []
    for identifier in names:
        kind = known.names.get(identifier)
        value = _ZEROS.get(kind.type, 0.0) if isinstance(kind, Scalar) else None
        constant = gast.Constant(value=value, kind=None)
        found.append(gast.Assign(targets=[name(identifier, gast.Store())], value=constant))
    return found


Settled = tuple[
    gast.stmt, str | None, Kinds, frozenset[str], Aliases, tuple[list[Conflict], Mirrored]
]


def settled(unit: Unit, known: Kinds, shifting: bool) -> Settled:
    """alias, activity, and the containers that are mirrored; snapshots of them are put in."""
    while True:
        last = unit.tree.body[-1]
        returned = last.value if isinstance(last, gast.Return) else None
        result = returned.id if isinstance(returned, gast.Name) else None
        aliases = alias(unit.tree, known)
        constant = shifts(unit.tree, known) if shifting else frozenset()
        active = activity(unit.tree, known, aliases, unit.inputs, result, constant).active
        crowded = conflicts(unit.tree, known)
        found = mirrored(unit.tree, known, aliases, active, crowded)
        if not found.names or not mirroring(unit, known, found, active):
            return last, result, known, active, aliases, (crowded, found)
        known = kinds(unit.tree, unit.given, unit.scope, unit.recursion.result)


def reversal(
    unit: Unit,
    known: Kinds,
    aliases: Aliases,
    active: frozenset[str],
    memory: tuple[list[Conflict], Mirrored],
) -> Reverse:
    """All that the reverse sweep of the function is made from."""
    found, containers = memory
    made = {n: unit.names.fresh(f"{n}_bar") for n in sorted(containers.names)}
    if made:
        aliases = aliases.within(frozenset(made) | set(made.values()), containers.others)
        known.local |= set(made.values())
        known.names.update(dict.fromkeys(made.values(), UNKNOWN))
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
        known, unit.names, helpers, active, whole, before, definitions(unit.tree), aliases
    )
    reverse.certain = certain
    reverse.bars.moulds = tuple(p for p in parameters(unit.tree.args) if p not in assigned)
    reverse.bars.fleeting = reverse.definitions.reassigned
    reverse.depends_on_layout = depends_on_layout(unit.tree)
    reverse.mirrored = containers
    reverse.bars.mirrors = made
    for conflict in found:
        reverse.conflicts.setdefault(id(conflict.statement), []).append(conflict)
    for identifier in sorted(shadows.shadowed(found, active, aliases, known) | containers.arrays):
        shadow = unit.names.fresh(f"{identifier}_bar")
        reverse.bars.shadows[identifier] = shadow
        known.names[shadow] = known.names[identifier]
        known.local |= {shadow}
    return reverse
