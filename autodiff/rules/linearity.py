"""Whether the body of a template is linear in `d[result]`, as far as syntax can tell."""

from __future__ import annotations

from typing import Any

import gast
import numpy as np

from autodiff.errors import TemplateError
from autodiff.rules.template import Rule
from autodiff.syntax.names import reads, writes
from autodiff.syntax.origin import origin_of, place

# Ufuncs by the operands in which they are linear: all together, or each alone.
_TOGETHER = {np.add, np.subtract, np.negative, np.positive, np.conjugate}
_EACH = {np.multiply, np.matmul}
_FIRST = {np.divide, np.ldexp}


class Linearity:
    """Checks the expressions of one template; `locals` are its local names, `names` those that hold
    an adjoint.
    """

    def __init__(self, rule: Rule) -> None:
        self.rule = rule
        self.names: set[str] = set()
        self.locals: set[str] = set()
        self.statement: gast.stmt | None = None

    def check(self, expression: gast.expr, statement: gast.stmt, *, final: bool = False) -> bool:
        """Whether the expression mentions the adjoint of the result.

        Raises TemplateError if it does so in a way that is not linear, or, when it is what an input
        receives, not at all (the constant 0 excepted).
        """
        self.statement = statement
        for name in sorted(reads(expression) - self.known()):
            try:
                self.rule.lookup(name)
            except KeyError:
                raise self.error(expression, f"the name {name} is not defined") from None
        linear = self.linear(expression)
        if final and not linear and not is_zero(expression):
            raise self.error(expression, f"this does not depend on d[{self.rule.result}]")
        return linear

    def linear(self, node: gast.AST) -> bool:
        """Whether the node is linear in the adjoint; False if it does not mention it."""
        if isinstance(node, gast.Subscript):
            if is_d(node.value):
                return self.seed(node)
            self.constant(node.slice)
            return self.linear(node.value)
        method = getattr(self, "_" + type(node).__name__.lower(), None)
        if method is not None:
            return bool(method(node))
        self.constant(node)
        return False

    def seed(self, node: gast.Subscript) -> bool:
        """`d[result]`; of the others nothing is to be read."""
        if isinstance(node.slice, gast.Name) and node.slice.id == self.rule.result:
            return True
        raise self.error(node, f"only d[{self.rule.result}], the adjoint of the result, is read")

    def constant(self, node: gast.AST) -> None:
        """Refuse a node that mentions the adjoint where it may not."""
        for child in gast.walk(node):
            if isinstance(child, gast.Name) and (child.id == "d" or child.id in self.names):
                raise self.error(node, f"this is not linear in d[{self.rule.result}]")

    def _name(self, node: gast.Name) -> bool:
        if node.id == "d":
            raise self.error(node, "d is only used as d[name]")
        return node.id in self.names

    def _constant(self, node: gast.Constant) -> bool:
        return False

    def _binop(self, node: gast.BinOp) -> bool:
        left, right = self.linear(node.left), self.linear(node.right)
        if isinstance(node.op, (gast.Mult, gast.MatMult)):
            good = not (left and right)
        elif isinstance(node.op, (gast.Add, gast.Sub)):
            good = left == right
        else:
            good = not right and (not left or isinstance(node.op, gast.Div))
        if not good:
            raise self.error(node, f"this is not linear in d[{self.rule.result}]")
        return left or right

    def _unaryop(self, node: gast.UnaryOp) -> bool:
        if isinstance(node.op, (gast.UAdd, gast.USub)):
            return self.linear(node.operand)
        self.constant(node)
        return False

    def _ifexp(self, node: gast.IfExp) -> bool:
        self.constant(node.test)
        return self.alternatives([node.body, node.orelse])

    def alternatives(self, nodes: list[Any]) -> bool:
        """Expressions of which each is linear, or a zero, or none mentions the adjoint."""
        linear = [self.linear(node) for node in nodes]
        if any(linear):
            for node, good in zip(nodes, linear):
                if not good and not is_zero(node):
                    raise self.error(node, f"this does not depend on d[{self.rule.result}]")
        return any(linear)

    def _attribute(self, node: gast.Attribute) -> bool:
        return self.linear(node.value)

    def _starred(self, node: gast.Starred) -> bool:
        return self.linear(node.value)

    def _tuple(self, node: gast.Tuple | gast.List) -> bool:
        return self.alternatives(node.elts)

    _list = _tuple

    def _listcomp(self, node: gast.ListComp) -> bool:
        generator = node.generators[0]
        targets = writes(generator.target)
        self.locals |= targets
        if self.linear(generator.iter):
            self.names |= targets
        return self.linear(node.elt)

    def _call(self, node: gast.Call) -> bool:
        arguments = [*node.args, *(keyword.value for keyword in node.keywords)]
        function = self.function(node.func)
        if function is np.where and len(node.args) == 3:
            self.constant(node.args[0])
            return self.alternatives(node.args[1:])
        linear = [self.linear(argument) for argument in arguments]
        receiver = self.linear(node.func) if isinstance(node.func, gast.Attribute) else False
        if function is None or not any(linear):
            return any(linear) or receiver
        good = True
        if function in _TOGETHER:
            good = all(linear)
        elif function in _EACH:
            good = sum(linear) == 1
        elif function in _FIRST:
            good = not any(linear[1:])
        elif isinstance(function, np.ufunc) or getattr(function, "__module__", "") == "math":
            good = False
        if not good:
            raise self.error(node, f"this is not linear in d[{self.rule.result}]")
        return True

    def function(self, node: gast.expr) -> Any:
        """The function that a dotted name of the template refers to, None if unknown."""
        if isinstance(node, gast.Name):
            return None if node.id in self.known() else self.rule.lookup(node.id)
        if isinstance(node, gast.Attribute):
            if isinstance(node.value, gast.Name) and node.value.id not in self.known():
                return getattr(self.function(node.value), node.attr, None)
            if isinstance(node.value, gast.Attribute):
                return getattr(self.function(node.value), node.attr, None)
        return None

    def known(self) -> set[str]:
        """Names that stand for values of the primal."""
        rule = self.rule
        return {"d", rule.result, *(p.name for p in rule.parameters), *self.locals}

    def error(self, node: gast.AST, what: str) -> TemplateError:
        """An error that points at the expression."""
        origin = origin_of(self.statement) if self.statement is not None else None
        return TemplateError(
            f"template {self.rule.name}: {what}",
            place(node, origin),
            why=f"an adjoint is a linear function of d[{self.rule.result}]",
        )


def is_d(node: gast.AST) -> bool:
    """Whether the node is the name `d`."""
    return isinstance(node, gast.Name) and node.id == "d"


def is_zero(node: gast.AST) -> bool:
    """Whether the node is the constant 0, which contributes nothing."""
    return isinstance(node, gast.Constant) and node.value in (0, 0.0)
