"""Adjoints of copies, tuples, lists, dicts and objects: moving values moves their adjoints.

A part of fixed structure (`pair[0]`, `params["w"]`, `model.w`) has an adjoint of its own, so taking a
tuple apart or building one writes no code. Where the index is only known at run time, the adjoint of
the whole list is a list.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import gast

from autodiff.analysis.alias import changed_by
from autodiff.analysis.kind import (
    UNKNOWN,
    Array,
    Kind,
    Record,
    Scalar,
    Sequence,
    Unknown,
)
from autodiff.analysis.kinds import Kinds, key_of, slice_of
from autodiff.errors import UnsupportedSyntaxError
from autodiff.reverse import primitives
from autodiff.reverse.bars import Bar, Place
from autodiff.reverse.items import Item, Step
from autodiff.syntax.names import name, reads, writes
from autodiff.syntax.origin import origin_of
from autodiff.syntax.quote import quote, quote_statements
from autodiff.syntax.walk import walk

if TYPE_CHECKING:
    from autodiff.reverse.reverse import Reverse


def constant(reverse: Reverse, statement: gast.Assign, target: str, taken: Any) -> None:
    """A constant has no adjoint."""


def copy(
    reverse: Reverse, statement: gast.Assign, target: str, taken: dict[Place, Bar]
) -> None:
    """`y = x`: the adjoint of `y` is added to that of `x`, part by part."""
    source = statement.value.id
    if source not in reverse.active:
        return
    for place, bar in joined(reverse, taken, source):
        reverse.pass_on(place, bar, statement)


def joined(reverse: Reverse, taken: dict[Place, Bar], source: str) -> list[tuple[Place, Bar]]:
    """Adjoints of a value as adjoints of the places of another name that holds the same value."""
    whole = source in reverse.bars.whole
    found = []
    for (target, path), bar in taken.items():
        if whole and path:
            return [((source, ()), assembled(reverse, target, taken))]
        if not whole and not path:
            for place in reverse.bars.places(source):
                kind = reverse.bars.kind(place) if place[1] else bar.kind
                whole_kind = reverse.kinds.names.get(source)
                part = primitives.part_of(bar.node, place[1], whole_kind)
                found.append((place, Bar(part, kind, bar.owned and not place[1])))
            continue
        found.append(((source, path), bar))
    return found


def assembled(reverse: Reverse, target: str, taken: dict[Place, Bar]) -> Bar:
    """The adjoint of a whole tuple, list or dict, built from those of its parts."""
    kind = reverse.kinds.names.get(target, UNKNOWN)
    present = {path: bar for (_, path), bar in taken.items()}
    node = build(reverse, target, kind, (), present)
    return Bar(node, kind, False)


def build(
    reverse: Reverse, target: str, kind: Kind, path: tuple[object, ...], present: dict[Any, Bar]
) -> gast.expr:
    if path in present:
        return reverse.bars.expanded((target, path), present[path])
    if not isinstance(kind, Record):
        return reverse.bars.zeros((target, path))
    items = [
        build(reverse, target, item, (*path, key), present)
        for key, item in zip(kind.keys, kind.items)
    ]
    if kind.cls is dict:
        keys = [gast.Constant(value=key, kind=None) for key in kind.keys]
        return gast.Dict(keys=keys, values=items)
    if kind.cls is list:
        return gast.List(elts=items, ctx=gast.Load())
    if kind.cls is not tuple:
        return like_primal(reverse.bars.primal((target, path)), kind, items, reverse.helper)
    return gast.Tuple(elts=items, ctx=gast.Load())


def like_primal(
    primal: gast.expr, kind: Record, items: list[gast.expr], helper: Callable[[str], gast.expr]
) -> gast.expr:
    """A namedtuple or object of the class of the primal, made of the adjoints of its parts."""
    if issubclass(kind.cls, tuple):
        return gast.Call(func=quote("type(x)", x=primal), args=items, keywords=[])
    keys = [gast.Constant(value=key, kind=None) for key in kind.keys]
    table = gast.Dict(keys=keys, values=items)
    return quote("f(x, t)", f=helper("restructured"), x=primal, t=table)


def display(
    reverse: Reverse, statement: gast.Assign, target: str, taken: dict[Place, Bar]
) -> None:
    """`t = (a, b)`: the adjoint of each part goes to what was put there."""
    elements = statement.value.elts
    if any(isinstance(e, gast.Starred) and reads(e) & reverse.active for e in elements):
        raise UnsupportedSyntaxError(
            "a starred item that carries a derivative",
            origin_of(statement),
            why="the number of items is only known at run time",
            cure="use `list(a) + [b]` or name the items",
        )
    give(reverse, statement, dict(enumerate(elements)), taken)


def table(
    reverse: Reverse, statement: gast.Assign, target: str, taken: dict[Place, Bar]
) -> None:
    """`t = {"a": a}`: as for a tuple."""
    node = statement.value
    keys = [None if key is None else key_of(key, reverse.kinds.of) for key in node.keys]
    for key, value in zip(keys, node.values):
        if key is None and reads(value) & reverse.active:
            raise UnsupportedSyntaxError(
                "a dict with a computed key holds a value that carries a derivative",
                origin_of(statement),
                why="autodiff follows the parts of a dict by keys that are constant",
                cure="use constant keys, or a list",
            )
    give(reverse, statement, dict(zip(keys, node.values)), taken)


def give(
    reverse: Reverse,
    statement: gast.Assign,
    elements: dict[Any, gast.expr],
    taken: dict[Place, Bar],
) -> None:
    """Pass the adjoints of parts on to the names that the parts were."""
    for key, element in elements.items():
        if not isinstance(element, gast.Name) or element.id not in reverse.active:
            continue
        shared = (
            sum(1 for e in elements.values() if isinstance(e, gast.Name) and e.id == element.id) > 1
        )
        parts: dict[Place, Bar] = {}
        for (_, path), bar in taken.items():
            if not path:
                part = primitives.part_of(bar.node, (key,))
                kind = reverse.kinds.names.get(element.id, UNKNOWN)
                parts[element.id, ()] = Bar(part, kind, False)
            elif path[0] == key and type(path[0]) is type(key):
                parts[element.id, path[1:]] = bar
        for place, bar in joined(reverse, parts, element.id):
            reverse.pass_on(place, bar, statement, shared)


def attribute(
    reverse: Reverse, statement: gast.Assign, target: str, taken: dict[Place, Bar]
) -> None:
    """`w = model.w`, or an attribute of an array such as `x.T`."""
    node = statement.value
    base = reverse.kinds.known(node.value)
    if isinstance(base, Record) and isinstance(node.value, gast.Name):
        fields = getattr(base.cls, "_fields", ())
        key: Any = fields.index(node.attr) if node.attr in fields else node.attr
        take_part(reverse, node.value.id, key, taken)
        return
    primitives.primitive(reverse, statement, target, taken)


def take_part(
    reverse: Reverse, base: str, key: Any, taken: dict[Place, Bar]
) -> None:
    """The adjoint of a part, added to that part of the whole's adjoint."""
    if base not in reverse.active:
        return
    if base in reverse.bars.whole:
        index = gast.Constant(value=key, kind=None)
        add_item(reverse, base, index, taken)
        return
    for (_, path), bar in taken.items():
        place = (base, (key, *path))
        inside = [p for p in reverse.bars.places(base) if p[1][: len(place[1])] == place[1]]
        if place in inside or not inside:
            reverse.bars.contribute(place, bar.node, bar.kind, bar.owned)
            continue
        for part in inside:
            node = primitives.part_of(bar.node, part[1][len(place[1]) :], reverse.bars.kind(place))
            reverse.bars.contribute(part, node, reverse.bars.kind(part), False)


