"""The shadow of a value, by doing to shadows what is done to containers: `ys = xs + [e]`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import gast

from autodiff.analysis.contents import holds
from autodiff.analysis.dict_keys import are_keys
from autodiff.analysis.kind import Mapping, differentiable
from autodiff.analysis.moves import COPIES, chained
from autodiff.errors import UnsupportedSyntaxError
from autodiff.reverse.slots import Put, given, rebuilt
from autodiff.runtime import alone, sequence, snapshot
from autodiff.syntax.names import reads
from autodiff.syntax.origin import origin_of
from autodiff.syntax.quote import quote
from autodiff.syntax.walk import clone, shallow

if TYPE_CHECKING:
    from autodiff.reverse.reverse import Reverse

Putting = Callable[..., gast.expr]
"""Makes the shadow of what is put into a container; with `spread`, of its items."""


def putting(reverse: Reverse, statement: gast.stmt, puts: list[Put]) -> Putting:
    """A function that makes the shadow of what is put in, and adds what that takes to `puts`."""

    def put(node: gast.expr, spread: bool = False) -> gast.expr:
        puts.append(given(reverse, statement, node, spread))
        return puts[-1].value

    return put


def followed(
    reverse: Reverse, statement: gast.stmt, value: gast.expr, put: Putting
) -> gast.expr:
    """The expression of the shadow of a value, by what is done to the shadows of its parts."""
    if isinstance(value, (gast.Name, gast.Subscript)):
        return rebuilt(reverse, value)
    if isinstance(value, (gast.Tuple, gast.List)):
        new = shallow(value)
        new.elts = [put(item) for item in value.elts]
        return new
    if isinstance(value, gast.Dict):
        new = shallow(value)
        for key in value.keys:
            if key is not None:
                check_key(reverse, statement, key)
        new.values = [
            put(item) if key is not None else put_all(reverse, statement, item)
            for key, item in zip(value.keys, value.values)
        ]
        return new
    if isinstance(value, gast.BinOp):
        sides = [value.left, value.right]
        made = [put(s, True) if holds(reverse.kinds.of(s)) else clone(s) for s in sides]
        return gast.BinOp(left=made[0], op=value.op, right=made[1])
    return _shadow_of_call(reverse, statement, value, put)


def put_all(reverse: Reverse, statement: gast.stmt, item: gast.expr) -> gast.expr:
    """The shadow of `d` in `{**d}`."""
    if not is_mirrored(reverse, item):
        refuse(reverse, statement, "a dict display with `**`")
    return rebuilt(reverse, item)


def _shadow_of_call(
    reverse: Reverse, statement: gast.stmt, value: gast.Call, put: Putting
) -> gast.expr:
    if isinstance(value.func, gast.Attribute) and is_mirrored(reverse, value.func.value):
        base = rebuilt(reverse, value.func.value)
        if value.func.attr == "values":
            return quote("[s[k] for k in x]", s=base, x=value.func.value)
        if value.func.attr == "copy":
            return quote("s.copy()", s=base)
        return taking(reverse, statement, value, put)
    base = rebuilt(reverse, value.args[0])
    operation = reverse.kinds.operation(value)
    assert operation is not None
    kind = reverse.kinds.known(value.args[0])
    if operation.function is sorted and not isinstance(kind, Mapping):
        order = quote("f(x)", f=reverse.helper("sorting"), x=value.args[0])
        order.keywords = [clone(keyword) for keyword in value.keywords]
        return quote("[s[k] for k in o]", s=base, o=order)
    if operation.function in (alone, snapshot):  # in a gradient that is differentiated again
        return quote("f(s)", f=reverse.helper(operation.function.__name__), s=base)
    is_sequence = operation.function is sequence  # `partly=True` is about iterators
    if operation.function not in COPIES or value.keywords and not is_sequence:
        refuse(reverse, statement, "this use")
    is_table = are_keys(kind)
    if is_table and operation.function in (list, sequence, sorted):  # nothing flows to keys
        return quote("[f() for k in s]", f=reverse.helper("Slot"), s=base)
    if not is_table and operation.function is dict:
        refuse(reverse, statement, "this conversion")
    text = "dict(s)" if is_table else "list(s)"
    own = reverse.kinds.known(value)
    return base if getattr(own, "cls", None) is tuple else quote(text, s=base)


def taking(reverse: Reverse, statement: gast.stmt, value: gast.Call, put: Putting) -> gast.expr:
    """`xs.pop(k)`, `d.get(k, e)`, `d.setdefault(k, e)` of the shadow."""
    base = rebuilt(reverse, value.func.value)
    if value.keywords or any(isinstance(a, gast.Starred) for a in value.args):
        refuse(reverse, statement, f"`.{value.func.attr}(...)` with keywords")
    arguments = [clone(argument) for argument in value.args[:1]]
    if value.args:
        check_key(reverse, statement, value.args[0])
    if len(value.args) == 2:
        arguments.append(put(value.args[1]))
    elif value.func.attr != "pop":
        arguments.append(put(gast.Constant(value=None, kind=None)))
    func = gast.Attribute(value=base, attr=value.func.attr, ctx=gast.Load())
    return gast.Call(func=func, args=arguments, keywords=[])


def check_key(reverse: Reverse, statement: gast.stmt, key: gast.expr) -> None:
    """Refuse a key through which a derivative could flow: it may be read back."""
    varied = reads(key) & reverse.active
    if varied and not isinstance(key, gast.Slice) and differentiable(reverse.kinds.known(key)):
        raise UnsupportedSyntaxError(
            f"`{min(varied)}`, which carries a derivative, is a key of a dict",
            origin_of(statement),
            why="what is read back from the keys would have lost it",
            cure="use integers or strings as keys",
        )


def is_mirrored(reverse: Reverse, node: gast.expr) -> bool:
    """Whether an expression is a container that has a shadow."""
    return chained(node, frozenset(reverse.bars.mirrors), reverse.kinds)


def refuse(reverse: Reverse, statement: gast.stmt, what: str) -> None:
    raise UnsupportedSyntaxError(
        f"{what} of a list or dict that carries a derivative and changes",
        origin_of(statement),
        why="autodiff does not know what it does to the items",
        cure="write it with item assignment, append, insert, pop, del, sort or reverse",
    )
