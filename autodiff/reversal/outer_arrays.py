"""Arrays of outside that a function changes: each is one value, read where the function begins.

They are changed once, in the forward sweep, and stay as the function leaves them: what the reverse
sweep needs of them is kept, never put back. Who else has a name for the same memory would see it
change as well: an argument is refused when the derivative runs, other arrays of outside are
watched.
"""

from __future__ import annotations

import gast
import numpy as np

from autodiff.core.function import Function, replaced
from autodiff.core.function import users as used
from autodiff.core.notyet import NotYet
from autodiff.core.operation import Effect, LoadOuter, Operation
from autodiff.core.statements import Verbatim
from autodiff.core.value import Value, walk
from autodiff.dataflow.settle import mapped
from autodiff.kinds.kind import Array, Numeric, Record, Scalar
from autodiff.lower.entries.cells import expressions_of, parted
from autodiff.lower.flow.frame import Unit
from autodiff.lower.functions.function import reads_what_changes
from autodiff.primitives.primitive import hole
from autodiff.runtime import apart, distinct
from autodiff.syntax.names import name


def gather(unit: Unit) -> None:
    """Reads what is changed where the function begins, and checks what arguments are."""
    if unit.function.owned:
        return
    loads = [
        op
        for op in unit.function.body.walk()
        if isinstance(op, LoadOuter) and isinstance(op.object, np.ndarray)
    ]
    loads += unit.elsewhere
    changed = {id(op.object): op for op in reversed(loads) if op.result.is_written}
    if reads_what_changes(unit):
        raise NotYet("memory that changes and is read by a function that stays a function")
    others = [
        op for op in {id(op.object): op for op in loads}.values() if id(op.object) not in changed
    ]
    for op in changed.values():
        for other in others:
            known = op.result.region is other.result.region
            if not known and np.may_share_memory(op.object, other.object):
                raise NotYet("memory of outside that is one in a way that is not seen")
    whole = {op: begun(unit, op, loads) for op in changed.values()}
    if changed:
        unit.lasting += [(op.path, op.object) for op in (*changed.values(), *others)]
    given = unit.function.body.parameters
    for op, value in whole.items():
        check(unit, op.path, value, [(p.hint, p) for p in given if p.memory is not None])
    own = [value for value in (*given, *entered(unit)) if value.memory is not None]
    keep_apart(unit)
    users = used(unit.function)
    for value in own:
        if isinstance(value.kind, Array) and value.is_written and value not in whole.values():
            read = [(op.path, begun(unit, op, [])) for op in others]
            beside = [v for v in own if v is not value and v in users and is_apart(v)]
            check(unit, value.hint, value, [*read, *((v.hint, v) for v in beside)])


def keep_apart(unit: Unit) -> None:
    """`distinct((Cell,), p, q, TOTAL)`: an object of which a part is replaced is given once, and is
    none of those outside that are read.
    """
    given = [(box, unit.given[box.given]) for box in unit.boxes if box.given in unit.given]
    changed = {box.cls for box, parts in given if box.stored or len(box.slots) != len(parts)}
    objects = unit.remote | unit.objects
    exchanged = {type(each) for each in objects.values() if id(each) in unit.cells}
    seen = [box.cls for box, _ in given]
    both = changed | exchanged & {*seen}
    read = {id(each): path for path, each in objects.items() if type(each) in both}
    outer = {type(each) for each in objects.values() if id(each) in read}
    classes = outer | {cls for cls in changed if seen.count(cls) > 1}
    if not classes:
        return
    use = unit.references.use
    parameters = [p for p in unit.function.body.parameters if p in unit.given]
    listed = [name(use(cls.__name__, cls)) for cls in sorted(classes, key=lambda c: c.__name__)]
    named = gast.Tuple(elts=listed, ctx=gast.Load())
    holes = [hole(k) for k in range(len(parameters))]
    others = [expressions_of(path) for path in apart_from_each_other(list(read.values()))]
    unit.free |= {parted(path)[0] for path in read.values()}
    called = gast.Call(name(use("distinct", distinct)), args=[named, *holes, *others], keywords=[])
    insert(unit, Verbatim(gast.Expr(value=called), parameters))


def apart_from_each_other(paths: list[str]) -> list[str]:
    """Paths without those of parts: `LAYER` of `LAYER`, `LAYER.next`."""
    ends = (".", "[")
    return [
        path
        for path in paths
        if not any(path.startswith(tuple(other + end for end in ends)) for other in paths)
    ]


