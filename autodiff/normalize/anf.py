"""One primitive operation per statement.

    y = np.sin(x) * a[k + 1]

becomes

    sin_x = np.sin(x)
    a_k = a[k + 1]
    y = sin_x * a_k

Operands end up as atoms: names, constants, and attributes of modules (`np.pi`). Expressions that
are never differentiated stay whole: tests, comparisons, indices, f-strings, lambdas,
comprehensions. The names of the temporaries carry the node attribute-free marker that they were not
in the user's text: they are returned beside the tree.
"""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import gast

from autodiff.rules.home import home
from autodiff.syntax.make import LOAD, make
from autodiff.syntax.names import Names, name, store
from autodiff.syntax.origin import origin_of
from autodiff.syntax.walk import clone, map_children, of_class, placed, shared

_WHOLE = (
    gast.Compare,
    gast.BoolOp,
    gast.JoinedStr,
    gast.Lambda,
    gast.ListComp,
    gast.SetComp,
    gast.DictComp,
    gast.GeneratorExp,
    gast.Slice,
)
_WORDS = {
    gast.Add: "plus",
    gast.Sub: "minus",
    gast.Mult: "times",
    gast.Div: "over",
    gast.Pow: "pow",
    gast.MatMult: "at",
    gast.FloorDiv: "floordiv",
    gast.Mod: "mod",
}
_NOUNS = {
    gast.Add: "total",
    gast.Sub: "difference",
    gast.Mult: "product",
    gast.Div: "quotient",
    gast.Pow: "power",
    gast.MatMult: "product",
}
_LONGEST = 18
_JOINING = ("r_", "c_")
"""What joins arrays by its index, `np.r_` and `np.c_`: this holds values, not places."""


def anf(
    tree: gast.FunctionDef, names: Names, meant: Callable[[str], Any]
) -> tuple[gast.FunctionDef, frozenset[str]]:
    """The tree with one operation per statement, and the names of the temporaries made.

    What is in normal form already stays, so that what is known of it is not found out again.
    `meant` tells what a name stands for that the function does not bind, None if that is not known.
    """
    normalizer = _Normalizer(names, meant)
    new = map_children(lambda child: child, tree)
    new.body = normalizer.block(tree.body)
    return shared(new, tree), frozenset(normalizer.temporaries)


