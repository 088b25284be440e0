"""Stores and calls for their effect: what is done to memory is done to its tangent."""

from __future__ import annotations

from typing import TYPE_CHECKING

import gast

from autodiff.analysis.classes import class_attribute
from autodiff.analysis.kind import Array, Kind, Mapping, Record, Sequence, used
from autodiff.analysis.writing import is_adding
from autodiff.errors import UnsupportedSyntaxError
from autodiff.forward.containers import check_keys
from autodiff.forward.zeros import atom
from autodiff.reverse.refusals import check_giving
from autodiff.runtime import give, give_back
from autodiff.syntax.names import name, reads
from autodiff.syntax.origin import origin_of
from autodiff.syntax.quote import quote_statements
from autodiff.syntax.walk import clone, shallow
from autodiff.syntax.windows import rebased, root

if TYPE_CHECKING:
    from autodiff.forward.forward import Forward

PUTTING = {
    "append": (0,),
    "appendleft": (0,),
    "insert": (1,),
    "extend": (0,),
    "update": (0,),
    "pop": (),
    "popleft": (),
    "clear": (),
    "reverse": (),
    "setdefault": (1,),
}
"""Methods that change a container, and which of their arguments it holds then."""


def store(forward: Forward, statement: gast.Assign | gast.AugAssign) -> list[gast.stmt]:
    """`x[i] = e` with `x_dot[i] = e_dot`; `x[i] += e` likewise."""
    adds = isinstance(statement, gast.AugAssign)
    target = statement.target if adds else statement.targets[0]
    base = root(target)
    if base is None or not forward.carries(base):
        forward.check_unchanged(statement, statement.value)
        check_outside(forward, statement, base)
        return [statement]
    flows = bool(reads(statement.value) & forward.active)
    check_base(forward, statement, target, base)
    if adds and not isinstance(statement.op, (gast.Add, gast.Sub)):
        return [*_scaled(forward, statement, target, base, flows), statement]
    if adds and isinstance(target, gast.Name):
        check_list(forward, statement, target.id)
    if adds and not flows and isinstance(forward.kinds.of(target), Array):
        return [statement]
    if isinstance(target, gast.Attribute) and isinstance(forward.kinds.of(target.value), Array):
        check_attribute(forward, statement, target)
    value = atom(forward, statement.value, statement)
    is_array = isinstance(used(forward.kinds.names.get(base)), Array)
    if not flows and is_array:
        value = gast.Constant(value=0.0, kind=None)
    if isinstance(target, gast.Name):
        place: gast.expr = name(forward.follow(base))
    else:
        place = rebased(target, name(forward.follow(base)))
    place = shallow(place)
    place.ctx = gast.Store()
    if adds:
        new: gast.stmt = gast.AugAssign(target=place, op=statement.op, value=value)
    else:
        new = gast.Assign(targets=[place], value=value)
    late = forward.attempts or isinstance(new, gast.Expr)  # a call asks what there is then
    return [statement, new] if late else [new, statement]


def _scaled(
    forward: Forward, statement: gast.AugAssign, target: gast.expr, base: str, flows: bool
) -> list[gast.stmt]:
    """`x.imag *= c`: so is the tangent."""
    if flows or not isinstance(statement.op, (gast.Mult, gast.Div)):
        raise UnsupportedSyntaxError(
            f"`{base}` carries a derivative and is updated in place by this operator",
            origin_of(statement),
            why="only `+=` and `-=` of such a part are differentiated",
            cure="write `x[...] = x[...] * e`",
        )
    place = shallow(rebased(target, name(forward.follow(base))))
    place.ctx = gast.Store()
    return [gast.AugAssign(target=place, op=statement.op, value=clone(statement.value))]


def check_base(
    forward: Forward, statement: gast.Assign | gast.AugAssign, target: gast.expr, base: str
) -> None:
    """Refuse a store into what is no array, list, dict or object of the function's own."""
    if base not in forward.kinds.local:
        raise UnsupportedSyntaxError(
            f"a value that carries a derivative is stored in the global `{base}`",
            origin_of(statement),
            why="its tangent would have to outlive the call",
            cure=f"pass `{base}` as an argument",
        )
    if isinstance(target, gast.Name):
        return
    kind = used(forward.kinds.known(target.value))
    if isinstance(target, gast.Subscript):
        known = isinstance(kind, (Array, Sequence, Mapping))
        known = known or isinstance(kind, Record) and kind.cls in (list, dict)
        if known and not isinstance(kind, Array):
            check_keys(forward, statement, [target.slice])
    else:
        known = isinstance(kind, Array)
        if isinstance(kind, Record):
            known = not hasattr(class_attribute(kind.cls, target.attr), "__set__") or hasattr(
                class_attribute(kind.cls, target.attr), "__objclass__"
            )
    if not known:
        raise UnsupportedSyntaxError(
            f"an in-place update through which the derivative of `{base}` flows",
            origin_of(statement),
            why="what it updates is only known at run time",
            cure="use arrays, lists, dicts or plain objects",
        )


def check_outside(forward: Forward, statement: gast.stmt, base: str | None) -> None:
    """Refuse what stores a value with a derivative where no tangent can be stored beside it."""
    if reads(statement.value) & forward.active and base in forward.active:
        raise UnsupportedSyntaxError(
            f"a value that carries a derivative is stored in `{base}`",
            origin_of(statement),
            why="it has no tangent",
            cure="store it in an array, list, dict or object",
        )


def check_list(forward: Forward, statement: gast.AugAssign, identifier: str) -> None:
    kind = forward.kinds.names.get(identifier)
    if isinstance(kind, (Record, Sequence)) and isinstance(statement.op, gast.Add):
        return
    raise UnsupportedSyntaxError(
        f"`{identifier}` carries a derivative, and whether this changes it in place is unknown",
        origin_of(statement),
        why="its kind is only known at run time",
        cure="write `x = x + e`, or annotate the argument that it comes from",
    )