def add_item(
    reverse: Reverse, base: str, index: gast.expr, taken: dict[Place, Bar]
) -> None:
    """`base_bar[index] += part_bar` for a list of adjoints."""
    if base not in reverse.active:
        return
    (target, path), bar = next(iter(taken.items()))
    if path:
        bar = assembled(reverse, target, taken)
        value = bar.node
    else:
        value = reverse.bars.expanded((target, path), bar)
    value = reverse.bars.apart((base, ()), value, bar.kind)
    variable = reverse.bars.own((base, ()))
    accumulate = reverse.helper("accumulate")
    if isinstance(reverse.kinds.names.get(target), Scalar):
        reverse.bars.out.extend(quote_statements("x[i] += v", x=variable, i=index, v=value))
    else:
        text = "x[i] = f(x[i], v)"
        reverse.bars.out.extend(
            quote_statements(text, x=variable, i=index, v=value, f=accumulate)
        )


def subscript(
    reverse: Reverse, statement: gast.Assign, target: str, taken: dict[Place, Bar]
) -> None:
    """`y = x[i]`: a part of a container, or an element or view of an array."""
    node = statement.value
    kind = reverse.kinds.known(node.value)
    if not isinstance(kind, (Record, Sequence)) or not isinstance(node.value, gast.Name):
        primitives.primitive(reverse, statement, target, taken)
        return
    base = node.value.id
    if isinstance(node.slice, gast.Slice):
        part = slice_of(node.slice, reverse.kinds.of)
        if isinstance(kind, Record) and part is not None and base not in reverse.bars.whole:
            keys = kind.keys[part]
            for (name_, path), bar in taken.items():
                if path and path[0] >= len(keys):  # type: ignore[operator]
                    continue  # a branch that cannot run for these kinds
                if path:
                    place = (base, (keys[path[0]], *path[1:]))  # type: ignore[index,call-overload]
                    reverse.bars.contribute(place, bar.node, bar.kind, bar.owned)
                else:
                    for number, key in enumerate(keys):
                        sub = primitives.part_of(bar.node, (number,))
                        take_part(reverse, base, key, {(name_, ()): Bar(sub, UNKNOWN, False)})
            return
        primitives.primitive(reverse, statement, target, taken)
        return
    key = key_of(node.slice, reverse.kinds.of)
    if key is not None and isinstance(kind, Record) and base not in reverse.bars.whole:
        if isinstance(key, int) and key < 0 and kind.cls is not dict:
            key += len(kind.keys)
        take_part(reverse, base, key, taken)
        return
    add_item(reverse, base, node.slice, taken)