class _Normalizer:
    def __init__(self, names: Names, meant: Callable[[str], Any]) -> None:
        self.names = names
        self.meant = meant
        self.temporaries: set[str] = set()
        self.seen: set[int] = set()
        """Statements and their values, by `id`: if a pass put one in twice, they become two."""
        self.out: list[gast.stmt] = []
        self.origin: object = None

    def block(self, statements: list[gast.stmt]) -> list[gast.stmt]:
        outer, self.out = self.out, []
        for statement in statements:
            self.origin = origin_of(statement)
            handler = _STATEMENTS.get(type(statement))
            self.out.append(handler(self, statement) if handler else statement)
        block, self.out = self.out, outer
        return block

    def assign(self, statement: gast.Assign) -> gast.stmt:
        target = statement.targets[0]
        if isinstance(target, gast.Name):
            value = self.operation(statement.value)
        else:
            value = self.operand(statement.value)
        return self.made(statement, make(gast.Assign, targets=[self.target(target)], value=value))

    def augmented(self, statement: gast.AugAssign) -> gast.stmt:
        """Python reads the target, its index first, before it evaluates the right side."""
        target = statement.target
        is_settled = isinstance(target, gast.Name) or not self.may_change(statement.value)
        if isinstance(target, gast.Subscript):
            index = self.index(target.slice, is_settled)
            new = make(gast.Subscript, value=target.value, slice=index, ctx=target.ctx)
            target = shared(placed(new, target), target)
        if is_settled:
            value = self.operand(statement.value)
            new = make(gast.AugAssign, target=self.target(target), op=statement.op, value=value)
            return self.made(statement, new)
        target = self.target(target)
        read = clone(target)
        read.ctx = LOAD
        old = self.names.fresh(hint(read))
        self.temporaries.add(old)
        self.out.append(self.made(statement, make(gast.Assign, targets=[store(old)], value=read)))
        value = self.operand(statement.value)
        new = make(gast.AugAssign, target=store(old), op=statement.op, value=value)
        self.out.append(self.made(statement, new))
        return self.made(statement, make(gast.Assign, targets=[target], value=name(old)))

    def index(self, node: gast.AST, is_settled: bool) -> gast.AST:
        """An index whose parts are evaluated once, and now."""
        if isinstance(node, (gast.Slice, gast.Tuple)):
            return map_children(lambda part: self.index(part, is_settled), node)
        if not isinstance(node, gast.expr) or self.is_atom(node):
            return node
        reading = of_class(node, gast.Subscript, gast.Attribute, gast.Call)
        fixed = is_settled and not self.may_change(node) or not reading
        return node if fixed else self.operand(node)

    def may_change(self, value: gast.expr) -> bool:
        """Whether a call may change memory: of all but what is known to leave it as it is."""
        return any(not self.is_quiet(call) for call in of_class(value, gast.Call))

    def is_quiet(self, call: gast.Call) -> bool:
        """Whether a call is one of a function of NumPy, or the like, that changes nothing."""
        if any(keyword.arg in ("out", "key", None) for keyword in call.keywords):
            return False
        path, function = [], call.func
        while isinstance(function, gast.Attribute):
            path.append(function.attr)
            function = function.value
        if not isinstance(function, gast.Name):
            return False
        if not path and function.id.startswith("$"):
            return True
        value = self.meant(function.id)
        for attribute in reversed(path):
            value = getattr(value, attribute, None) if isinstance(value, ModuleType) else None
        module, own = (None, None) if value is None else home(value)
        if module == "builtins":
            return own in _QUIET_BUILTINS
        return own is not None and str(module).startswith(_QUIET) and own not in _CALLING_BACK

    def target(self, target: gast.expr) -> gast.expr:
        if isinstance(target, gast.Subscript):
            base = self.operand(target.value)
            new = make(gast.Subscript, value=base, slice=target.slice, ctx=target.ctx)
            return shared(placed(new, target), target)
        if isinstance(target, gast.Attribute):
            base = self.operand(target.value)
            new = make(gast.Attribute, value=base, attr=target.attr, ctx=target.ctx)
            return shared(placed(new, target), target)
        return target

    def expression(self, statement: gast.Expr) -> gast.stmt:
        call = statement.value
        if not isinstance(call, gast.Call) or (
            isinstance(call.func, gast.Name) and call.func.id == "print"
        ):
            return statement
        return self.made(statement, make(gast.Expr, value=self.operation(call)))

    def returned(self, statement: gast.Return) -> gast.stmt:
        if statement.value is None:
            return statement
        return self.made(statement, gast.Return(value=self.operand(statement.value)))

    def compound(self, statement: gast.stmt) -> gast.stmt:
        new = map_children(lambda child: child, statement)
        for field in ("body", "orelse", "finalbody"):
            if getattr(new, field, None):
                setattr(new, field, self.block(getattr(new, field)))
        if isinstance(new, gast.Try):
            new.handlers = [self.compound(handler) for handler in new.handlers]
        return self.once(shared(new, statement))

    def made(self, old: gast.stmt, new: gast.stmt) -> gast.stmt:
        placed(new, old)
        new.origin = origin_of(old)
        return self.once(shared(new, old))

    def once(self, statement: gast.stmt) -> gast.stmt:
        """The statement, or a copy if it or its value stands elsewhere, too."""
        own = {id(statement), id(getattr(statement, "value", statement))}
        if not self.seen.isdisjoint(own):
            return clone(statement)
        self.seen |= own
        return statement

    def operand(self, node: gast.expr) -> gast.expr:
        """An atom with the value of the expression."""
        value = self.operation(node)
        if self.is_atom(value):
            return value
        temporary = self.names.fresh(hint(value))
        self.temporaries.add(temporary)
        assignment = make(gast.Assign, targets=[store(temporary)], value=value)
        placed(assignment, node)
        assignment.origin = self.origin
        self.out.append(assignment)
        return placed(name(temporary), node)

    def is_atom(self, node: gast.expr) -> bool:
        while isinstance(node, gast.Attribute):
            node = node.value
            if not isinstance(node, gast.Attribute):
                named = isinstance(node, gast.Name)
                return named and isinstance(self.meant(node.id), ModuleType)
        return isinstance(node, (gast.Name, gast.Constant))

    def operation(self, node: gast.expr) -> gast.expr:
        """One operation on atoms with the value of the expression."""
        if isinstance(node, _WHOLE) or self.is_atom(node):
            return node
        if isinstance(node, gast.UnaryOp):
            return self.unary(node)
        if isinstance(node, gast.Call):
            return self.call(node)
        if isinstance(node, gast.Subscript):
            value = self.operand(node.value)
            called = getattr(value, "attr", getattr(value, "id", None))
            index = self.joined(node.slice) if called in _JOINING else node.slice
            new = make(gast.Subscript, value=value, slice=index, ctx=node.ctx)
            return shared(placed(new, node), node)
        if isinstance(node, gast.Dict):  # a key, its value, the next key
            pairs = zip(node.keys, node.values)
            parts = [(key and self.operand(key), self.operand(value)) for key, value in pairs]
            new = make(gast.Dict, keys=[k for k, _ in parts], values=[v for _, v in parts])
            return shared(placed(new, node), node)
        return shared(map_children(self.part, node), node)

    def joined(self, index: gast.expr) -> gast.expr:
        """An index whose parts are values, as in `np.r_[x, 2 * y, 1:5]`: each is computed before.
        """
        if isinstance(index, gast.Tuple):
            new = shared(map_children(self.joined, index), index)
            return new
        return index if isinstance(index, gast.Slice) else self.operand(index)

    def part(self, child: gast.AST) -> gast.AST:
        if isinstance(child, gast.Starred):
            return shared(map_children(self.part, child), child)
        return self.operand(child) if isinstance(child, gast.expr) else child

    def unary(self, node: gast.UnaryOp) -> gast.expr:
        if isinstance(node.op, gast.Not):
            return node
        operand = self.operand(node.operand)
        if isinstance(operand, gast.Constant) and isinstance(node.op, gast.USub):
            if type(operand.value) in (int, float, complex):
                negative = make(gast.Constant, value=-operand.value, kind=None)
                return placed(negative, node)
        new = make(gast.UnaryOp, op=node.op, operand=operand)
        return shared(placed(new, node), node)

    def call(self, node: gast.Call) -> gast.expr:
        function = node.func
        if isinstance(function, gast.Attribute):
            base = self.operand(function.value)
            new = make(gast.Attribute, value=base, attr=function.attr, ctx=function.ctx)
            function = shared(placed(new, function), function)
        elif not isinstance(function, gast.Name):
            function = self.operand(function)
        arguments = [self.part(argument) for argument in node.args]
        keywords = []
        for keyword in node.keywords:
            new = make(gast.keyword, arg=keyword.arg, value=self.operand(keyword.value))
            keywords.append(shared(placed(new, keyword), keyword))
        new = make(gast.Call, func=function, args=arguments, keywords=keywords)
        return shared(placed(new, node), node)