def is_apart(value: Value) -> bool:
    """Whether memory of the arguments is asked about as a whole; else its parts are."""
    return not isinstance(value.kind, Record)


def entered(unit: Unit) -> list[Value]:
    """The parts of arguments."""
    operations = unit.function.body.operations
    return [op.results[0] for op in operations if op in unit.entry and op.results]


def begun(unit: Unit, load: LoadOuter, loads: list[LoadOuter]) -> Value:
    """What is outside, read where the function begins and nowhere else."""
    body, object_ = unit.function.body, load.object
    value = Value("", load.result.kind, load.result.memory)
    made = LoadOuter(load.path, value)
    made.object = object_
    made.early = any(op.early for op in loads if op.object is object_)
    insert(unit, made)
    for op in loads:
        if op.object is object_:
            replaced(body, op.result, value)
            unit.function.result = mapped(unit.function.result, {op.result: value}.get)
            op.block.operations.remove(op)
    if loads and value.region is not None:
        value.region.exposed = True
    return value


def read_before(function: Function) -> None:
    """What a pullback needs of outside is what the function has read: others may set it before the
    pullback is called.

    before: `def pullback(bar): return bar * RATE`
    after: `rate = RATE` in the forward sweep, `bar * rate` in the pullback
    """
    assert function.boundary is not None
    body, found, swapped = function.body, dict[str, LoadOuter](), dict[Value, Value]()
    late = list(walk(body.operations[function.boundary :]))
    for load in (own for op in late for own in (op, *(value.op for value in op.operands))):
        if not isinstance(load, LoadOuter) or not is_read(load):
            continue
        if load.path not in found:
            own = Value("", load.result.kind, load.result.memory)
            found[load.path] = made = LoadOuter(load.path, own)
            made.early, made.block, own.block = True, body, body
        swapped[load.result] = found[load.path].result
    for op in late:
        op.operands = [swapped.get(value, value) for value in op.operands]
        for block in op.blocks:
            block.results = [swapped.get(value, value) for value in block.results]
            block.operations = [each for each in block.operations if not is_read(each)]
    kept = [op for op in body.operations[function.boundary :] if not is_read(op)]
    body.operations = [*found.values(), *body.operations[: function.boundary], *kept]
    function.boundary += len(found)
    function.outputs = mapped(function.outputs, swapped.get)


def is_read(op: object) -> bool:
    """Whether an operation reads a number or an array of outside."""
    numeric = (Array, Numeric, Scalar)
    return isinstance(op, LoadOuter) and not op.early and isinstance(op.result.kind, numeric)


def insert(unit: Unit, op: LoadOuter | Verbatim) -> None:
    """One more operation with which the function begins."""
    body = unit.function.body
    at = next((k for k, own in enumerate(body.operations) if own not in unit.entry), None)
    op.block = body
    for value in op.results:
        value.block = body
    body.operations.insert(len(body.operations) if at is None else at, op)
    unit.entry.add(op)


def check(unit: Unit, own: str, array: Value, others: list[tuple[str, Value]]) -> None:
    """`apart(x=x, WEIGHTS=WEIGHTS)`: an array that is changed is no memory of the others."""
    if not others:
        return
    pairs: list[tuple[str, Value]] = []
    for key, value in [(own, array), *others]:
        again = sum(key == before.partition(" ")[0] for before, _ in pairs)
        pairs.append((f"{key} {again + 1}" if again else key, value))
    function = name(unit.references.use("apart", apart))
    keys = [gast.Constant(value=key.lstrip("@"), kind=None) for key, _ in pairs]
    values = [hole(k) for k in range(len(pairs))]
    named = [gast.keyword(arg=key.value, value=value) for key, value in zip(keys, values)]
    if not all(key.value.isidentifier() for key in keys):
        named = [gast.keyword(arg=None, value=gast.Dict(keys=keys, values=values))]
    call = gast.Call(func=function, args=[], keywords=named)
    made = Verbatim(gast.Expr(value=call), [value for _, value in pairs])
    everything = unit.function.body.walk()
    changes = [op for op in everything if any(e.region is array.region for e in writes(op))]
    made.origin = changes[0].origin if changes else None
    insert(unit, made)


def writes(op: Operation) -> list[Effect]:
    """What an operation writes by itself."""
    return [] if op.blocks else [effect for effect in op.effects() if effect.what == "write"]