def unpack(reverse: Reverse, target: gast.Tuple, statement: gast.Assign) -> None:
    """`a, b = t`."""
    source = statement.value
    taken_parts = [(number, part.id, reverse.take(part.id)) for number, part in enumerate(target.elts)]
    parts = [(number, part, reverse.bars.protect(taken)) for number, part, taken in taken_parts]
    if not isinstance(source, gast.Name) or source.id not in reverse.active:
        return
    kind = reverse.kinds.known(source)
    for number, part, taken in parts:
        if not taken or part not in reverse.active:
            continue
        index = gast.Constant(value=number, kind=None)
        if isinstance(kind, Record) and source.id not in reverse.bars.whole:
            take_part(reverse, source.id, number, taken)
        elif isinstance(kind, (Record, Sequence)):
            add_item(reverse, source.id, index, taken)
        else:
            read = gast.Subscript(value=source, slice=index, ctx=gast.Load())
            operation = reverse.kinds.operation(read)
            assert operation is not None
            primitives.apply(reverse, statement, part, operation, taken)


def concatenation(
    reverse: Reverse, statement: gast.Assign, target: str, taken: dict[Place, Bar]
) -> bool:
    """`xs + ys` of two lists or tuples: each part has its own source."""
    node = statement.value
    if not isinstance(node, gast.BinOp) or not isinstance(node.op, gast.Add):
        return False
    sides = [reverse.kinds.known(side) for side in (node.left, node.right)]
    if not all(isinstance(kind, (Record, Sequence)) for kind in sides):
        return False
    offset: int | None = 0
    for operand, kind in zip((node.left, node.right), sides):
        if isinstance(operand, gast.Name) and operand.id in reverse.active:
            parts: dict[Place, Bar] = {}
            for (name_, path), bar in taken.items():
                if path and isinstance(kind, Record) and offset is not None:
                    index = path[0] - offset  # type: ignore[operator]
                    if 0 <= index < len(kind.keys):
                        parts[name_, (index, *path[1:])] = bar
                elif not path:
                    text = "g[:len(x)]" if operand is node.left else "g[len(x):]"
                    part = quote(text, g=bar.node, x=node.left)
                    parts[name_, ()] = Bar(part, kind, False)
            for place, bar in joined(reverse, parts, operand.id):
                reverse.pass_on(place, bar, statement, True)
        offset = offset + len(kind.keys) if isinstance(kind, Record) and offset is not None else None
    return True


