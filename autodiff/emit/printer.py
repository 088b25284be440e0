"""Core as statements."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast

from autodiff.core import (
    About,
    Accumulate,
    Break,
    Function,
    Move,
    NotYet,
    Pop,
    Push,
    Take,
    Try,
    Verbatim,
    While,
)
from autodiff.core.operation import Apply, For, If, Load, LoadOuter, Loop, Operation, Store, View
from autodiff.core.value import NOTHING, Block, Value
from autodiff.deadline import check
from autodiff.emit.calls import Calls
from autodiff.emit.compound import (
    Contexts,
    apart_from,
    breaks,
    is_own,
    is_product,
    runs,
    try_statement,
    while_loop,
    with_statement,
)
from autodiff.emit.idioms import Ownership, is_of_tuple, is_taken_apart, unpacking
from autodiff.emit.looking import asking, is_read
from autodiff.kinds.kind import Array, Scalar
from autodiff.normalize.build import method
from autodiff.primitives.primitive import filled
from autodiff.runtime.unbound import Unbound
from autodiff.syntax.comment import comment
from autodiff.syntax.names import name, reads, store
from autodiff.syntax.walk import map_children, same

Statements = list[gast.stmt]


class Printer(Calls):
    """Prints one function. `spelled` gives the name by which an object is referred to. fresh: gives
    one that means nothing.
    """

    fresh: Callable[[str], str]

    def __init__(
        self,
        function: Function,
        taken: set[str],
        spelled: Callable[[Any], str],
        tape: str,
        plain: bool = False,
    ) -> None:
        super().__init__(function, taken, spelled, tape, plain)
        self.last: Any = None
        self.within: Contexts = ()
        self.begins, self.begun = True, dict[str, type[Unbound] | None]()
        self.ownership = Ownership(self.places)

    def block(self, operations: list[Operation]) -> None:
        """Operations in a row."""
        check()
        shown = [
            op for op in operations if not op.results or op.results[0] not in self.places.inline
        ]
        for context, run in runs(shown, self.within):
            if context is None:
                self.row(run)
            else:
                self.out.append(with_statement(self, context, run))

    def row(self, shown: list[Operation]) -> None:
        """Operations in a row that print."""
        unpacked: set[Operation] = set()
        for k, op in enumerate(shown):
            if op in unpacked:
                continue
            self.remark(op)
            parts = unpacking(shown, k)
            whole = self.expr(parts[0].operands[0]) if parts else None
            if not parts and is_taken_apart(shown, k, self.places.users):
                parts, whole = unpacking(shown, k + 1), self.operation(op)
            if parts and whole is not None:
                unpacked.update(parts)
                self.take_apart(parts, whole)
                continue
            with About(op):
                getattr(self, f"on_{type(op).__name__}")(op)

    def take_apart(self, parts: list[Apply] | list[Load], whole: gast.expr) -> None:
        """All parts of a container in one statement."""
        targets = [store(self.names[op.result]) for op in parts]
        target = gast.Tuple(elts=targets, ctx=gast.Store())
        self.write(gast.Assign([target], whole, None), parts[0])

    def nested(self, block: Block, targets: list[Value], start: int = 0) -> Statements:
        """The statements of a block that ends by giving values to variables."""
        outer, self.out, last = self.out, [], self.last
        if block.operations and block.operations[0].reverse:
            self.last = None
        self.block(block.operations[start:])
        self.copies(list(zip(targets, block.results)))
        self.out += breaks(self, block)
        found, self.out = self.out, outer
        self.last = None if self.last is not last else last
        return found

    def remark(self, op: Operation) -> None:
        """Each piece of the reverse sweep is headed by the statement that it reverses."""
        if not op.reverse or op.origin is None or isinstance(op, (Loop, If, Pop, Move)):
            return
        if op.origin != self.last and op.origin.text:
            self.last = op.origin
            if not op.origin.text.startswith(("for ", "if ", "while ", "with ", "elif ")):
                self.out.append(comment(op.origin.text))

    def copies(self, pairs: list[tuple[Value, Value]], op: Operation | None = None) -> None:
        """Names := values, all at once; nothing is overwritten before it is read."""
        pairs = [pair for pair in pairs if pair[1].constant is not NOTHING]
        found = [(target, self.expr(value), value) for target, value in pairs]
        found = [each for each in found if getattr(each[1], "id", None) != self.names[each[0]]]
        for target, _, value in found:
            if value.partial and not is_adjoint(target):
                self.begin(value, target)
        todo = [(self.names[target], e, value) for target, e, value in found]
        while todo:
            asked = {n: {own for own, e, _ in todo if n in reads(e)} - {n} for n, _, _ in todo}
            free = next((each for each in todo if not asked[each[0]]), None)
            if free is None:
                targets = gast.Tuple([store(n) for n, _, _ in todo], gast.Store())
                values = gast.Tuple([e for _, e, _ in todo], gast.Load())
                self.write(gast.Assign([targets], values, None))
                return
            todo.remove(free)
            if free[2].op is not None and free[2] in self.places.inline:
                self.remark(free[2].op)
            self.assign(free[0], free[1], isinstance(free[2].kind, Scalar), free[2].op or op)

    def begin(self, value: Value, target: Value | None = None) -> None:
        """What may hold nothing is copied, or kept. It begins with `None` if nobody asks for it
        then; else with what stands for no value, which is found where it is read.
        """
        own = self.names[value]
        readers = [] if target is None else [*asking(target, self.places.users)]
        reads = {op: self.names[op.operands[0]] for op in self.places.start if is_read(op)}
        asked = {reads[op] for op in readers if op in reads} | ({own} & {*reads.values()})
        typed = self.places.plain and (asked or target is None)
        if not self.begins or not reads.keys() >= {*readers} or typed:
            raise NotYet("what may hold nothing gets another name")
        self.checked |= asked
        self.begun[own] = Unbound if asked else self.begun.get(own)

    def on_Push(self, op: Push) -> None:
        for value in op.operands:
            if value.partial:
                self.begin(value)
        super().on_Push(op)

    def assign(self, own: str, e: gast.expr, number: bool, op: Operation | None) -> None:
        """`own = e`; `own += rest` where that is the same and nobody can see the difference."""
        if self.places.plain and number and op is not None and op.reverse:
            added = apart_from(own, e)
            if added is not None and own not in reads(added[1]):
                self.write(gast.AugAssign(store(own), *added), op)
                return
        adds = isinstance(e, gast.BinOp) and isinstance(e.op, (gast.Add, gast.Sub))
        adds = adds and op is not None and (op.reverse or op.origin is None)
        if adds and getattr(e.left, "id", None) == own and op is not None:
            if number or self.ownership.may_change(op):
                self.write(gast.AugAssign(store(own), e.op, e.right), op)
                return
        self.write(gast.Assign([store(own)], e, None), op)

    def given(self, op: Operation, e: gast.expr, number: bool = False) -> None:
        """What an operation gives gets its name, if anybody reads it."""
        if op.result in self.places.users:
            self.assign(self.names[op.result], e, number, op)
        else:
            self.write(gast.Expr(e), op)

    def on_Apply(self, op: Apply | Load | View) -> None:
        self.given(op, self.operation(op), op.result.is_number)

    on_Load = on_View = on_Apply

    def on_LoadOuter(self, op: LoadOuter) -> None:
        self.write(gast.Assign([store(self.names[op.result])], self.operation(op), None), op)

    def on_Store(self, op: Store) -> None:
        target = self.subscript(self.expr(op.base), op)
        value = self.expr(op.value)
        inner = op.value.op
        if (
            op.value in self.places.inline
            and isinstance(inner, Apply)
            and isinstance(value, gast.BinOp)
            and (isinstance(op.base.kind, Array) or isinstance(op.value.kind, Scalar))
        ):  # `items[k] += v` of an array in a container changes the array, which may be another's
            old = value.left if op.window is not None else self.subscript(value.left, op)
            if same(old, target) and not (self.places.plain and is_product(value)):
                base = self.expr(op.base)
                is_name = op.window is None and isinstance(base, gast.Name) and is_own(op)
                whole: gast.expr = base if is_name else target
                self.write(gast.AugAssign(_stored(whole), value.op, value.right), op)
                return
        self.write(gast.Assign([_stored(target)], value, None), op)

    def on_Accumulate(self, op: Accumulate) -> None:
        base = self.expr(op.base)
        value = self.expr(op.value)
        if op.scattered:
            self.scattered(op, base, value)
            return
        plain = op.window is None and is_own(op) and isinstance(base, (gast.Name, gast.Subscript))
        plain = plain and (isinstance(base, gast.Name) or not is_of_tuple(op.base))
        target = base if plain else self.subscript(base, op)
        sign = gast.Add() if op.sign == "+" else gast.Sub()
        self.write(gast.AugAssign(_stored(target), sign, value), op)

    def on_Take(self, op: Take) -> None:
        place = [] if op.place is None else [self.expr(op.place)]
        called = method(self.expr(op.base), "pop", *place)
        self.given(op, called)

    def on_For(self, op: For) -> None:
        self.copies(list(zip(op.carried, op.inits)), op)
        target: gast.expr = store(self.names[op.variable])
        over = self.expr(op.over)
        if op is self.over_tape:
            pop = op.body.operations[0]
            target, over = self.targets(pop.results), name(self.tape)
        elif op.over.is_constant:
            raise NotYet("a loop over the tape that asks for more")
        if op.backwards:
            over = gast.Call(name(self.spelled(reversed)), [over], [])
        body = self.nested(op.body, op.carried)
        loop = gast.For(target, over, body or [gast.Pass()], [], None)
        loop.unordered = op.unordered
        if op is self.over_tape:
            assert isinstance(pop, Pop)
            loop.site = self.site(pop.push)
        self.write(loop, op)
        self.last = None

    def on_While(self, op: While) -> None:
        self.copies(list(zip(op.carried, op.inits)), op)
        self.write(while_loop(self, op), op)
        self.last = None

    def on_Break(self, op: Break) -> None:
        """It stands at the end of the body, behind the copies."""

    def on_Verbatim(self, op: Verbatim) -> None:
        self.write(self.form(filled(op.form, lambda number: self.expr(op.operands[number]))), op)

    def on_If(self, op: If) -> None:
        first, second = [self.nested(block, op.results) for block in op.blocks]
        if not first and not second:
            return
        test = self.expr(op.test)
        if not first:
            test = gast.UnaryOp(op=gast.Not(), operand=test)
            first, second = second, first
        self.write(gast.If(test=test, body=first, orelse=second), op)
        self.last = None

    def on_Try(self, op: Try) -> None:
        self.write(try_statement(self, op), op)
        self.last = None

    def on_Move(self, op: Move) -> None:
        self.copies(list(zip(op.results, op.operands)), op)


def _stored(node: gast.expr) -> gast.expr:
    """The same expression as a target."""
    if isinstance(node, gast.Name):
        return store(node.id)
    assert isinstance(node, (gast.Subscript, gast.Attribute))
    new = map_children(lambda child: child, node)
    new.ctx = gast.Store()
    return new


def is_adjoint(value: Value) -> bool:
    """Whether the reverse sweep joins a value, which reads no variable that holds nothing."""
    return value.op is not None and value.op.reverse