def check_attribute(
    forward: Forward, statement: gast.Assign | gast.AugAssign, target: gast.Attribute
) -> None:
    if target.attr in ("real", "imag", "flat"):
        return
    raise UnsupportedSyntaxError(
        f"`.{target.attr}` of an array that carries a derivative is assigned",
        origin_of(statement),
        why="its tangent cannot follow",
        cure="make a new array",
    )


def delete(forward: Forward, statement: gast.Delete) -> list[gast.stmt]:
    """`del xs[i]` with `del xs_dot[i]`."""
    out: list[gast.stmt] = []
    for target in statement.targets:
        base = None if isinstance(target, gast.Name) else root(target)
        if base is not None and forward.carries(base):
            place = shallow(rebased(target, name(forward.follow(base))))
            place.ctx = gast.Del()
            out.append(gast.Delete(targets=[place]))
    return [statement, *out] if forward.attempts else [*out, statement]


def effect(forward: Forward, statement: gast.Expr) -> list[gast.stmt]:
    """`xs.append(x)` with `xs_dot.append(x_dot)`."""
    call = statement.value
    if isinstance(call, gast.Call):
        operation = forward.kinds.call_operation(call)
        if operation is not None and operation.function in (give, give_back):
            if operation.function is give:
                check_giving(forward.kinds, statement, call.args[0])
            return _given(forward, statement, call)
        if is_adding(call, forward.kinds):
            return _added(forward, statement, call)
        if isinstance(call.func, gast.Attribute):
            base = root(call.func.value)
            if base is not None and forward.carries(base):
                return _method(forward, statement, call, base)
    forward.check_unchanged(statement, call)
    return [statement]


def _added(forward: Forward, statement: gast.Expr, call: gast.Call) -> list[gast.stmt]:
    """`np.add.at(x, i, e)`."""
    window, index, value = call.args
    base = root(window)
    if base is None or not forward.carries(base) or not reads(value) & forward.active:
        return [statement]
    own = rebased(window, name(forward.follow(base)))
    arguments = [own, clone(index), atom(forward, value, statement)]
    new = shallow(call)
    new.args = arguments
    added = gast.Expr(value=new)
    return [statement, added] if forward.attempts else [added, statement]


def _given(forward: Forward, statement: gast.Expr, call: gast.Call) -> list[gast.stmt]:
    """`give(s, g)` and `give_back(g, part)`, in a gradient that is differentiated: both are linear.

    Tangents share memory exactly where their primals do.
    """
    into, value = call.args
    base = root(into)
    if base is None or not forward.carries(base):
        forward.check_unchanged(statement, call)
        return [statement]
    if not reads(value) & forward.active:
        return [statement]
    own = rebased(into, name(forward.follow(base)))
    arguments = [own, atom(forward, value, statement)]
    return [statement, gast.Expr(value=gast.Call(func=call.func, args=arguments, keywords=[]))]


def moved(forward: Forward, statement: gast.Assign) -> list[gast.stmt] | None:
    """`last = xs.pop()` where nothing flows from `last`: the tangent of `xs` loses an item, too."""
    call = statement.value
    if not isinstance(call, gast.Call) or not isinstance(call.func, gast.Attribute):
        return None
    base = root(call.func.value)
    if call.func.attr not in PUTTING or base is None or not forward.carries(base):
        return None
    if not _is_plain(forward.kinds.known(call.func.value)):
        return None
    return _method(forward, statement, call, base)


def _is_plain(kind: Kind | None) -> bool:
    """Whether a kind is that of a list or dict, no class derived from these."""
    return isinstance(kind, (Sequence, Mapping)) or (
        isinstance(kind, Record) and kind.cls in (list, dict)
    )


def _method(
    forward: Forward, statement: gast.Assign | gast.Expr, call: gast.Call, base: str
) -> list[gast.stmt]:
    method = call.func.attr
    kind = forward.kinds.known(call.func.value)
    is_plain = _is_plain(kind)
    if is_plain and not isinstance(kind, Mapping) and method in ("sort", "remove"):
        return _reordered(forward, statement, call, base)
    if not is_plain or method not in PUTTING or call.keywords or len(call.args) > 2:
        raise UnsupportedSyntaxError(
            f"`{base}` carries a derivative and is changed by `.{method}(...)`",
            origin_of(statement),
            why="autodiff does not know what happens to its tangent",
            cure="build a new value instead of changing the old one",
        )
    data = PUTTING[method]
    arguments = [
        atom(forward, argument, statement) if number in data else clone(argument)
        for number, argument in enumerate(call.args)
    ]
    window = rebased(call.func.value, name(forward.follow(base)))
    function = gast.Attribute(value=window, attr=method, ctx=gast.Load())
    new = gast.Expr(value=gast.Call(func=function, args=arguments, keywords=[]))
    return [statement, new] if forward.attempts else [new, statement]


def _reordered(
    forward: Forward, statement: gast.Assign | gast.Expr, call: gast.Call, base: str
) -> list[gast.stmt]:
    """`xs.sort()` and `xs.remove(x)`: where an item goes depends on the items, not on tangents."""
    window = call.func.value
    dots = rebased(window, name(forward.follow(base)))
    if call.func.attr == "remove":
        text = "del d[xs.index(e)]"
        code = quote_statements(text, d=dots, xs=window, e=call.args[0])
    else:
        order = gast.Call(
            func=forward.helper("sorting"), args=[clone(window)], keywords=list(call.keywords)
        )
        code = quote_statements("d[:] = [d[k] for k in order]", d=dots, order=order)
    return [*code, statement]
