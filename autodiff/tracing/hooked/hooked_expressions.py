"""Expressions with hooks in place of their operations."""

from __future__ import annotations

import ast
from typing import Any

from autodiff.core import NotYet

OWN = "__autodiff_"
"""What names that a rewritten function has besides the user's begin with."""
HOOKS = f"{OWN}_"
"""The name of the hooks in a rewritten function; Python does not mangle it."""
_FRAMES = ("locals", "eval", "exec", "vars", "dir")
OPERATORS = {
    ast.Add: "add",
    ast.Sub: "sub",
    ast.Mult: "mul",
    ast.Div: "truediv",
    ast.FloorDiv: "floordiv",
    ast.Mod: "mod",
    ast.Pow: "pow",
    ast.MatMult: "matmul",
    ast.LShift: "lshift",
    ast.RShift: "rshift",
    ast.BitOr: "or_",
    ast.BitXor: "xor",
    ast.BitAnd: "and_",
}
_UNARY = {ast.USub: "neg", ast.UAdd: "pos", ast.Invert: "invert"}
_COMPARISONS = {
    ast.Lt: "lt",
    ast.LtE: "le",
    ast.Gt: "gt",
    ast.GtE: "ge",
    ast.Eq: "eq",
    ast.NotEq: "ne",
}
_CONVERSIONS = {ord("r"): "repr", ord("s"): "str"}


