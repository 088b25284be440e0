"""What a loop adds to one element, the same in all iterations, is summed in a number."""

from __future__ import annotations

import gast

from autodiff.kinds.kind import Array, Scalar
from autodiff.native.native_kinds import NativeKinds
from autodiff.syntax.change import Block, changed, map_blocks
from autodiff.syntax.names import name, reads, store, writes
from autodiff.syntax.quote import quote_statements
from autodiff.syntax.sections import replace_in_reverse
from autodiff.syntax.walk import same, walk

_PLAIN = (gast.Name, gast.Constant, gast.BinOp, gast.operator, gast.expr_context)


def promoted(tree: gast.FunctionDef, known: NativeKinds) -> gast.FunctionDef:
    """Elements that a loop only adds to, with an index that no iteration changes.

                                               added = False
                                               x_bar_i = 0.0
        for j in range(n):                     for j in range(n):
            if i != j:                             if i != j:
                                                       added = True
                x_bar[i] += a[j]                       x_bar_i += a[j]
                x_bar[j] -= a[j]                       x_bar[j] -= a[j]
                                               if added:
                                                   x_bar[i] += x_bar_i

    LLVM cannot tell that the other stores leave the element alone, so each iteration waits for what
    the one before has stored. None of them reads the array, so only the order of sums differs.
    Where nothing is added there need be no such element.
    """

    def loops(node: gast.stmt) -> list[gast.stmt] | None:
        if not isinstance(node, gast.For):
            return None
        before, loop, after = _Loop(node, known).parts()
        return [*before, map_blocks(inside, loop), *after]

    def inside(body: Block) -> Block:
        return [new for node in body for new in loops(node) or [map_blocks(inside, node)]]

    return replace_in_reverse(loops, tree)


class _Loop:
    def __init__(self, loop: gast.For, known: NativeKinds) -> None:
        self.loop = loop
        self.known = known
        self.bound = writes([loop])
        self.updates = [node for node in walk(loop) if self.is_update(node)]

    def parts(self) -> tuple[Block, gast.For, Block]:
        """What stands before the loop, the loop, and what stands after it."""
        before: Block = []
        after: Block = []
        totals = self.totals()
        if not totals:
            return before, self.loop, after

        def block(body: Block) -> Block:
            """The statements with sums to numbers; elements of one block are added together."""
            result: Block = []
            late: Block = []
            for node in body:
                own = next((k for k, one in enumerate(totals) if one is node), None)
                if own is None:
                    result.append(map_blocks(block, node))
                    continue
                total = self.known.fresh(_spelled(node.target), Scalar("float"))
                before.extend(quote_statements("t = 0.0", t=total))
                result.append(changed(node, target=store(total), op=gast.Add()))
                late.append(changed(node, value=name(total)))
            if late:
                added = self.known.fresh("added", Scalar("bool"))
                before.extend(quote_statements("f = False", f=added))
                result[:0] = quote_statements("f = True", f=added)
                after.append(gast.If(test=name(added), body=late, orelse=[]))
            return result

        loop = changed(self.loop, body=block(self.loop.body))
        return before, loop, after

    def totals(self) -> Block:
        """The updates of elements that all iterations share, of arrays that are only added to."""
        return [
            node
            for node in self.updates
            if not reads(node.target.slice) & self.bound
            and node.target.value.id not in self.bound
            and sum(same(node.target, other.target) for other in self.updates) == 1
            and self.is_only_added_to(self.known.memory.group(node.target.value.id))
        ]

    def is_only_added_to(self, group: object) -> bool:
        """Whether memory is mentioned in the loop but where numbers are added to its elements."""
        bases = {id(node.target.value) for node in self.updates}
        return all(
            id(part) in bases
            for part in walk(self.loop)
            if isinstance(part, gast.Name)
            and not isinstance(self.known.of(part), Scalar)
            and self.known.memory.group(part.id) == group
        )

    def is_update(self, node: gast.AST) -> bool:
        """Whether a statement adds a number to an element of an array of floats."""
        if not isinstance(node, gast.AugAssign) or not isinstance(node.op, (gast.Add, gast.Sub)):
            return False
        target = node.target
        if not isinstance(target, gast.Subscript) or not isinstance(target.value, gast.Name):
            return False
        base, element, value = map(self.known.of, (target.value, target, node.value))
        return (
            isinstance(base, Array)
            and base.dtype == "float64"
            and isinstance(element, Scalar)
            and isinstance(value, Scalar)
            and value.type in ("float", "int", "bool")
            and all(isinstance(part, _PLAIN) for part in _parts(target.slice))
        )


def _parts(index: gast.expr) -> list[gast.AST]:
    """The nodes of an index, those of a tuple without the tuple."""
    found = walk(list(index.elts) if isinstance(index, gast.Tuple) else index)
    return [part for part in found if not isinstance(part, gast.Tuple)]


def _spelled(target: gast.Subscript) -> str:
    """`x_bar_i_2` for `x_bar[i, 2]`."""
    parts = target.slice.elts if isinstance(target.slice, gast.Tuple) else [target.slice]
    words = [str(getattr(part, "id", getattr(part, "value", "k"))) for part in parts]
    return "_".join([target.value.id, *words])
