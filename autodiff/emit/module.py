"""A function in Core as a definition, and what its text refers to."""

from __future__ import annotations

import builtins
import itertools
import keyword
from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any, NamedTuple

import gast

from autodiff.core import MARK, Function, Load, Pop, Push, Region, Value, values_in
from autodiff.emit.looking import LAST
from autodiff.emit.printer import Printer
from autodiff.emit.structured import structure
from autodiff.frontend.source import Namespace
from autodiff.kinds.joins import join
from autodiff.kinds.kind import Kind
from autodiff.normalize.build import call
from autodiff.runtime import Tape, duplicates
from autodiff.syntax.comment import comment
from autodiff.syntax.names import RESERVED, name, store

FORWARD, REVERSE = "Forward sweep", "Reverse sweep"


class Spelling:
    """The names by which objects are referred to: the user's where these are the same."""

    def __init__(
        self, namespace: Namespace, objects: Mapping[str, Any], free: Iterable[str]
    ) -> None:
        self.namespace, self.objects = namespace, objects
        self.taken = {*free, *keyword.kwlist}
        self.helpers: dict[str, Any] = {}
        self.chosen: dict[str, str] = {}
        self.variables: frozenset[str] = frozenset()

    def name(self, reference: object) -> str:
        """The name of a reference, or of an object that has one; another name as it is."""
        if not isinstance(reference, str):
            named = (own for own, held in self.objects.items() if held is reference)
            reference = next(named, None) or self.choose(reference.__name__, reference)  # type: ignore[attr-defined]
        if not reference.startswith(MARK):
            return reference
        found = self.chosen.get(reference)
        if found is None:
            found = self.chosen[reference] = self.choose(reference[1:], self.objects[reference])
        return found

    def choose(self, hint: str, value: Any) -> str:
        known = next((own for own, held in self.helpers.items() if held is value), None)
        if known is not None:
            return known
        if self.meaning(hint) is value and hint not in self.variables:
            self.taken.add(hint)
            return hint
        own, count = hint, 1
        while own in self.taken | self.variables or self.meaning(own) is not None:
            count += 1
            own = f"{hint}_{count}"
        self.taken.add(own)
        self.helpers[own] = value
        return own

    def meaning(self, identifier: str) -> Any:
        """What a name means for the user; None if nothing."""
        try:
            return self.namespace.lookup(identifier)
        except (KeyError, ValueError):
            return getattr(builtins, identifier, None)


class Definition(NamedTuple):
    """A function as a tree, the helpers that it needs by name, what its names hold, and the memory
    that they may be, or hold; loads that are views in the text."""

    tree: gast.FunctionDef
    helpers: dict[str, Any]
    kinds: dict[str, Kind]
    memory: dict[str, set[Region]]
    views: list[Load]


def definition(
    function: Function,
    namespace: Namespace,
    objects: Mapping[str, Any],
    free: Iterable[str],
    doc: str,
    plain: bool = False,
    checked: frozenset[str] = frozenset(),
) -> Definition:
    """The definition. plain: no loop goes over the tape itself. checked: names of which it is found
    when they are read whether they hold a value.
    """
    spelling = Spelling(namespace, objects, free)
    for reference in objects:
        spelling.name(reference)
    pushes = any(isinstance(op, Push) for op in function.body.walk())
    tape = ""
    if pushes:
        tape_class = spelling.choose("Tape", Tape)
        tape = spelling_fresh(spelling, "tape")
    printer = Printer(function, spelling.taken | RESERVED, spelling.name, tape, plain)
    printer.fresh = partial(spelling_fresh, spelling)
    spelling.variables = frozenset((*printer.names.values(), *printer.marks.values()))
    body = function.body
    boundary = len(body.operations) if function.boundary is None else function.boundary
    statements: list[gast.stmt] = [gast.Expr(value=gast.Constant(value=doc, kind=None))]
    if pushes:
        statements.append(gast.Assign([store(tape)], call(tape_class), None))
    printer.checked.update(checked)
    printer.block(body.operations[:boundary])
    if printer.checked > checked:  # some may have been read before that was known
        more = frozenset(printer.checked)
        return definition(function, namespace, objects, free, doc, plain, more)
    forward, printer.out, printer.last, printer.begins = printer.out, [], None, False
    forward[:0] = [
        gast.Assign([store(own)], name(spelling.choose(marker.__name__, marker)), None)
        if marker is not None
        else gast.Assign([store(own)], gast.Constant(value=None, kind=None), None)
        for own, marker in printer.begun.items()
    ]
    if function.boundary is None:
        statements += [*forward, returned(printer, function.result)]
    else:
        if forward:
            statements += [*([comment("")] if pushes else []), comment(FORWARD), *forward]
        printer.block(body.operations[boundary:])
        if function.seeds is None:
            statements += [comment("")] if len(statements) > 1 else []
            statements += [comment(REVERSE), *printer.out]
            whole = (function.result, function.outputs)
            found = function.outputs if function.result is None else whole
            statements.append(returned(printer, found))
        else:
            bound, made_last = pulled(printer, spelling, tape)
            statements[1:1] = bound
            statements += made_last
    arguments = parameters([printer.names[v] for v in body.parameters], function.forms)
    tree = gast.FunctionDef(function.name, arguments, statements, [], None, None, [])
    loads = [op for op in body.walk() if isinstance(op, Load) and printer.is_view(op)]
    return Definition(tree, spelling.helpers, kinds(printer), memory(printer), loads)


