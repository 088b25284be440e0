"""Adjoints of copies, tuples, lists, dicts and objects: moving values moves their adjoints.

A part of fixed structure (`pair[0]`, `params["w"]`, `model.w`) has an adjoint of its own, so taking
a tuple apart or building one writes no code. Where the index is only known at run time, the adjoint
of the whole list is a list.
"""

from __future__ import annotations

from collections.abc import Set
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import gast

from autodiff.analysis.flow import index_influences
from autodiff.analysis.keys import key_of, slice_of
from autodiff.analysis.kind import UNKNOWN, Record, Sequence, differentiable
from autodiff.analysis.known import Kinds
from autodiff.analysis.objects import makes_named_tuple
from autodiff.errors import UnsupportedSyntaxError
from autodiff.reverse import primitives
from autodiff.reverse.parts import add_item, joined, part_of, real_part, take_part
from autodiff.reverse.places import Place
from autodiff.reverse.values import Bar
from autodiff.runtime import assembled, restructured
from autodiff.syntax.names import reads
from autodiff.syntax.origin import origin_of
from autodiff.syntax.quote import quote

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
    for key in node.keys:
        for own in sorted(set() if key is None else reads(key) & reverse.active):
            if differentiable(reverse.kinds.known(key)):
                raise UnsupportedSyntaxError(
                    f"a key computed from `{own}`, which carries a derivative",
                    origin_of(statement),
                    why="keys have no adjoints",
                    cure="wrap the key in stop_gradient",
                )
    for key, value in zip(keys, node.values):
        if key is None and reads(value) & reverse.active:
            raise UnsupportedSyntaxError(
                "a dict with a computed key holds a value that carries a derivative",
                origin_of(statement),
                why="autodiff follows the parts of a dict by keys that are constant",
                cure="use constant keys, or a list",
            )
    give(reverse, statement, dict(zip(keys, node.values)), taken)


def built(
    reverse: Reverse, statement: gast.Assign, taken: dict[Place, Bar]
) -> bool:
    """`p = Point(x, y)` of a namedtuple, or an object built from its attributes: as for a tuple."""
    operation = reverse.kinds.operation(statement.value)
    if operation is None:
        return False
    function = operation.function
    if function is assembled or function is SimpleNamespace:
        give(reverse, statement, dict(operation.keywords), reverse.bars.protect(taken))
        return True
    if function is restructured:  # the adjoint of an object, in a gradient that is differentiated
        copied = gast.Assign(targets=statement.targets, value=operation.arguments[1])
        copied.origin = origin_of(statement)
        copy(reverse, copied, statement.targets[0].id, reverse.bars.protect(taken))
        return True
    if not isinstance(function, type) or not makes_named_tuple(function):
        return False
    fields: tuple[str, ...] = function._fields  # type: ignore[attr-defined]
    given = dict(zip(fields, operation.arguments)) | dict(operation.keywords)
    if set(given) != set(fields):
        return False
    elements = {number: given[field] for number, field in enumerate(fields)}
    give(reverse, statement, elements, reverse.bars.protect(taken))
    return True


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
                part = part_of(bar.node, (key,))
                if bar.kind == UNKNOWN:  # zero, where this iteration is not the last that made it
                    index = gast.Constant(value=key, kind=None)
                    part = quote("f(g, k)", f=reverse.helper("part"), g=bar.node, k=index)
                kind = reverse.kinds.names.get(element.id, UNKNOWN)
                part = real_part(reverse, part, kind, bar.kind, (key,))
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
    if not reads(node) & reverse.active:  # `math.pi`
        return
    base = reverse.kinds.known(node.value)
    if isinstance(base, Record) and isinstance(node.value, gast.Name):
        fields = getattr(base.cls, "_fields", ())
        key: Any = fields.index(node.attr) if node.attr in fields else node.attr
        take_part(reverse, node.value.id, key, taken)
        return
    primitives.primitive(reverse, statement, target, taken)


def check_index(
    node: gast.Subscript, statement: gast.stmt, kinds: Kinds, active: Set[str]
) -> None:
    """Refuse an index through which a derivative may flow."""
    for own in sorted(index_influences(node, kinds) & active):
        raise UnsupportedSyntaxError(
            f"an index computed from `{own}`, which carries a derivative",
            origin_of(statement),
            why="what is indexed may be an object that computes with its index, as np.r_ does",
            cure="call a function instead (np.concatenate, np.column_stack), or wrap the index in "
            "stop_gradient",
        )


def subscript(
    reverse: Reverse, statement: gast.Assign, target: str, taken: dict[Place, Bar]
) -> None:
    """`y = x[i]`: a part of a container, or an element or view of an array."""
    node = statement.value
    check_index(node, statement, reverse.kinds, reverse.active)
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
                    place = (base, (keys[path[0]], *path[1:]))  # type: ignore[call-overload]
                    reverse.bars.contribute(place, bar.node, bar.kind, bar.owned)
                else:
                    for number, key in enumerate(keys):
                        sub = part_of(bar.node, (number,))
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
    each = [(part.id, reverse.take(part.id)) for part in target.elts]
    parts = [(n, part, reverse.bars.protect(t)) for n, (part, t) in enumerate(each)]
    if not isinstance(source, gast.Name) or source.id not in reverse.active:
        return
    kind = reverse.kinds.known(source)
    if isinstance(kind, Record) and not issubclass(kind.cls, (tuple, list, dict)):
        reverse.refuse_active(statement)
    for number, part, taken in parts:
        if not taken or part not in reverse.active:
            continue
        index = gast.Constant(value=number, kind=None)
        if isinstance(kind, Record) and source.id not in reverse.bars.whole:
            take_part(reverse, source.id, number, taken)
        elif isinstance(kind, (Record, Sequence)):
            add_item(reverse, source.id, index, taken)
        else:
            operation = reverse.kinds.operation(gast.Subscript(source, index, gast.Load()))
            assert operation is not None
            primitives.apply(reverse, statement, part, operation, taken)