_QUIET = ("numpy", "math", "cmath", "scipy.special", "scipy.linalg")
_QUIET_BUILTINS = frozenset(
    "len min max int abs range slice round float sum bool complex isinstance tuple list zip".split()
)
_CALLING_BACK = frozenset(
    "apply_along_axis apply_over_axes piecewise vectorize frompyfunc fromfunction fromiter".split()
)
"""Functions of NumPy that call a function of the user's, or go on with what does."""


_STATEMENTS = {
    gast.Assign: _Normalizer.assign,
    gast.AugAssign: _Normalizer.augmented,
    gast.Expr: _Normalizer.expression,
    gast.Return: _Normalizer.returned,
    gast.If: _Normalizer.compound,
    gast.For: _Normalizer.compound,
    gast.While: _Normalizer.compound,
    gast.With: _Normalizer.compound,
    gast.Try: _Normalizer.compound,
}


def hint(node: gast.expr) -> str:
    """A readable name for the value of an operation: `sin_x`, `a_k`, `x_times_y`."""
    text = _hint(node)
    return text if text.isidentifier() else "value"


def _hint(node: gast.expr) -> str:
    if isinstance(node, gast.Name):
        return str(node.id).removeprefix("$")
    if isinstance(node, gast.Constant):
        return str(node.value) if type(node.value) is int and node.value >= 0 else ""
    if isinstance(node, gast.BinOp):
        left, right = _hint(node.left), _hint(node.right)
        text = f"{left}_{_WORDS.get(type(node.op), 'op')}_{right}"
        if left and right and len(text) <= _LONGEST and text.count("_") <= 4:
            return text
        return _NOUNS.get(type(node.op), "value")
    if isinstance(node, gast.UnaryOp):
        return _joined("minus" if isinstance(node.op, gast.USub) else "value", node.operand)
    if isinstance(node, gast.Call):
        function = node.func
        own = function.attr if isinstance(function, gast.Attribute) else _hint(function)
        if isinstance(function, gast.Attribute) and not any(map(_is_named, node.args[:1])):
            if not node.args or not _is_module(function.value):
                return _joined(own, function.value)  # `x.reshape(3, 4)`: what it is done to
        return _joined(own, node.args[0]) if node.args else own + "_value"
    if isinstance(node, gast.Attribute):
        base = _hint(node.value)
        return f"{base}_{node.attr}" if base and len(base) < _LONGEST else node.attr
    if isinstance(node, gast.Subscript):
        base, index = _hint(node.value), _hint(node.slice)
        if isinstance(node.slice, gast.Constant) and type(node.slice.value) is str:
            key = node.slice.value  # `d_key` and `d_key_bar` are for the parts of `d`
            index = f"{key}_value" if key.isidentifier() else ""
        return f"{base}_{index}" if index and len(base + index) < _LONGEST else f"{base}_item"
    if isinstance(node, gast.Tuple):
        return "pair" if len(node.elts) == 2 else "items"
    if isinstance(node, gast.List):
        return "items"
    if isinstance(node, gast.Dict):
        return "table"
    if isinstance(node, (gast.Compare, gast.BoolOp)):
        return "condition"
    return "value"


def _is_named(node: gast.expr) -> bool:
    """Whether a name of a value can be made of an expression; not of a number or a tuple."""
    return not isinstance(node, (gast.Constant, gast.UnaryOp, gast.Tuple))


def _is_module(node: gast.expr) -> bool:
    return isinstance(node, gast.Name) and node.id in ("np", "numpy", "math")


def _joined(own: str, operand: gast.expr) -> str:
    text = f"{own}_{_hint(operand)}"
    return text if _hint(operand) and len(text) <= _LONGEST else f"{own}_value"