class HookedExpressions(ast.NodeTransformer):
    """The rewriting of one function; what stands in it is visited with it."""

    def __init__(self, owner: str | None) -> None:
        self.owner = owner
        self.first: list[str | None] = []
        self.count = 0
        self.global_names: set[str] = set()

    # ---- pieces -------------------------------------------------------------------------------

    def hook(self, name: str, at: ast.AST, *arguments: ast.expr) -> ast.Call:
        own = ast.Attribute(ast.Name(HOOKS, ast.Load()), name, ast.Load())
        made = ast.copy_location(ast.Call(own, [*arguments], []), at)
        return made

    def temporary(self) -> str:
        self.count += 1
        return f"{OWN}{self.count}__"

    def private(self, name: str) -> ast.expr:
        if self.owner and name.startswith("__") and not name.endswith("__") and "." not in name:
            owner = self.owner.lstrip("_")
            name = f"_{owner}{name}" if owner else name
        return ast.Constant(name)

    def block(self, statements: list[ast.stmt]) -> list[ast.stmt]:
        made: list[ast.stmt] = []
        for statement in statements:
            found = self.visit(statement)
            made += found if isinstance(found, list) else [found]
        return made

    def expression(self, node: Any) -> Any:
        return None if node is None else self.visit(node)

    # ---- names, attributes, items -------------------------------------------------------------

    def visit_Attribute(self, node: ast.Attribute) -> Any:
        return self.hook("getattr", node, self.visit(node.value), self.private(node.attr))

    def index(self, node: ast.expr) -> ast.expr:
        if isinstance(node, ast.Slice):
            parts = [self.expression(own) or ast.Constant(None) for own in self._bounds(node)]
            return self.hook("slice", node, *parts)
        if isinstance(node, ast.Tuple):
            return ast.copy_location(
                ast.Tuple([self.index(own) for own in node.elts], ast.Load()), node
            )
        return self.visit(node)  # type: ignore[no-any-return]

    @staticmethod
    def _bounds(node: ast.Slice) -> tuple[ast.expr | None, ...]:
        return node.lower, node.upper, node.step

    def visit_Subscript(self, node: ast.Subscript) -> Any:
        return self.hook("getitem", node, self.visit(node.value), self.index(node.slice))

    def visit_Starred(self, node: ast.Starred) -> Any:
        value = self.visit(node.value)
        if isinstance(node.ctx, ast.Load):
            value = self.hook("iterate", node, value)
        return ast.copy_location(ast.Starred(value, node.ctx), node)

    def visit_Global(self, node: ast.Global) -> Any:
        self.global_names.update(node.names)
        return node

    # ---- operators ----------------------------------------------------------------------------

    def visit_BinOp(self, node: ast.BinOp) -> Any:
        sides = self.visit(node.left), self.visit(node.right)
        return self.hook("binary", node, ast.Constant(OPERATORS[type(node.op)]), *sides)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> Any:
        value = self.visit(node.operand)
        if isinstance(node.op, ast.Not) or isinstance(node.operand, ast.Constant):
            return ast.copy_location(ast.UnaryOp(node.op, value), node)
        return self.hook("unary", node, ast.Constant(_UNARY[type(node.op)]), value)

    def visit_Compare(self, node: ast.Compare) -> Any:
        left, tests = self.visit(node.left), []
        for k, (op, right) in enumerate(zip(node.ops, node.comparators)):
            right = self.visit(right)
            after = right
            if k + 1 < len(node.ops):
                name = self.temporary()
                right = ast.NamedExpr(ast.Name(name, ast.Store()), right)
                after = ast.Name(name, ast.Load())
            tests.append(self.comparison(node, op, left, right))
            left = after
        if len(tests) == 1:
            return tests[0]
        return ast.copy_location(ast.BoolOp(ast.And(), tests), node)

    def comparison(self, at: ast.AST, op: ast.cmpop, left: Any, right: Any) -> Any:
        if isinstance(op, (ast.In, ast.NotIn)):
            found = self.hook("contains", at, left, right)
            negated = ast.copy_location(ast.UnaryOp(ast.Not(), found), at)
            return negated if isinstance(op, ast.NotIn) else found
        if type(op) in _COMPARISONS:
            return self.hook("compare", at, ast.Constant(_COMPARISONS[type(op)]), left, right)
        return ast.copy_location(ast.Compare(left, [op], [right]), at)

    # ---- calls --------------------------------------------------------------------------------

    def visit_Call(self, node: ast.Call) -> Any:
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        if name == "super" and not node.args and self.first:
            own = [ast.Name("__class__", ast.Load()), ast.Name(self.first[-1] or "", ast.Load())]
            return ast.copy_location(ast.Call(node.func, own, []), node)  # type: ignore[arg-type]
        if name == "super" or name == "globals":
            return node
        if name in ("locals", "vars") and not node.args and not node.keywords:
            return self.variables(node, name)
        if name in _FRAMES and (len(node.args) == 0 or name in ("eval", "exec")):
            raise NotYet(f"`{name}`, which reads the variables of a function")
        return self.call(node, self.visit(node.func), node.args, node.keywords)

    def variables(self, at: ast.Call, name: str) -> Any:
        """`locals()`, asked here, as long as that is what the name stands for."""
        own = ast.Attribute(ast.Name(HOOKS, ast.Load()), name, ast.Load())
        test = ast.Compare(ast.Name(name, ast.Load()), [ast.Is()], [own])
        called = self.call(at, ast.Name(name, ast.Load()), [])
        return ast.copy_location(ast.IfExp(test, self.hook("variables", at, at), called), at)

    def call(self, at: ast.AST, function: Any, arguments: Any, keywords: Any = ()) -> Any:
        made = self.hook("call", at, function, *map(self.visit, arguments))
        made.keywords = self.named(keywords)
        return made

    def named(self, keywords: Any) -> list[ast.keyword]:
        """Arguments by name; what `**` takes apart is asked by a hook."""
        made = []
        for own in keywords:
            value = self.visit(own.value)
            if own.arg is None:
                value = self.hook("mapping", own.value, value)
            made.append(ast.keyword(own.arg, value))
        return made

    def visit_Dict(self, node: ast.Dict) -> Any:
        pairs = list(zip(node.keys, node.values))
        node.keys = [self.expression(key) for key in node.keys]
        node.values = [
            self.visit(value) if key is not None else self.hook("mapping", value, self.visit(value))
            for key, value in pairs
        ]
        return node

    def visit_JoinedStr(self, node: ast.JoinedStr) -> Any:
        for part in node.values:
            if isinstance(part, ast.FormattedValue):
                value = self.visit(part.value)
                if part.conversion in _CONVERSIONS:
                    own = ast.Name(_CONVERSIONS[part.conversion], ast.Load())
                    part.value = self.hook("call", part, own, value)
                    part.conversion = -1
                else:
                    part.value = self.hook("printed", part, value)
                if isinstance(part.format_spec, ast.JoinedStr):
                    self.visit_JoinedStr(part.format_spec)
        return node

    def visit_YieldFrom(self, node: ast.YieldFrom) -> Any:
        value = self.hook("iterate", node, self.visit(node.value))
        return ast.copy_location(ast.YieldFrom(value), node)

    def visit_Await(self, node: ast.Await) -> Any:
        raise NotYet("`await`")

    visit_AsyncFunctionDef = visit_AsyncFor = visit_AsyncWith = visit_Await  # type: ignore[assignment]

    # ---- functions and classes inside ---------------------------------------------------------

    def _arguments(self, node: ast.arguments) -> None:
        node.defaults = [self.visit(own) for own in node.defaults]
        node.kw_defaults = [self.expression(own) for own in node.kw_defaults]

    @staticmethod
    def _first(node: ast.arguments) -> str | None:
        given = [*node.posonlyargs, *node.args]
        return given[0].arg if given else None

    def visit_Lambda(self, node: ast.Lambda) -> Any:
        self._arguments(node.args)
        node.body = self.visit(node.body)
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> Any:
        self._arguments(node.args)
        before, decorators = self._decorators(node)
        self.first.append(self._first(node.args))
        node.body = self.block(node.body)
        self.first.pop()
        return [*before, *self._decorated(node, decorators)]

    def visit_ClassDef(self, node: ast.ClassDef) -> Any:
        before, decorators = self._decorators(node)
        node.bases = [self.visit(own) for own in node.bases]
        node.keywords = self.named(node.keywords)
        owner, self.owner = self.owner, node.name
        node.body = self.block(node.body)
        self.owner = owner
        return [*before, *self._decorated(node, decorators)]

    def _decorators(self, node: Any) -> tuple[list[ast.stmt], list[ast.expr]]:
        """What decorators are, which is asked before the function is made."""
        before: list[ast.stmt] = []
        names: list[ast.expr] = []
        for own in node.decorator_list:
            name = self.temporary()
            target = ast.Name(name, ast.Store())
            before.append(ast.copy_location(ast.Assign([target], self.visit(own)), node))
            names.append(ast.Name(name, ast.Load()))
        node.decorator_list = []
        return before, names

    def _decorated(self, node: Any, decorators: list[ast.expr]) -> list[ast.stmt]:
        made: list[ast.stmt] = [node]
        for decorator in reversed(decorators):
            value = self.hook("call", node, decorator, ast.Name(node.name, ast.Load()))
            target = ast.Name(node.name, ast.Store())
            made.append(ast.copy_location(ast.Assign([target], value), node))
        for decorator in decorators:
            name = ast.Name(decorator.id, ast.Del())  # type: ignore[attr-defined]
            made.append(ast.copy_location(ast.Delete([name]), node))
        return made
