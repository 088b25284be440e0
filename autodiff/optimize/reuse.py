"""What has been computed already is not computed again."""

from __future__ import annotations

from functools import cached_property
from typing import Any, NamedTuple

import gast

from autodiff.optimize.change import Block, changed, filled, is_straight, map_inner
from autodiff.optimize.changing import Changes, makes_new
from autodiff.optimize.effects import is_generated, outer_names
from autodiff.optimize.expression_key import expression_key
from autodiff.optimize.facts import Facts
from autodiff.optimize.sections import reverse_sweep
from autodiff.optimize.tape import Pair, is_pop, is_push, pairs
from autodiff.optimize.twins import twins
from autodiff.syntax.fresh import ALLOCATORS, called
from autodiff.syntax.names import name, parameters
from autodiff.syntax.walk import of_class

_LOOPS = (gast.For, gast.While)
_SIMPLE = frozenset((gast.Assign, gast.AugAssign, gast.Expr, gast.Return))
_COSTLY = (gast.Div, gast.Pow)
_VIEWS = ("T", "mT", "real", "imag")
_LEFT_ALONE = frozenset(
    (gast.Name, gast.Constant, gast.Lambda, gast.NamedExpr, gast.FunctionDef, gast.ClassDef)
    + (gast.ListComp, gast.SetComp, gast.DictComp, gast.GeneratorExp)
)


class _Held(NamedTuple):
    """A variable that holds the value of an expression.

    names: itself, and all that the expression reads. number: the value is one.
    memory: the expression reads memory, or the value is some.
    """

    holder: str
    names: frozenset[str]
    number: bool
    memory: bool


Table = dict[Any, _Held]
"""By the expression's text, so to speak."""


def reuse(tree: gast.FunctionDef, facts: Facts) -> gast.FunctionDef:
    """Read the variable that holds the value of an expression, where it has not changed since.

        c = np.cos(y)                                c = np.cos(y)
        s = np.sin(y)                                s = np.sin(y)
        tape.push((y, c, s))          becomes        tape.push((y, c, s))
        ...                                          ...
        y, c, s = tape.pop()                         y, c, s = tape.pop()
        y_bar = s_bar * np.cos(y)                    y_bar = s_bar * c

    What comes from the tape is what went there. The forward sweep computes what the user wrote, but
    a part of an expression once: a variable of the compiler's whose value another one holds already
    is that one.
    """
    new = Reuse(tree, facts).function()
    return tree if new is tree else twins(new, facts)


