"""Values and operations as expressions; calls as statements: of functions that stay functions, of
the tape, and of `np.add.at`.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable
from typing import Any

import gast

from autodiff.core import WHOLE, Block, Function, Named, NotYet, Value
from autodiff.core.operation import Accumulate, Apply, Load, LoadOuter, Loop, Operation, View
from autodiff.core.statements import Append, Call, Pop, Pullback, Push, Recomputed, Steps, Try
from autodiff.emit.idioms import by_method, is_sum
from autodiff.emit.naming import named, numbered
from autodiff.emit.over_tape import over_tape
from autodiff.emit.placement import Places, is_changed
from autodiff.emit.without_pullbacks import adjoints, run_steps
from autodiff.kinds.kind import Array, Sequence
from autodiff.normalize.build import method
from autodiff.primitives import BOUND, copies, dotted, filled, has_literal, index_node, written
from autodiff.primitives.containing import is_container
from autodiff.runtime import checkpointed_steps, recomputed
from autodiff.runtime.unbound import bound
from autodiff.syntax.names import name, store
from autodiff.syntax.quote import quote
from autodiff.syntax.walk import map_children


def marks(function: Function, tape: str, taken: set[str]) -> dict[Operation, str]:
    """Names for how long the tape was before a `try` whose handlers cut it back."""
    cut = [op for op in function.body.walk() if isinstance(op, Try) and op.cut]
    free = (numbered(f"{tape}_length", k) for k in itertools.count(1))
    return dict(zip(cut, (own for own in free if own not in taken)))


class Calls:
    """What values print as, and statements, one after the other in `out`. `spelled` gives the name
    by which an object is referred to. stems: the place of what was last written inside a statement.
    checked: names of which it is found when they are read whether they hold a value.
    """

    def __init__(
        self,
        function: Function,
        taken: set[str],
        spelled: Callable[[Any], str],
        tape: str,
        plain: bool = False,
    ) -> None:
        self.function, self.spelled = function, spelled
        self.places = Places(function, plain)
        self.names = named(function, self.places, taken)
        self.marks = marks(function, tape, taken | {*self.names.values()})
        self.stems: Any = None
        self.out: list[gast.stmt] = []
        self.tape = tape
        self.over_tape = None if plain else over_tape(function)
        self.sites: dict[Push, str] = {}
        self.checked = set[str]()

    def write(self, statement: gast.stmt, op: Operation | None = None) -> None:
        """One more statement."""
        origin = None if op is None else op.origin
        if origin is not None:
            statement.origin = origin
        self.out.append(statement)

    def on_Call(self, op: Call) -> None:
        own = op.variant or op.name
        self.unpack(op, gast.Call(name(self.spelled(own)), [self.expr(v) for v in op.operands], []))

    def on_Steps(self, op: Steps) -> None:
        if op.typed:
            self.write(run_steps(self, op), op)
            return

        def group(nodes: list[gast.expr], ctx: gast.expr_context) -> gast.expr:
            return gast.Tuple(elts=nodes, ctx=ctx)

        width, users = op.width, self.places.users
        over, count, *given = map(self.expr, op.operands)
        names = [self.names[v] if v in users else "_" for v in op.results]
        step, pair = name(self.spelled(op.name)), name(self.spelled(op.variant))
        counts = over if op.test is None else name(self.spelled(op.test))
        places = written(op.active)
        groups = [group(given[:width], gast.Load()), group(given[width:], gast.Load())]
        driver = name(self.spelled(checkpointed_steps))
        call = gast.Call(driver, [step, pair, counts, count, *groups, places], [])
        state = group([*map(store, names[:width])], gast.Store())
        pullback = store(names[width] if len(names) > width else "_")
        self.write(gast.Assign([group([state, pullback], gast.Store())], call, None), op)

    def on_Recomputed(self, op: Recomputed) -> None:
        if op.typed:
            own = name(self.spelled(op.name))
            self.unpack(op, gast.Call(own, [*map(self.expr, op.operands)], []))
            return
        users, functions = self.places.users, [name(self.spelled(op.name or op.variant))]
        functions.append(name(self.spelled(op.variant)))
        driver = name(self.spelled(recomputed))
        call = gast.Call(driver, [*functions, *map(self.expr, op.operands)], [])
        first, last = op.results[: op.width], op.results[op.width :]
        names: list[gast.expr] = [store(self.names[v] if v in users else "_") for v in first]
        whole = names[0] if len(names) == 1 else gast.Tuple(elts=names, ctx=gast.Store())
        ends = [whole, *(store(self.names[v] if v in users else "_") for v in last)]
        self.write(gast.Assign([gast.Tuple(elts=ends, ctx=gast.Store())], call, None), op)

    def on_Pullback(self, op: Pullback) -> None:
        if isinstance(op.call, Steps) and op.call.typed:
            self.unpack(op, adjoints(self, op, op.call))
            return
        pullback, *bars = map(self.expr, op.operands)
        if isinstance(op.call, Steps) and (op.call.width > 1 or type(op.call) is Steps):
            bars = [gast.Tuple(elts=bars, ctx=gast.Load())]
        self.unpack(op, gast.Call(pullback, bars, []))

    def on_Append(self, op: Append) -> None:
        place = [] if op.place is None else [op.place]
        own = "append" if op.place is None else "insert"
        given = [self.expr(v) for v in (*place, op.value)]
        self.write(gast.Expr(method(self.expr(op.base), own, *given)), op)

    def unpack(self, op: Operation, value: gast.expr) -> None:
        """`a, b = value`; what nobody reads is `_`."""
        users = self.places.users
        targets = [store(self.names[v] if v in users else "_") for v in op.results]
        target: gast.expr = targets[0]
        if len(targets) > 1 or isinstance(op, Pullback):
            target = gast.Tuple(elts=targets, ctx=gast.Store())
        self.write(gast.Assign([target], value, None), op)

    def scattered(self, op: Accumulate, base: gast.expr, value: gast.expr) -> None:
        """`np.add.at(base, index, value)`, where places may occur several times."""
        from autodiff.instantiate.contribution import index_value  # noqa: PLC0415

        assert op.window is not None
        index = index_value(index_node(op.window, [self.expr(v) for v in op.index]))
        ufunc = dotted(f"{self.spelled('@np')}.{'add' if op.sign == '+' else 'subtract'}")
        self.write(gast.Expr(method(ufunc, "at", base, index, value)), op)

    def on_Push(self, op: Push) -> None:
        values = [self.kept(v) for v in op.operands]
        value = gast.Tuple(elts=values, ctx=gast.Load()) if len(values) > 1 else values[0]
        made = gast.Expr(method(name(self.tape), "push", value))
        made.site = self.site(op)
        self.write(made, op)

    def kept(self, value: Value) -> gast.expr:
        """A value on the tape: a copy, if it is memory that changes."""
        found = self.expr(value)
        return self.copied(found, value) if self.is_passing(value) else found

    def is_passing(self, value: Value) -> bool:
        """Whether a value is what memory held that changes, or a view of that, and no copy."""
        op = value.op
        if isinstance(op, Load):
            return self.is_view(op)
        if not isinstance(op, View) and (not isinstance(op, Apply) or op.primitive.memory == "new"):
            return False
        same = [v for v in op.operands if v.region is not None and v.region is value.region]
        return any(map(self.is_passing, same))

    def on_Pop(self, op: Pop) -> None:
        if self.over_tape is not None and op.block is self.over_tape.body:
            return  # it is what the loop goes over
        made = gast.Assign([self.targets(op.results)], method(name(self.tape), "pop"), None)
        made.site = self.site(op.push)
        self.write(made, op)

    def site(self, push: Push) -> str:
        """What a push and its pop have in common, for whoever reads the tree."""
        return self.sites.setdefault(push, str(len(self.sites)))

    def targets(self, values: list[Value]) -> gast.expr:
        """The names of what comes from the tape."""
        targets: list[gast.expr] = [store(self.names[v]) for v in values]
        return targets[0] if len(targets) == 1 else gast.Tuple(elts=targets, ctx=gast.Store())

    def expr(self, value: Value) -> gast.expr:
        """A value where it is used."""
        if value.is_constant:
            return self.constant(value)
        if value not in self.places.inline:
            return name(self.names[value])
        assert value.op is not None
        return self.operation(value.op)

    def constant(self, value: Value) -> gast.expr:
        """A number, or an object of outside by its path."""
        if value.op is None and value.hint and not has_literal(value.constant):
            return self.path(value.hint)
        return written(value.constant)

    def path(self, path: str) -> gast.expr:
        """A path outside: `np.pi`, `CONFIG.steps[0]`."""
        root = re.match(r"[@\w]+", path)
        assert root is not None
        return quote(f"root{path[root.end() :]}", root=self.spelled(root[0]))

    def operation(self, op: Operation) -> gast.expr:
        """An operation as an expression."""
        self.stems = op.origin or self.stems
        if isinstance(op, LoadOuter):
            return self.path(op.path)
        if isinstance(op, Apply):
            found = self.form(filled(op.form, lambda number: self.expr(op.operands[number])))
            if op.primitive is BOUND and op.raises and getattr(found, "id", "") in self.checked:
                word = gast.Constant(value=op.operands[0].hint, kind=None)
                return gast.Call(name(self.spelled(bound)), [found, word], [])
            return by_method(found) if op.reverse and is_sum(op) else found
        if isinstance(op, (Load, View)):
            base = self.expr(op.base)
            found = base if op.window is None else self.subscript(base, op)
            if isinstance(op, Load) and self.must_copy(op):
                return self.copied(found, op.result)
            return found
        raise NotYet(f"{type(op).__name__} as an expression")

    def copied(self, found: gast.expr, value: Value) -> gast.expr:
        """`x.copy()`; in the memory order of `x`, where that decides what is a view."""
        axes = len(value.kind.shape) if isinstance(value.kind, Array) else 0
        way = (
            [gast.Constant("K", None)]
            if self.function.laid_out and axes > 1 and not self.places.plain
            else []
        )
        return method(found, "copy", *way)

    def form(self, node: gast.AST) -> Any:
        """The skeleton with the names that references got."""
        if isinstance(node, gast.Name):
            return name(self.spelled(node.id)) if node.id[0] == "@" else node
        return map_children(self.form, node)

    def subscript(self, base: gast.expr, op: Any) -> gast.expr:
        """`base[window]`."""
        window = op.window or WHOLE
        if window.parts and isinstance(window.parts[0], Named):
            return gast.Attribute(value=base, attr=window.parts[0].name, ctx=gast.Load())
        index = index_node(window, [self.expr(v) for v in op.index])
        if self.places.plain and window == WHOLE and getattr(op.base.kind, "shape", ()):
            index = gast.Slice(None, None, None)  # `x[...]` of a view is not taken by Numba
        return gast.Subscript(value=base, slice=index, ctx=gast.Load())

    def is_view(self, op: Load) -> bool:
        """Whether a load prints as memory that somebody writes, and as no copy."""
        return self.is_lent(op) and not self.must_copy(op)

    def is_lent(self, op: Load) -> bool:
        """Whether a load is memory that somebody writes, under another name."""
        if is_container(op.base.kind) and op.window is not None:
            return False  # an item itself
        value, region = op.result, self.places.seen(op).region
        if not isinstance(value.kind, (Array, Sequence)) or region is None:
            return False
        if not region.written:
            return self.is_shared(op)
        return op.window is None or value.memory is None or not copies(op.index)

    def is_shared(self, op: Load) -> bool:
        """Whether somebody writes to what a load gives, and others look at that, too."""
        made = op.base.op
        alone = (
            isinstance(made, Apply)
            and made.primitive.memory == "new"
            and not made.primitive.lending
            and made.block is op.block
            and self.places.users.get(op.base) == [op]
        )
        return is_changed(op) and not alone

    def must_copy(self, op: Load) -> bool:
        """A load is a view in Python: it is copied if its memory is written while it lives. A copy
        of it is put on the tape.
        """
        if not self.is_lent(op):
            return False
        value, memory = op.result, self.places.seen(op)
        if self.is_shared(op):
            return True
        users = self.places.users.get(value, [])
        if any(isinstance(u, Loop) or isinstance(u, Block) and u.parent is not None for u in users):
            return True
        if value in self.places.inline:
            return False
        if self.places.plain and self.places.is_pushed(value):
            return True
        low, high = self.places.where(value), self.places.reach(value)
        return self.places.is_written(memory.region, low, high, op if memory is op.base else None)
