"""What a `for` loop runs over, as a length and an item for each position.

`zip(xs, range(n))` is `min(len(xs_seq), n)` long and its item at `i` is `(xs_seq[i], i)`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import gast

from autodiff.normalize.build import assign, call, constant, item, plus
from autodiff.normalize.sugar.context import SEQUENCE, ZIP_ITEM, ZIP_LENGTH, ZIP_ROWS, Context
from autodiff.syntax.names import name
from autodiff.syntax.origin import Origin
from autodiff.syntax.walk import clone

Item = Callable[[gast.expr], gast.expr]


@dataclass(frozen=True, slots=True)
class Stream:
    """How long an iterable is (one expression per part, the shortest counts) and its items.

    No length means without end. `equal` holds the lengths that `zip(strict=True)` wants equal.
    """

    lengths: tuple[gast.expr, ...]
    item: Item
    equal: tuple[gast.expr, ...] = ()

    def length(self) -> gast.expr:
        """The number of items."""
        parts = [clone(part) for part in self.lengths]
        return parts[0] if len(parts) == 1 else call("min", *parts)


class Streams:
    """Reads iterables; what has to be evaluated before the loop collects in `setup`.

    `changed` are the names that the loop assigns.
    """

    def __init__(self, context: Context, origin: Origin | None, changed: set[str]) -> None:
        self.context = context
        self.origin = origin
        self.changed = changed
        self.setup: list[gast.stmt] = []
        self.shared: set[str] = set()  # the user's names whose items are read during the loop

    def read(self, iterable: Any) -> Stream:
        """The stream of an iterable."""
        reader = None
        if isinstance(iterable, gast.Call) and not _has_star(iterable.args):
            function = iterable.func
            if isinstance(function, gast.Attribute):
                reader = _METHODS.get(function.attr)
            elif isinstance(function, gast.Name) and self.context.is_builtin(function.id):
                reader = _FUNCTIONS.get(function.id)
        if is_transposing(iterable, self.context):
            rows = self.saved(call(ZIP_ROWS, iterable.args[0].value), "rows")
            return Stream((call(ZIP_LENGTH, name(rows)),), lambda i: call(ZIP_ITEM, name(rows), i))
        stream = None if reader is None else reader(self, iterable)
        if stream is not None:
            return stream
        if isinstance(iterable, (gast.Tuple, gast.List)) and not _has_star(iterable.elts):
            return self.over(self.saved(iterable, "items"))
        return self.over(self.sequence(iterable))

    def over(self, base: str) -> Stream:
        """The items of a name that has a length and can be indexed."""
        return Stream((call("len", name(base)),), lambda i: item(name(base), i))

    def saved(self, value: gast.expr, hint: str) -> str:
        """A new name for the value, evaluated before the loop."""
        made = self.context.temporary(hint)
        self.setup.append(assign(made, value, self.origin))
        return made

    def sequence(self, value: gast.expr) -> str:
        """A name for the iterable as something that can be indexed."""
        base = value
        if isinstance(value, gast.Name):
            self.shared.add(value.id)
        while isinstance(base, gast.Subscript):
            base = base.value
        hint = base.attr if isinstance(base, gast.Attribute) else getattr(base, "id", None)
        return self.saved(call(SEQUENCE, value), f"{hint}_seq" if hint else "items")

    def fixed(self, value: gast.expr, hint: str) -> gast.expr:
        """An atom that keeps the value while the loop runs."""
        if isinstance(value, gast.Constant):
            return value
        if isinstance(value, gast.Name) and value.id not in self.changed:
            return value
        return name(self.saved(value, hint))

    def read_range(self, iterable: Any) -> Stream | None:
        """`range(n)`: the item is the position; other ranges are indexed."""
        if len(iterable.args) != 1 or iterable.keywords:
            return self.over(self.saved(iterable, "steps"))
        return Stream((self.fixed(iterable.args[0], "count"),), lambda i: i)

    def read_enumerate(self, iterable: Any) -> Stream | None:
        """`enumerate(xs, start)`."""
        parts = enumerated(iterable)
        if parts is None:
            return None
        inner = self.read(parts[0])
        start = self.fixed(parts[1], "start")

        def at(i: gast.expr) -> gast.expr:
            count = clone(i) if is_zero(start) else plus(clone(i), clone(start))
            return gast.Tuple(elts=[count, inner.item(i)], ctx=gast.Load())

        return Stream(inner.lengths, at, inner.equal)

    def read_zip(self, iterable: Any) -> Stream | None:
        """`zip(xs, ys, ...)`."""
        strict = _strictness(iterable.keywords)
        if strict is None:
            return None
        return self.together(
            iterable.args, strict, lambda items: gast.Tuple(elts=items, ctx=gast.Load())
        )

    def read_map(self, iterable: Any) -> Stream | None:
        """`map(f, xs, ...)`: the function is called when its item is wanted."""
        if len(iterable.args) < 2 or iterable.keywords:
            return None
        function = iterable.args[0]
        if not isinstance(function, (gast.Name, gast.Attribute)) or (
            isinstance(function, gast.Name) and function.id in self.changed
        ):
            function = name(self.saved(function, "function"))
        return self.together(
            iterable.args[1:],
            False,
            lambda items: gast.Call(func=clone(function), args=items, keywords=[]),
        )

    def together(
        self, iterables: list[Any], strict: bool, joined: Callable[[list[gast.expr]], gast.expr]
    ) -> Stream | None:
        """Several iterables in step."""
        used = [part.id for part in iterables if isinstance(part, gast.Name)]
        if not iterables or len(used) != len(set(used)):
            return None  # one iterator in two places deals out its items in turn
        if len(iterables) > 1 and not self.context.is_builtin("min"):
            return None
        parts = [self.read(part) for part in iterables]
        lengths = tuple(length for part in parts for length in part.lengths)
        equal = tuple(length for part in parts for length in part.equal)
        if strict:
            equal = (*equal, *lengths)
        return Stream(lengths, lambda i: joined([part.item(clone(i)) for part in parts]), equal)

    def read_reversed(self, iterable: Any) -> Stream | None:
        """`reversed(xs)` inside `zip` or `enumerate`: items counted from the back."""
        inner = reversed_sequence(iterable, self.context)
        if inner is None:
            return None
        is_range = is_call(inner, self.context, "range")
        base = self.saved(inner, "steps") if is_range else self.sequence(inner)
        last = gast.UnaryOp(op=gast.USub(), operand=constant(1))

        def at(i: gast.expr) -> gast.expr:
            return item(name(base), gast.BinOp(left=clone(last), op=gast.Sub(), right=i))

        return Stream((call("len", name(base)),), at)

    def read_count(self, iterable: Any) -> Stream | None:
        """`itertools.count(start)` beside something that ends."""
        function, arguments = iterable.func, iterable.args
        is_module = isinstance(function.value, gast.Name) and function.value.id == "itertools"
        if not is_module or not self.context.is_builtin("itertools"):
            return None
        if iterable.keywords or len(arguments) > 1:
            return None
        start = self.fixed(arguments[0] if arguments else constant(0), "start")
        return Stream((), lambda i: i if is_zero(start) else plus(i, clone(start)))


_FUNCTIONS = {
    "range": Streams.read_range,
    "enumerate": Streams.read_enumerate,
    "zip": Streams.read_zip,
    "map": Streams.read_map,
    "reversed": Streams.read_reversed,
}
_METHODS = {"count": Streams.read_count}


def is_call(node: Any, context: Context, *functions: str) -> bool:
    """Whether the node calls one of these builtins, without starred arguments."""
    return (
        isinstance(node, gast.Call)
        and isinstance(node.func, gast.Name)
        and node.func.id in functions
        and context.is_builtin(node.func.id)
        and not _has_star(node.args)
    )


def is_transposing(node: Any, context: Context) -> bool:
    """Whether the node is `zip(*rows)`."""
    return (
        isinstance(node, gast.Call)
        and isinstance(node.func, gast.Name)
        and node.func.id == "zip"
        and context.is_builtin("zip")
        and len(node.args) == 1
        and isinstance(node.args[0], gast.Starred)
        and not node.keywords
    )


def is_zero(node: gast.expr) -> bool:
    """Whether the node is the constant 0."""
    return isinstance(node, gast.Constant) and type(node.value) is int and node.value == 0


def enumerated(iterable: Any) -> tuple[Any, Any] | None:
    """The iterable and the start of an `enumerate(...)`."""
    arguments, keywords = iterable.args, iterable.keywords
    if len(arguments) == 2 and not keywords:
        return arguments[0], arguments[1]
    if len(arguments) == 1 and not keywords:
        return arguments[0], constant(0)
    if len(arguments) == 1 and len(keywords) == 1 and keywords[0].arg == "start":
        return arguments[0], keywords[0].value
    return None


def reversed_sequence(iterable: Any, context: Context) -> Any:
    """What is reversed, if it is a sequence (Python refuses to reverse a `zip`, and says so)."""
    if len(iterable.args) != 1 or iterable.keywords:
        return None
    inner = iterable.args[0]
    if is_call(inner, context, "zip", "enumerate", "map", "filter", "reversed"):
        return None
    return None if isinstance(inner, gast.GeneratorExp) else inner


def _strictness(keywords: list[Any]) -> bool | None:
    if not keywords:
        return False
    if len(keywords) == 1 and keywords[0].arg == "strict":
        value = keywords[0].value
        if isinstance(value, gast.Constant):
            return bool(value.value)
    return None


def _has_star(nodes: list[Any]) -> bool:
    return any(isinstance(node, gast.Starred) for node in nodes)