def effect(reverse: Reverse, statement: gast.Expr) -> Step:
    """`xs.append(x)` and other calls for their effect."""
    call = statement.value
    origin = origin_of(statement)
    step = Step([statement], [], origin)
    if isinstance(call, gast.Call):
        step.mutates = check_unchanged(reverse, statement, call)
    if not (isinstance(call, gast.Call) and isinstance(call.func, gast.Attribute)):
        return step
    base = call.func.value
    if not isinstance(base, gast.Name) or base.id not in reverse.kinds.local:
        return step
    method = call.func.attr
    kind = reverse.kinds.names.get(base.id, UNKNOWN)
    is_list = isinstance(kind, (Sequence, Record)) and kind.cls is list
    if is_list and base.id in reverse.active and not reverse.aliases.grows_alone(base.id):
        raise UnsupportedSyntaxError(
            f"`{base.id}` carries a derivative and is changed by `.{method}(...)` while another "
            "name may refer to the same list",
            origin,
            why="autodiff does not follow lists that are changed through several names yet",
            cure="grow the list under one name, or build a new list with `+`",
        )
    if is_list and method == "append" and len(call.args) == 1:
        step.mutates = (base.id,)
        text = "xs = xs[:-1]" if reverse.reentrant else "xs.pop()"
        step.restore = quote_statements(text, xs=base.id)
        if (base.id, ()) in reverse.bars.present and base.id in reverse.active:
            append(reverse, base.id, call.args[0])
            step.adjoint = reverse.bars.out
        return step
    if base.id in reverse.active:
        raise UnsupportedSyntaxError(
            f"`{base.id}` carries a derivative and is changed by `.{method}(...)`",
            origin,
            why="of the calls that change an object in place, only list.append is differentiated",
            cure="build a new value instead of changing the old one",
        )
    return step


def check_unchanged(
    reverse: Reverse, statement: gast.stmt, call: gast.Call
) -> tuple[str, ...]:
    """The names whose memory a call may change; refused where a derivative flows through it."""
    found = changed_by(call, reverse.kinds)
    for identifier in found:
        sharing = set(reverse.aliases.sharing(identifier)) & reverse.active
        if sharing:
            raise UnsupportedSyntaxError(
                f"this call may change `{min(sharing)}`, which carries a derivative",
                origin_of(statement),
                why="autodiff does not know what the function does to its arguments",
                cure="pass a copy, or write a rule for the function with @adjoint",
            )
    return found


def append(reverse: Reverse, base: str, item: gast.expr) -> None:
    """The reverse of `xs.append(x)`: `x_bar` is the last item of `xs_bar`."""
    variable = reverse.bars.own((base, ()))
    popped = quote("xs.pop()", xs=variable)
    if not isinstance(item, gast.Name) or item.id not in reverse.active:
        reverse.bars.out.append(gast.Expr(value=popped))
        return
    kind = reverse.kinds.names.get(item.id, UNKNOWN)
    places = reverse.bars.places(item.id)
    if places == [(item.id, ())] and places[0] not in reverse.bars.present:
        reverse.bars.assign(reverse.bars.variable(places[0]), popped, kind)
        variable_name = name(reverse.bars.variable(places[0]))
        reverse.bars.present[places[0]] = Bar(variable_name, kind, False)
        return
    temporary = reverse.bars.temporary("item_bar")
    reverse.bars.assign(temporary, popped, kind)
    for place, bar in joined(reverse, {(temporary, ()): Bar(name(temporary), kind, False)}, item.id):
        reverse.bars.contribute(place, bar.node, bar.kind, False)


def store(reverse: Reverse, statement: Any, target: gast.expr) -> Item:
    """A store into memory: fine where it is inactive, refused where a derivative flows."""
    base = target
    while isinstance(base, (gast.Subscript, gast.Attribute)):
        base = base.value
    memory = reads(base) | writes(base)
    involved = sorted(
        n
        for n in reverse.active
        if any(reverse.aliases.share(n, own) for own in memory)
        and (n in memory or reverse.aliases.is_changed(n))
    )
    involved += sorted((reads(statement.value) & reverse.active) - set(involved))
    if involved:
        raise UnsupportedSyntaxError(
            f"an in-place update through which the derivative of `{involved[0]}` flows",
            origin_of(statement),
            why="autodiff does not follow derivatives through memory that is updated in place yet",
            cure="build a new array (np.where, np.concatenate, a list of the parts) instead",
        )
    step = Step([statement], [], origin_of(statement))
    if isinstance(base, gast.Name):
        step.mutates = (base.id,)
    return step


