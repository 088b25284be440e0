"""The invariants of Core, checked after every pass in the tests."""

from __future__ import annotations

from collections.abc import Iterable

from autodiff.core.function import Function, around_value
from autodiff.core.operation import Apply, If, Load, Loop, Operation
from autodiff.core.value import Block, Value


def verify(function: Function, after: str, outside: bool = False, again: bool = False) -> None:
    """A value has one definition, and is used inside of its block or deeper, behind that. Memory
    that changes is loaded by whoever computes something from it.

    outside: values of the function around it are used too. again: it is differentiated from here
    on; else sweeps read adjoints themselves, and what they keep.

    Raises AssertionError, naming the pass after which that does not hold.
    """
    defined: set[Value] = set()

    def check(condition: object, what: str) -> None:
        assert condition, f"after {after}: {what}"

    def define(values: Iterable[Value], visible: set[Value]) -> None:
        for value in values:
            check(value not in defined, f"{value!r} has two definitions")
            check(value.kind is not None, f"{value!r} has no kind")
            if after == "lower" and value.region is not None:
                check(value.region.shadow is None, f"the region of {value!r} has adjoints already")
            defined.add(value)
            visible.add(value)

    def block(inner: Block, outer: set[Value]) -> None:
        visible = set(outer)
        define(inner.parameters, visible)
        for op in inner.operations:
            check(op.block is inner, f"{type(op).__name__} is in another block than it says")
            for value in op.operands:
                check(
                    value.is_constant or value in visible,
                    f"{value!r} is used outside of its block, in {type(op).__name__}",
                )
            bare = reads_itself(op) if again else []
            check(not bare, f"{bare} changes, and is read without a load, in {op.origin}")
            for nested in op.blocks:
                check(nested.parent is op, "a block is nested elsewhere than it says")
                block(nested, visible)
            if isinstance(op, Loop):
                sizes = {len(op.carried), len(op.inits), len(op.body.results), len(op.results)}
                check(len(sizes) == 1, "what a loop carries is not complete")
                one = after != "lower" or all(map(is_one, op.groups))
                check(one, "what a loop carries is of several regions")
            elif isinstance(op, If):
                sizes = {len(op.results), *(len(each.results) for each in op.blocks)}
                check(len(sizes) == 1, "what a branch joins is not complete")
            for value in op.results:
                check(value.op is op, f"{value!r} is the result of another operation than it says")
            define(op.results, visible)
        for value in inner.results:
            check(
                value.is_constant or value in visible, f"{value!r} is a result that is not defined"
            )

    seeds = set(function.seeds or ())
    if outside:
        used = {value for op in function.body.walk() for value in op.operands}
        seeds |= {value for value in used if function.body not in around_value(value)}
    defined |= seeds
    block(function.body, seeds)
    forward = function.body.operations[: function.boundary or 0]
    check(not any(op.reverse for op in forward), "the forward sweep has a part of the reverse one")


def is_one(values: Iterable[Value]) -> bool:
    """Whether the memory of values is of one region."""
    return len({value.region for value in values if value.region is not None}) < 2


def reads_itself(op: Operation) -> list[Value]:
    """The memory that an operation reads, and that changes, but for what was loaded."""
    if not isinstance(op, Apply) or op.reverse or op.shadow or op.reads:
        return []
    if op.primitive.function is None or op.primitive.memory != "new":
        return []
    return [
        value
        for k, value in enumerate(op.operands)
        if k >= op.primitive.formal and k not in op.changes
        if value.is_array and value.is_written and not isinstance(value.op, Load)
    ]
