"""Which variables hold memory that nobody else sees."""

from __future__ import annotations

import gast

from autodiff.optimize.buffers import is_new
from autodiff.optimize.change import blocks
from autodiff.optimize.effects import is_generated, outer_names
from autodiff.optimize.facts import Facts
from autodiff.syntax.names import all_names, parameters, reads, writes
from autodiff.syntax.walk import of_class

_SCOPES = (gast.Lambda, gast.ListComp, gast.SetComp, gast.DictComp, gast.GeneratorExp)
_NEW = (gast.BinOp, gast.UnaryOp, gast.Compare, gast.Constant, gast.JoinedStr)


def own_buffers(tree: gast.FunctionDef, facts: Facts) -> frozenset[str]:
    """Names whose memory no other name, container or view shares, wherever the function is.

    Two of them may swap their memory: `a, b = b, a`.
    """
    ownership = _Ownership(facts)
    ownership.function(tree)
    shared = ownership.shared
    while True:
        more = {n for swap in ownership.swaps if swap & shared for n in swap} - shared
        if not more:
            return frozenset(ownership.made - shared)
        shared |= more


class _Ownership:
    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self.made: set[str] = set()
        self.shared: set[str] = set()
        self.swaps: list[frozenset[str]] = []

    def function(self, tree: gast.FunctionDef) -> None:
        self.shared |= {*parameters(tree.args), *outer_names(tree)}
        for default in [*tree.args.defaults, *tree.args.kw_defaults]:
            self.shared |= reads(default) if default is not None else set()
        self.block(tree.body)

    def block(self, body: list[gast.stmt]) -> None:
        for node in body:
            if is_generated(node, self.facts):
                outside = set(self.made)
                self.function(node)
                self.shared |= outside & all_names(node)
            elif isinstance(node, (gast.If, gast.While, gast.For)):
                if isinstance(node, gast.For):
                    self.shared |= writes(node.target) | passing(node.iter, self.facts)
                self.calls(node.iter if isinstance(node, gast.For) else node.test)
                for inner in blocks(node):
                    self.block(inner)
            elif isinstance(node, gast.Assign):
                self.calls(node)
                self.assign(node)
            elif isinstance(node, (gast.AugAssign, gast.Return, gast.Expr)):
                self.calls(node)
            else:
                self.shared |= all_names(node)

    def assign(self, node: gast.Assign) -> None:
        target, value = node.targets[0], node.value
        if isinstance(target, gast.Name):
            if is_new(value, self.facts) and not isinstance(value, (gast.List, gast.Dict)):
                self.made.add(target.id)
            else:
                self.shared |= {target.id} | passing(value, self.facts)
        elif isinstance(target, gast.Subscript):
            if self.facts.shape(target.value) is None:  # an array takes a copy, a list does not
                self.shared |= passing(value, self.facts)
        elif _is_swap(target, value):
            self.swaps.append(frozenset(writes(target)))
        else:
            self.shared |= writes(target) | passing(value, self.facts)

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
        if isinstance(value, gast.Subscript) and facts.scalar(value):  # an element is no view
            return set()
        return passing(value.value, facts)
    if isinstance(value, _NEW):
        return set()
    if isinstance(value, gast.Call):
        if is_new(value, facts):
            return set()
        if value.args and facts.fits(value):
            return passing(value.args[0], facts)
    return reads(value)


def _is_swap(target: gast.expr, value: gast.expr) -> bool:
    """`a, b = b, a`."""
    if not isinstance(target, gast.Tuple) or not isinstance(value, gast.Tuple):
        return False
    parts = [*target.elts, *value.elts]
    if not all(isinstance(part, gast.Name) for part in parts):
        return False
    names = [part.id for part in value.elts]
    return len(set(names)) == len(names) and set(names) == {part.id for part in target.elts}