def delete(reverse: Reverse, statement: gast.Delete) -> Item:
    """`del x[i]`: fine where it is inactive, refused where a derivative flows."""
    for target in statement.targets:
        base = target
        while isinstance(base, (gast.Subscript, gast.Attribute)):
            base = base.value
        for own in sorted(reads(base)):
            if set(reverse.aliases.sharing(own)) & reverse.active:
                raise UnsupportedSyntaxError(
                    f"`del` of a part of `{own}`, which carries a derivative",
                    origin_of(statement),
                    why="autodiff does not follow derivatives through containers that shrink yet",
                    cure="build a new container without the item",
                )
    return Step([statement], [], origin_of(statement))


def whole_names(tree: gast.FunctionDef, kinds: Kinds) -> frozenset[str]:
    """Names of containers whose parts are reached by indices that are only known at run time.

    Names between which whole containers are copied agree, so that their adjoints need no conversion
    inside loops.
    """
    found: set[str] = set()
    for node in walk(tree):
        if isinstance(node, gast.Subscript) and isinstance(node.value, gast.Name):
            kind = kinds.names.get(node.value.id)
            if isinstance(kind, (Sequence, Unknown)):
                found.add(node.value.id)
            elif isinstance(kind, Record) and isinstance(node.ctx, gast.Load):
                if isinstance(node.slice, gast.Slice):
                    if slice_of(node.slice, kinds.of) is None:
                        found.add(node.value.id)
                elif key_of(node.slice, kinds.of) is None:
                    found.add(node.value.id)
        elif isinstance(node, gast.Expr) and isinstance(node.value, gast.Call):
            function = node.value.func
            if isinstance(function, gast.Attribute) and isinstance(function.value, gast.Name):
                if isinstance(kinds.names.get(function.value.id), (Record, Sequence)):
                    if function.attr in ("append", "extend", "insert"):
                        found.add(function.value.id)
    for identifier, kind in kinds.names.items():
        if not isinstance(kind, Record):
            found.add(identifier)
    return frozenset(found)


def identity(
    reverse: Reverse, statement: gast.Assign, source: gast.expr, taken: dict[Place, Bar]
) -> bool:
    """`list(xs)`, `tuple(xs)`, `sequence(xs)`: the same parts in another container."""
    if not isinstance(source, gast.Name):
        return False
    kind = reverse.kinds.known(source)
    target_kind = reverse.kinds.known(statement.targets[0])
    if isinstance(kind, Array) and not isinstance(target_kind, Array):
        return False
    if source.id in reverse.active:
        for place, bar in joined(reverse, taken, source.id):
            reverse.pass_on(place, bar, statement)
    return True


def listing(
    reverse: Reverse, statement: gast.Assign, call: gast.Call, taken: dict[Place, Bar]
) -> bool:
    """`d.items()` and `d.values()` of a dict whose keys are known."""
    function = call.func
    if not isinstance(function, gast.Attribute) or not isinstance(function.value, gast.Name):
        return False
    base = function.value.id
    kind = reverse.kinds.known(function.value)
    if not isinstance(kind, Record) or kind.cls is not dict or call.args:
        return False
    if function.attr not in ("items", "values"):
        return function.attr == "keys"
    (target, _) = next(iter(taken))
    for number, key in enumerate(kind.keys):
        parts: dict[Place, Bar] = {}
        for (_, path), bar in taken.items():
            index: tuple[object, ...] = (number,) if function.attr == "values" else (number, 1)
            if not path:
                node = primitives.part_of(bar.node, index)
                parts[target, ()] = Bar(node, kind.items[number], False)
            elif path[: len(index)] == index:
                parts[target, path[len(index) :]] = bar
        if parts:
            take_part(reverse, base, key, parts)
    return True
