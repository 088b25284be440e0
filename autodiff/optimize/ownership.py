"""Which variables hold memory that nobody else sees."""

from __future__ import annotations

from collections.abc import Set

import gast

from autodiff.optimize.buffers import is_new
from autodiff.optimize.change import blocks
from autodiff.optimize.effects import is_generated, outer_names
from autodiff.optimize.facts import Facts
from autodiff.syntax.fresh import called
from autodiff.syntax.names import all_names, parameters, reads, writes
from autodiff.syntax.walk import of_class

_SCOPES = (gast.Lambda, gast.ListComp, gast.SetComp, gast.DictComp, gast.GeneratorExp)
_NEW = (gast.UnaryOp, gast.Compare, gast.Constant, gast.JoinedStr)
_NO_MEMORY = ("shape", "ndim", "size", "dtype")


def own_buffers(tree: gast.FunctionDef, facts: Facts) -> frozenset[str]:
    """Names whose memory no other name, container or view shares, wherever the function is.

    Two of them may swap their memory, `a, b = b, a`, or one hand it over to the other: `a = b`,
    where b gets another value before anyone asks for it.
    """
    found = _Ownership(facts)
    found.function(tree)
    shared = found.shared.union(*found.links)
    while True:
        more = {n for swap in found.swaps if swap & shared for n in swap} - shared
        if not more:
            return frozenset(found.made - shared)
        shared |= more


def unshared(statements: list[gast.stmt], facts: Facts) -> frozenset[str]:
    """Names that these statements give new memory, which nobody else has got hold of in them."""
    found = _Ownership(facts)
    found.block(statements)
    return frozenset(found.made - found.shared.union(*found.links, *found.swaps))


def holders(tree: gast.FunctionDef, facts: Facts) -> dict[str, frozenset[str]]:
    """For a name whose memory is the function's own when it ends: the names that may share it.

    These are views and other names, which nobody sees any more then; names whose memory may be
    that of an argument, of a container or of something outside are left out.
    """
    found = _Ownership(facts)
    found.function(tree)
    groups: dict[str, set[str]] = {name: {name} for name in found.made | found.shared}
    for link in [*found.links, *found.swaps]:
        together = set().union(link, *(groups[name] for name in link if name in groups))
        groups.update(dict.fromkeys(together, together))
    outside = found.shared | (groups.keys() - writes(tree.body))
    return {
        name: frozenset(group) for name, group in groups.items() if not group & outside
    }


