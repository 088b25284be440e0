"""Each operation with its tangent beside it, from the first on.

    y = x * w           y_dot = x_dot * w + w_dot * x
                        y = x * w

A value that carries a derivative has a tangent of its form. Whoever changes memory changes the
tangent of that: it is a shadow, made where the memory is made, which lies as that does, and views
of the memory are views of the shadow. So tangents share memory as their values do, and blocks carry
and join tangents beside values. A tangent that is zero is not there, until a block asks for it.
"""

from __future__ import annotations

from autodiff.core import (
    About,
    Accumulate,
    Append,
    Apply,
    Ask,
    Block,
    Call,
    If,
    Load,
    LoadOuter,
    Loop,
    NotYet,
    Operation,
    Store,
    Take,
    Try,
    Value,
    View,
    constant,
    walk,
)
from autodiff.emit.naming import hint
from autodiff.primitives import Builder
from autodiff.primitives.containing import is_container
from autodiff.primitives.containing import key_of as held_at
from autodiff.reversal.pulled import is_item
from autodiff.rules import registry
from autodiff.tangent.after_try import behind, read_by, reads_later
from autodiff.tangent.applications import Applications


class Tangents(Applications):
    """Writes the tangents of a function. What is not handled here has no tangent: it gives nothing
    that carries a derivative. has_rules: each operation needs one.
    """

    has_rules = True

    def block(self, block: Block) -> None:
        """The tangents of a block: each before its value, unless it reads that. What the test of a
        loop computes has its tangents behind that.
        """
        operations, block.operations = self.together(block.operations), []
        asks = next((k for k, op in enumerate(operations) if isinstance(op, Ask)), 0)
        quiet = not any(e.what == "write" for op in operations[:asks] for e in op.effects())
        late: list[Operation] = []
        for k, op in enumerate(operations):
            start = self.since = len(block.operations)
            builder = Builder(block, self.references, op.origin, reverse=True)
            builder.contexts = op.contexts
            handler = getattr(self, f"on_{type(op).__name__}", None)
            with About(op):
                if any(self.shadowed(v) and v not in self.of for v in self.whole(op)):
                    raise NotYet("memory that changes, and has no tangent")
                if handler is not None:
                    handler(op, builder)
            made = block.operations[start:]
            for each in walk(made):
                each.shadow = True
            del block.operations[start:]
            if quiet and k < asks or late or reads_later(made, operations[k + 1 :]):
                late += made
                made = []
            behind = not read_by(made).isdisjoint(op.results)
            if behind and isinstance(block.parent, Loop) and op.results[0] in block.results:
                self.keep(op, made)
            block.operations += [op, *made] if behind else [*made, op]
            if late and k >= asks and not reads_later(late, operations[k + 1 :]):
                block.operations += late
                late = []

    def together(self, operations: list[Operation]) -> list[Operation]:
        """Several new results are taken apart where they are made: tangents read other parts."""
        behind: dict[Operation | None, list[Operation]] = {op: [] for op in operations}
        parts = [op for op in operations if is_item(op) and self.is_parted(op.operands[0])]
        parts = [op for op in parts if op.operands[0].op in behind]
        for op in parts:
            behind[op.operands[0].op].append(op)
        return [each for op in operations if op not in parts for each in (op, *behind[op])]

    def whole(self, op: Operation) -> list[Value]:
        """What an operation reads that has one tangent: the parts of new results have their own,
        of which some are taken, or forms are read.
        """
        formal = isinstance(op, Apply) and registry.is_nondifferentiable(op.primitive.function)
        if not (is_item(op) or formal):
            return op.operands
        return [value for value in op.operands if not self.is_parted(value)]

    def is_parted(self, value: Value) -> bool:
        """Whether a value is several new results."""
        op = value.op
        return value in self.unit.results and isinstance(op, Apply) and op.primitive.memory == "new"

    def keep(self, op: Operation, made: list[Operation]) -> None:
        """What a loop carries takes the name of what it was: tangents that are read behind that are
        computed before it.

        before: `h_2 = np.tanh(w @ h)`, `h_dot = (w_dot @ h + w @ h_dot) * (1 - h_2**2)`, `h = h_2`
        after: `w_at_h_dot = w_dot @ h + w @ h_dot`, `h = np.tanh(w @ h)`, ...
        """
        read = read_by(made)
        for dot in (self.of[value] for value in op.operands if value in self.of):
            dot.named = dot.named or dot in read

    # Memory ------------------------------------------------------------------------------------

    def on_Load(self, op: Load, builder: Builder) -> None:
        base = self.of.get(op.base)
        if op.result not in self.active or base is None:
            return
        if is_container(op.base.kind):
            self.taken(op.result, builder.load(base, op.window, op.index))
        elif op.owned:
            self.lend(op.result, builder.version(base))
        else:
            self.lend(op.result, builder.load(base, op.window, op.index))

    def taken(self, value: Value, made: Value) -> None:
        """The tangent of what a container holds."""
        if not self.shadowed(value):
            made.kind = value.kind
        self.lend(value, made)

    def on_LoadOuter(self, op: LoadOuter, builder: Builder) -> None:
        """What is outside has a tangent once the function has stored something there."""
        if self.shadowed(op.result):
            known = any(value.region is op.result.region for value in self.of)
            if known and op.result.is_written:
                raise NotYet("memory of outside that is read by two names")
            self.become(builder, op.result, None)

    def on_View(self, op: View, builder: Builder) -> None:
        base = self.of.get(op.base)
        if op.result in self.active and base is not None:
            assert op.window is not None
            self.lend(op.result, builder.view(base, op.window, op.index))

    def on_Store(self, op: Store, builder: Builder) -> None:
        base = self.of.get(op.base)
        if op.base not in self.active or base is None:
            return
        dot = self.of.get(op.value, constant(0.0))
        if is_container(op.base.kind):
            assert op.window is not None
            builder.put(base, self.dot(builder, op.value), op.window, op.index)
            self.note(base, held_at(base.kind, op.window), op.value)
        else:
            builder.store(base, dot, op.window, op.index)

    def on_Accumulate(self, op: Accumulate, builder: Builder) -> None:
        base, dot = self.of.get(op.base), self.of.get(op.value)
        if op.base in self.active and base is not None and dot is not None:
            builder.accumulate(base, dot, op.window, op.index, op.sign, op.scattered)

    def on_Append(self, op: Append, builder: Builder) -> None:
        if self.shadowed(op.base):
            self.beside(op, builder)

    def on_Take(self, op: Take, builder: Builder) -> None:
        if self.shadowed(op.base):
            self.taken(op.result, builder.take(self.of[op.base], op.place))

    # Blocks ------------------------------------------------------------------------------------

    def on_Loop(self, op: Loop, builder: Builder) -> None:
        groups = [g for g in op.groups if g[1] in self.active]
        for _, parameter, _, _ in groups:
            self.joins(parameter)
        self.block(op.body)
        ending = Builder(op.body, self.references, op.origin, reverse=True)
        for init, parameter, following, result in groups:
            start, end = self.dot(builder, init), self.ends_as(op.body, ending, following)
            op.carry(start, self.of[parameter], end, self.joins(result))

    on_For = on_While = on_Loop

    def joins(self, value: Value) -> Value:
        """The tangent of what is carried or joined."""
        if self.shadowed(value):
            made = self.bar(value)
            made.named = value.named
            return made
        made = Value(f"{hint(value)}_{self.suffix}", value.kind, named=value.named)
        made.partial = value.partial
        self.of[value] = made
        return made

    def ends_as(self, block: Block, builder: Builder, value: Value) -> Value:
        """The tangent with which a block ends."""
        since = len(block.operations)
        found = self.dot(builder, value)
        for each in block.operations[since:]:
            each.shadow = True
        return found

    def on_If(self, op: If, builder: Builder) -> None:
        for block in op.blocks:
            self.block(block)
        ending = [Builder(b, self.references, op.origin, reverse=True) for b in op.blocks]
        for first, second, result in op.groups:
            if result in self.active and (first in self.of or second in self.of):
                one = self.ends_as(op.blocks[0], ending[0], first)
                two = self.ends_as(op.blocks[1], ending[1], second)
                op.merge(one, two, self.joins(result))

    def on_Try(self, op: Try, builder: Builder) -> None:
        self.on_If(op, builder)
        branch = behind(op)
        if branch is not None:
            builder.add(branch)

    def on_Call(self, op: Call, builder: Builder) -> None:
        """`y, y_dot = f_jvp(x, x_dot)`."""
        active = [k for k, value in enumerate(op.operands) if value in self.of]
        [result] = op.results
        if result not in self.active or not active:
            return
        op.variant = self.unit.compile(op.callee, tuple(active))
        op.operands += [self.of[op.operands[k]] for k in active]
        made = Value(f"{hint(result)}_{self.suffix}", result.kind, named=result.named)
        made.op, made.block = op, op.block
        op.results.append(made)
        self.of[result] = made
        if self.shadowed(result):
            self.know(result, made)