def kinds(printer: Printer) -> dict[str, Kind]:
    """What each name holds: all values that it is given."""
    found: dict[str, Kind] = {}
    for value, own in printer.names.items():
        found[own] = join(found[own], value.kind) if own in found else value.kind
    return found


def memory(printer: Printer) -> dict[str, set[Region]]:
    """The memory that each name may be, or hold: all values that it is given."""
    found: dict[str, set[Region]] = {}
    for value, own in printer.names.items():
        if value.region is not None:
            found.setdefault(own, set()).update(value.region.reached())
    return found


def returned(printer: Printer, found: Any) -> gast.Return:
    """`return found`, from where what stands in it comes."""
    printer.stems = None
    statement = gast.Return(value=structure(printer, found))
    statement.origin = printer.stems
    return statement


def pulled(
    printer: Printer, spelling: Spelling, tape: str
) -> tuple[list[gast.stmt], list[gast.stmt]]:
    """The reverse sweep as a function of the seed, which can be called again and again; and before
    everything else, what it is given that is bound on some paths only.
    """
    function = printer.function
    assert function.seeds is not None
    own = spelling_fresh(spelling, "pullback")
    if printer.over_tape is not None:
        tape = ""  # nothing is taken from it
    kept = mutable(printer)
    unbound = {printer.names[v] for v in kept if v.partial}
    unbound -= {printer.names[v] for v in function.body.parameters}
    on_tape = bool(tape) and changes_what_it_takes(printer)
    names = [*dict.fromkeys(printer.names[v] for v in kept), *([tape] if tape else [])]
    begin: list[gast.stmt] = []
    if function.owned:
        pass  # it is called once
    elif kept or on_tape:
        targets = gast.Tuple(elts=[store(n) for n in names], ctx=gast.Store())
        called = call(spelling.choose("duplicates", duplicates), *map(name, names))
        begin.append(gast.Assign([targets], called, None))
    elif tape:
        begin.append(
            gast.Assign([store(tape)], call(spelling.choose("Tape", Tape), name(tape)), None)
        )
    arguments = parameters([*(printer.names[v] for v in function.seeds), *names])
    arguments.defaults = [name(n) for n in names]
    begin += [comment("")] if begin else []
    body = [*begin, comment(REVERSE), *printer.out, returned(printer, function.outputs)]
    value = structure(printer, function.result)
    both = gast.Tuple(elts=[value, name(own)], ctx=gast.Load())
    made = gast.FunctionDef(own, arguments, body, [], None, None, [])
    bound = [gast.Assign([store(n)], gast.Constant(None, None), None) for n in sorted(unbound)]
    return bound, [comment(""), made, comment(""), gast.Return(value=both)]


def mutable(printer: Printer) -> list[Value]:
    """Values of the forward sweep that the pullback reads and whose memory it changes."""
    function = printer.function
    boundary = function.boundary
    written, read = set(), {}
    for top in function.body.operations[boundary:]:
        for op in top.nested():
            if not op.blocks:
                written |= {e.region.find() for e in op.effects() if e.what == "write"}
            read.update(dict.fromkeys(op.operands))
            for block in op.blocks:
                read.update(dict.fromkeys(block.results))
    read.update(dict.fromkeys(values_in(function.outputs)))
    places = printer.places
    inner = list(read)
    while inner:  # what prints inline is read where it is used
        value = inner.pop()
        if value in places.inline and value.op is not None:
            inner += [v for v in value.op.operands if v not in read]
            read.update(dict.fromkeys(value.op.operands))
    return [
        v
        for v in read
        if (v.region is not None and not written.isdisjoint(v.region.reached()))
        and v in printer.names
        and places.where(v) < places.boundary
        and v not in (function.seeds or ())
    ]


def changes_what_it_takes(printer: Printer) -> bool:
    """Whether the reverse sweep changes memory that it took from the tape, which it needs again."""
    places = printer.places
    return any(
        places.is_written(region, places.boundary, LAST)
        for op in printer.function.body.walk()
        if isinstance(op, Pop)
        for value in op.results
        for region in (value.region.reached() if value.region is not None else ())
    )


def spelling_fresh(spelling: Spelling, hint: str) -> str:
    """A name that means nothing yet."""
    own, count = hint, 1
    while own in spelling.taken | spelling.variables:
        count += 1
        own = f"{hint}_{count}"
    spelling.taken.add(own)
    return own


def parameters(names: list[str], forms: Iterable[str] = ()) -> gast.arguments:
    """Parameters, each given as its form says, by position where there is none."""
    found: dict[str, list[gast.Name]] = {"": [], "*": [], "keyword": [], "**": []}
    for own, form in itertools.zip_longest(names, forms, fillvalue=""):
        found[form].append(_parameter(own))
    rest, others = (next(iter(found[word]), None) for word in ("*", "**"))
    named = found["keyword"]
    return gast.arguments(found[""], [], rest, named, [None for _ in named], others, [])


def _parameter(identifier: str) -> gast.Name:
    node = store(identifier)
    node.ctx = gast.Param()
    return node
