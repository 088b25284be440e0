"""What an exception leaves behind: the statements that may have run when a block stops halfway.

    try:
        y = np.sin(x)       # after it, `check` may raise: a handler may find this y
        check(y)
        z = y * y           # nothing follows that may raise: a handler never finds this z
    except ValueError:
        ...
"""

from __future__ import annotations

import gast

from autodiff.analysis.kind import UNKNOWN, Record, Scalar, Sequence
from autodiff.analysis.known import Kinds
from autodiff.syntax.names import caught, reads, store, writes
from autodiff.syntax.windows import root

_ATOMS = (gast.Name, gast.Constant)
_EXACT = (gast.Add, gast.Sub, gast.Mult)


def halfway(statements: list[gast.stmt], kinds: Kinds) -> list[gast.stmt]:
    """The simple statements of a block after which, in the same block, an exception may come.

    What binds a name besides (a loop, a `with`, a handler) comes as the expression that binds it.
    """
    walk = _Halfway(kinds)
    walk.block(statements, False)
    return walk.found


class _Halfway:
    """Walks backwards; `raises` says whether an exception may come after the place it is at."""

    def __init__(self, kinds: Kinds) -> None:
        self.kinds = kinds
        self.found: list[gast.stmt] = []

    def block(self, statements: list[gast.stmt], raises: bool) -> bool:
        for statement in reversed(statements):
            raises = self.statement(statement, raises)
        return raises

    def statement(self, node: gast.stmt, raises: bool) -> bool:
        if isinstance(node, gast.If):
            sides = [self.block(side, raises) for side in (node.body, node.orelse)]
            return any(sides) or self.may_fail_to_decide(node.test)
        if isinstance(node, (gast.For, gast.While)):
            return self.loop(node, raises)
        if isinstance(node, gast.With):
            self.block(node.body, True)
            self.found.extend(item.optional_vars for item in node.items if item.optional_vars)
            return True
        if isinstance(node, gast.Try):
            return self.attempt(node, raises)
        if raises:
            self.found.append(node)
        return raises or self.may_raise(node)

    def loop(self, node: gast.For | gast.While, raises: bool) -> bool:
        """What raises in one iteration does so after the iterations before it."""
        is_while = isinstance(node, gast.While)
        again = _Halfway(self.kinds).block(node.body, False)
        raises = raises or again or (is_while and self.may_fail_to_decide(node.test))
        raises = self.block(node.body, raises)
        if not is_while and raises:
            self.found.append(node.target)
        return raises or (not is_while and self.may_fail(node.iter))

    def attempt(self, node: gast.Try, raises: bool) -> bool:
        """A `finally` also runs when an exception passes through it."""
        clauses = [node.body, node.orelse, *(handler.body for handler in node.handlers)]
        fails = any(_Halfway(self.kinds).block(clause, False) for clause in clauses)
        raises = self.block(node.finalbody, raises or fails)
        after = [self.block(node.orelse, raises)]
        after += [self.block(handler.body, raises) for handler in node.handlers]
        self.found.extend(part for handler in node.handlers for part in _caught(handler))
        return self.block(node.body, any(after)) or any(after)

    # What may raise

    def may_raise(self, node: gast.stmt) -> bool:
        if getattr(node, "site", None) is not None or isinstance(node, gast.Pass):
            return False
        if isinstance(node, gast.Assign):
            return self.may_fail_to_bind(node.targets[0], node.value)
        if isinstance(node, gast.Expr):
            return not isinstance(node.value, gast.Constant) and not self.is_append(node.value)
        return not isinstance(node, gast.Break)

    def may_fail_to_bind(self, target: gast.expr, value: gast.expr) -> bool:
        if isinstance(target, gast.Tuple):
            kind = self.kinds.known(value)
            if not isinstance(kind, Record) or not kind.indexed or kind.cls is dict:
                return True
            return len(kind.items) != len(target.elts) or self.may_fail(value)
        return not isinstance(target, gast.Name) or self.may_fail(value)

    def may_fail(self, value: gast.expr) -> bool:
        """Whether an expression may raise. A local name has a value where it is read."""
        if isinstance(value, gast.Name) and value.id not in self.kinds.local:
            return self.kinds.known(value) == UNKNOWN
        if isinstance(value, (*_ATOMS, gast.Lambda)):
            return False
        if isinstance(value, (gast.Tuple, gast.List)):
            return not all(isinstance(part, _ATOMS) for part in value.elts)
        if isinstance(value, gast.UnaryOp):
            return not self.is_number(value.operand)
        if isinstance(value, gast.Compare):
            parts = [value.left, *value.comparators]
            identity = all(isinstance(op, (gast.Is, gast.IsNot)) for op in value.ops)
            return not identity and not all(self.is_number(part) for part in parts)
        if isinstance(value, gast.BinOp) and isinstance(value.op, _EXACT):
            sides = [s for s in (value.left, value.right) if not isinstance(s, gast.Constant)]
            types = {getattr(self.kinds.known(side), "type", None) for side in sides}
            numbers = self.is_number(value.left) and self.is_number(value.right)
            # a whole number may be too large for a float
            return not numbers or ("int" in types and len(types) > 1)
        return True

    def may_fail_to_decide(self, test: gast.expr) -> bool:
        """Whether a test may raise; an array of several elements is neither true nor false."""
        if isinstance(test, gast.BoolOp):
            return any(self.may_fail_to_decide(part) for part in test.values)
        if isinstance(test, gast.UnaryOp) and isinstance(test.op, gast.Not):
            return self.may_fail_to_decide(test.operand)
        if isinstance(test, gast.Compare):
            return self.may_fail(test)
        return not self.is_number(test)

    def is_number(self, node: gast.expr) -> bool:
        """Whether an operand is a Python number; NumPy may raise where it would warn."""
        kind = self.kinds.known(node)
        return isinstance(kind, Scalar) and kind.dtype is None and not self.may_fail(node)

    def is_append(self, node: gast.expr) -> bool:
        if not (isinstance(node, gast.Call) and isinstance(node.func, gast.Attribute)):
            return False
        kind = self.kinds.known(node.func.value)
        is_list = isinstance(kind, (Sequence, Record)) and kind.cls is list
        simple = len(node.args) == 1 and isinstance(node.args[0], _ATOMS) and not node.keywords
        return is_list and simple and node.func.attr == "append"


def _caught(handler: gast.ExceptHandler) -> list[gast.expr]:
    return [store(n) for n in caught(handler)]


def changed_by(part: gast.AST) -> set[str]:
    """Names whose memory a statement may update in place."""
    targets: list[gast.expr] = []
    if isinstance(part, gast.AugAssign):
        targets = [part.target]
    elif isinstance(part, (gast.Assign, gast.Delete)):
        targets = [t for t in part.targets if isinstance(t, (gast.Subscript, gast.Attribute))]
    elif isinstance(part, gast.Expr) and isinstance(part.value, gast.Call):
        if isinstance(part.value.func, gast.Attribute):
            targets = [part.value.func]
    return {base for target in targets for base in _roots(target)}


def _roots(target: gast.expr) -> set[str]:
    base = root(target)
    return reads(target) | writes(target) if base is None else {base}