class _Ownership:
    """made: names that are given new memory; shared: those whose memory something else holds.

    links: names that may share memory with one another; swaps: names that exchange theirs.
    """

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self.made: set[str] = set()
        self.shared: set[str] = set()
        self.links: list[frozenset[str]] = []
        self.swaps: list[frozenset[str]] = []

    def function(self, tree: gast.FunctionDef) -> None:
        self.shared |= {*parameters(tree.args), *outer_names(tree)}
        for default in [*tree.args.defaults, *tree.args.kw_defaults]:
            self.shared |= reads(default) if default is not None else set()
        self.block(tree.body)

    def block(self, body: list[gast.stmt]) -> None:
        for place, node in enumerate(body):
            if is_generated(node, self.facts):
                outside = set(self.made)
                self.function(node)
                self.shared |= outside & all_names(node)
            elif isinstance(node, (gast.If, gast.While, gast.For)):
                if isinstance(node, gast.For):
                    self.link(writes(node.target), node.iter)
                self.calls(node.iter if isinstance(node, gast.For) else node.test)
                for inner in blocks(node):
                    self.block(inner)
            elif isinstance(node, gast.Assign):
                self.calls(node)
                if _is_renaming(node) and self.hands_over(body, place):
                    self.swaps.append(frozenset((node.targets[0].id, node.value.id)))
                else:
                    self.assign(node)
            elif isinstance(node, (gast.AugAssign, gast.Return, gast.Expr)):
                self.calls(node)
                if isinstance(node, gast.AugAssign) and not _is_array(node.target, self.facts):
                    self.shared |= passing(node.value, self.facts)  # what a list takes up it holds
            else:
                self.shared |= all_names(node)

    def assign(self, node: gast.Assign) -> None:
        target, value = node.targets[0], node.value
        if isinstance(target, gast.Name):
            held = isinstance(value, (gast.List, gast.Dict)) or passing(value, self.facts)
            if is_new(value, self.facts) and not held:
                self.made.add(target.id)
            else:
                self.link({target.id}, value)
        elif isinstance(target, gast.Subscript):
            if not _is_array(target.value, self.facts):  # an array takes a copy, a list does not
                self.shared |= passing(value, self.facts)
        elif _is_swap(target, value):
            self.swaps.append(frozenset(writes(target)))
        else:
            self.link(writes(target), value)

    def hands_over(self, body: list[gast.stmt], place: int) -> bool:
        """Whether after `t = x` the name x gets another value before anyone asks for it."""
        own = body[place].value.id
        for node in body[place + 1 :]:
            known = self.facts.effects[node]
            if own in known.loads or own in known.held or known.calls:
                return False
            if own in known.writes:
                return isinstance(node, gast.Assign)
        return False

    def link(self, targets: Set[str], value: gast.expr) -> None:
        """What is bound to these names may share memory with the value."""
        self.links.append(frozenset(targets | passing(value, self.facts)))

    def calls(self, node: gast.AST) -> None:
        """Who keeps a reference: functions of unknown effect, closures."""
        for part in of_class(node, *_SCOPES, gast.NamedExpr, gast.Call):
            if isinstance(part, _SCOPES):
                self.shared |= all_names(part)
            elif isinstance(part, gast.NamedExpr):
                self.shared |= {part.target.id} | passing(part.value, self.facts)
            elif not self.facts.pure(part):
                self.shared |= reads(part)


def passing(value: gast.AST, facts: Facts) -> set[str]:
    """Names whose memory the value of an expression may share."""
    if isinstance(value, gast.Name):
        return {value.id}
    if isinstance(value, (gast.Subscript, gast.Attribute)):
        if facts.scalar(value) or facts.picks(value):  # elements are no view
            return set()
        if getattr(value, "attr", "") in _NO_MEMORY and _is_array(value.value, facts):
            return set()
        return passing(value.value, facts)
    if isinstance(value, gast.BinOp):  # the sum of two lists holds what they hold
        if facts.scalar(value) or _is_arithmetic(value, facts):
            return set()
        return passing(value.left, facts) | passing(value.right, facts)
    if isinstance(value, _NEW):
        return set()
    if isinstance(value, gast.Call):
        if is_new(value, facts) or called(value) == "len" and facts.pure(value):
            return set()
        if value.args and facts.fits(value):
            return passing(value.args[0], facts)
        if facts.pure(value):
            given = [value.func, *value.args, *(keyword.value for keyword in value.keywords)]
            return set().union(*[passing(part, facts) for part in given])
    return reads(value)


def _is_renaming(node: gast.Assign) -> bool:
    return isinstance(node.targets[0], gast.Name) and isinstance(node.value, gast.Name)


def _is_array(node: gast.expr, facts: Facts) -> bool:
    return facts.shape(node) is not None


def _is_arithmetic(node: gast.expr, facts: Facts) -> bool:
    """Whether this is no list: an array or an inexact number is among the operands."""
    if isinstance(node, gast.Constant):
        return isinstance(node.value, (float, complex))
    if facts.inexact(node) or _is_array(node, facts):
        return True
    return isinstance(node, gast.BinOp) and (
        _is_arithmetic(node.left, facts) or _is_arithmetic(node.right, facts)
    )


def _is_swap(target: gast.expr, value: gast.expr) -> bool:
    """`a, b = b, a`."""
    if not isinstance(target, gast.Tuple) or not isinstance(value, gast.Tuple):
        return False
    parts = [*target.elts, *value.elts]
    if not all(isinstance(part, gast.Name) for part in parts):
        return False
    names = [part.id for part in value.elts]
    return len(set(names)) == len(names) and set(names) == {part.id for part in target.elts}