class Reuse:
    def __init__(self, tree: gast.FunctionDef, facts: Facts) -> None:
        self.tree = tree
        self.facts = facts
        self.outer = outer_names(tree)
        self.kept: dict[str, list[tuple[Any, _Held]]] = {}
        """What holds when a site of the tape is pushed, in terms of what comes back from there."""
        self.changes = Changes(tree, facts)

    def function(self) -> gast.FunctionDef:
        table: Table = {}
        start = reverse_sweep(self.tree.body)
        new = self.block(self.tree.body[:start], table, False)
        new = [*new, *self.block(self.tree.body[start:], table, True)]
        if new == self.tree.body:
            return self.tree
        result: gast.FunctionDef = changed(self.tree, body=new)
        return result

    def block(self, block: Block, table: Table, back: bool) -> Block:
        """The block, after which `table` says what is held."""
        new = [self.statement(node, table, back) for node in block]
        return block if new == block else new

    def statement(self, node: gast.stmt, table: Table, back: bool) -> gast.stmt:
        if node.__class__ in _SIMPLE:  # most of all
            return self.simple(node, table, back)
        if isinstance(node, (*_LOOPS, gast.If)):
            return self.compound(node, table, back)
        if isinstance(node, gast.FunctionDef):
            new = node
            if is_generated(node, self.facts):
                lasting = {k: held for k, held in table.items() if self.is_lasting(held)}
                body = self.block(node.body, lasting, True)
                new = node if body is node.body else changed(node, body=body)
            self.settle(node, table)
            return new
        if isinstance(node, gast.With) and is_straight(node):
            body = self.block(node.body, table, back)
            return node if body is node.body else changed(node, body=body)
        self.settle(node, table)
        return node

    def simple(self, node: gast.stmt, table: Table, back: bool) -> gast.stmt:
        new = node
        if table and back and self.may_repeat(node):
            new = self.replaced(node, table)
        if new is node and table and (self.is_element(node) or not back and self.is_again(node)):
            held, own = table.get(self.key(node.value, table)), node.targets[0].id
            if held is not None and (held.number or self.may_share(own, held.holder)):
                new = changed(node, value=name(held.holder))
        of_tape = "site" in node.__dict__
        if of_tape and is_push(node):
            self.note(node, table)
        self.settle(node, table)
        if of_tape and is_pop(node):
            table.update(self.kept.get(node.site, ()))
        elif isinstance(node, gast.Assign):
            self.hold(node, table)
            if new is not node:
                self.identify(new, table)
        return new

    def compound(self, node: Any, table: Table, back: bool) -> gast.stmt:
        new: dict[str, Any] = {}
        if isinstance(node, gast.If) and back and table:
            test = self.part(node.test, table, True)
            if test is not node.test:
                new["test"] = test
        inside = dict(table)
        if isinstance(node, _LOOPS):
            self.settle(node, inside)
        for field in ("body", "orelse"):
            block = getattr(node, field)
            result = self.block(block, dict(inside), back)
            if result is not block:
                new[field] = filled(result) if field == "body" else result
        self.settle(node, table)
        return changed(node, **new) if new else node

    # What is held

    def hold(self, node: gast.Assign, table: Table) -> None:
        """Note that a variable holds the value of an expression."""
        target, value = node.targets[0], node.value
        if len(node.targets) > 1 or not isinstance(target, gast.Name) or target.id in self.outer:
            return
        if not self.is_worth_it(value) and not self.is_element(node):
            return
        key = self.key(value, table)
        known = self.facts.effects[value]
        names = frozenset(known.loads)
        if key is None or key in table or target.id in names or not names.isdisjoint(self.outer):
            return
        number = self.facts.scalar(value)
        looks = known.looks or not known.callees.isdisjoint(self.local)  # `b.sum()` of an array
        table[key] = _Held(target.id, names | {target.id}, number, looks or not number)

    def is_element(self, node: gast.stmt) -> bool:
        """Whether a statement is `t = x[i]`, of a number, with t the compiler's."""
        return (
            node.__class__ is gast.Assign
            and node.value.__class__ is gast.Subscript
            and node.targets[0].__class__ is gast.Name
            and node.targets[0].id in self.facts.temporaries
            and self.facts.scalar(node.value)
        )

    def is_again(self, node: gast.stmt) -> bool:
        """Whether a statement sets a variable of the compiler's to what costs something."""
        return (
            node.__class__ is gast.Assign
            and node.targets[0].__class__ is gast.Name
            and node.targets[0].id in self.facts.temporaries
            and self.is_worth_it(node.value)
        )

    def identify(self, node: gast.Assign, table: Table) -> None:
        """Note that two variables hold one value, so that expressions with either are the same."""
        target, value = node.targets[0], node.value
        if isinstance(target, gast.Name) and isinstance(value, gast.Name):
            pair = frozenset((target.id, value.id))
            table[gast.Name, target.id] = _Held(value.id, pair, False, False)

    def is_worth_it(self, node: gast.AST) -> bool:
        """Whether an expression costs more than reading a variable, and may be computed once."""
        if node.__class__ is gast.Call:
            worth = called(node) not in ALLOCATORS and self.facts.pure(node)
        elif node.__class__ is gast.BinOp:
            worth = isinstance(node.op, _COSTLY) or not self.facts.scalar(node)
        else:
            return False
        return worth and self.facts.signed(node) and not self.facts.effects[node].calls

    def may_repeat(self, node: gast.stmt) -> bool:
        """Whether anything in a statement may be worth it; sums and products of numbers are not."""
        if not self.facts.numbers.issuperset(self.facts.effects[node].loads):
            return True
        return any(isinstance(inner.op, _COSTLY) for inner in of_class(node, gast.BinOp))

    def note(self, push: gast.Expr, table: Table) -> None:
        """Remember what holds of the values that are pushed."""
        pair = self.pairs.get(push.site) if table else None
        if pair is None:
            return
        back = {
            value.id
            for value, target in zip(pair.values, pair.targets)
            if isinstance(value, gast.Name) and isinstance(target, gast.Name)
            and value.id == target.id
        }
        names = frozenset().union(*[held.names for held in table.values()]) - back
        same = back.union(filter(self.changes.is_stable, names))
        self.kept[push.site] = [
            (key, held)
            for key, held in table.items()
            if same.issuperset(held.names)
            and not (self.changes.storing if held.memory else self.changes.calling)
        ]

    def settle(self, node: gast.stmt, table: Table) -> None:
        """Forget what a statement may change."""
        if not table:
            return
        change = self.changes.of(node)
        if change.all:
            table.clear()
        elif change.names or change.memory:
            gone = [
                key
                for key, held in table.items()
                if change.memory and held.memory or not change.names.isdisjoint(held.names)
            ]
            for key in gone:
                del table[key]

    def is_lasting(self, held: _Held) -> bool:
        """Whether what is held now is held whenever a function defined here is called."""
        if not held.number and held.holder in self.changes.returned:
            return False  # the caller may change it
        once = all(self.changes.bound[n] <= 1 for n in held.names)
        return once and not (self.changes.storing if held.memory else self.changes.calling)

    @cached_property
    def local(self) -> frozenset[str]:
        """What the function binds: objects whose memory may change."""
        bound = [self.facts.effects[node].writes for node in self.tree.body]
        return frozenset(parameters(self.tree.args)).union(*bound)

    @cached_property
    def pairs(self) -> dict[str, Pair]:
        return pairs(self.tree)

    # What is read in place of expressions

    def replaced(self, node: Any, table: Table) -> gast.stmt:
        value = node.value
        if value is None:
            return node
        if isinstance(node, gast.Assign):
            target = node.targets[0]
            held = self.held(value, table)
            if held is not None and isinstance(target, gast.Name):
                if not (held.number or self.may_share(target.id, held.holder)):
                    return node
                result: gast.stmt = changed(node, value=name(held.holder))
                return result
            copies = isinstance(target, gast.Subscript) and self.facts.shape(target.value)
            new = self.part(value, table, bool(copies))
        else:
            new = self.part(value, table, isinstance(node, gast.AugAssign))
        if new is value:
            return node
        result = changed(node, value=new)
        return result

    def part(self, node: Any, table: Table, operand: bool) -> Any:
        """An expression with variables in it; `operand`: its value makes a new one."""
        if node.__class__ in _LEFT_ALONE:
            return node
        held = self.held(node, table)
        if held is not None and (operand or held.number):
            return name(held.holder)
        views = isinstance(node, gast.Attribute) and node.attr in _VIEWS
        inner = operand if views else makes_new(node)
        new = map_inner(
            lambda child: self.part(child, table, inner) if isinstance(child, gast.expr) else child,
            node,
        )
        return self.part(new, table, operand) if new is not node else new

    def held(self, node: gast.expr, table: Table) -> _Held | None:
        if not self.is_worth_it(node):
            return None
        key = self.key(node, table)
        return None if key is None else table.get(key)

    def may_share(self, target: str, holder: str) -> bool:
        """Whether two variables may be one array: nobody changes it or keeps hold of it."""
        read, operands, stored = self.changes.uses
        return not self.changes.storing and (
            target in self.facts.temporaries
            and self.changes.bound[target] == 1
            and read[target] == operands[target]
            and not stored & {target, holder}
        )

    def key(self, node: Any, table: Table) -> Any:
        """By what an expression is found in the table; None for unusual ones."""

        def known(identifier: str) -> str:
            held = table.get((gast.Name, identifier))
            return identifier if held is None else held.holder

        return expression_key(node, known, lambda array: self.facts.shape(array) is not None)
