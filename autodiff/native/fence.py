"""Refuses what Numba does not compile, or may give another meaning than Python and NumPy do."""

from __future__ import annotations

from collections.abc import Mapping
from types import ModuleType
from typing import Any

import gast
import numpy as np

from autodiff.errors import NativeError
from autodiff.frontend.jitted import is_jitted
from autodiff.kinds.kind import Array, Kind, Record, Scalar, Static
from autodiff.native import arrays
from autodiff.native.frozen import MOST, is_constant
from autodiff.native.lists import is_float_list, permitted
from autodiff.native.made import REDUCES
from autodiff.native.native_kinds import SHORT, NativeKinds, is_taken
from autodiff.native.short import CASTS
from autodiff.native.vocabulary import ATTRIBUTES, COMPLEX, CONSTANTS, DTYPES, METHODS, arity
from autodiff.rules.home import hashable, module_of
from autodiff.syntax.change import blocks
from autodiff.syntax.comment import is_comment
from autodiff.syntax.names import parameters
from autodiff.syntax.origin import Origin, origin_of
from autodiff.syntax.walk import children

_STATEMENTS = (
    *(gast.Assign, gast.AugAssign, gast.Expr, gast.If, gast.While, gast.For),
    *(gast.Return, gast.Pass, gast.Break, gast.Assert, gast.Raise),
)
_EXPRESSIONS = (
    *(gast.Name, gast.Constant, gast.BinOp, gast.UnaryOp, gast.Compare, gast.BoolOp, gast.IfExp),
    *(gast.Subscript, gast.Slice, gast.Tuple, gast.Attribute, gast.Call, gast.List),
)
_COMPARED = (gast.Eq, gast.NotEq, gast.Lt, gast.LtE, gast.Gt, gast.GtE)
_OPERATORS = (gast.Add, gast.Sub, gast.Mult, gast.Div, gast.Pow, gast.FloorDiv, gast.Mod)
_BITS = (gast.BitAnd, gast.BitOr, gast.BitXor, gast.LShift, gast.RShift)
"""Of whole numbers, or of masks."""
_NUMBERS = (bool, int, float, complex)
_CURE = 'leave backend="numba" out: Python runs the same derivative'


def fence(tree: gast.FunctionDef, known: NativeKinds, given: Mapping[str, Kind]) -> None:
    """Check every statement of the lowered function; what is not known to agree is refused."""
    arguments = tree.args
    if arguments.vararg or arguments.kwarg or arguments.kwonlyargs:
        raise NativeError(
            "the native backend takes positional parameters only",
            origin_of(tree),
            why="Numba compiles a function for the types of its arguments, by position",
            cure="write a function that takes them one by one",
        )
    for parameter in parameters(arguments):
        if not is_taken(given[parameter]):
            raise NativeError(
                f"the native backend does not take what is passed for {parameter}",
                origin_of(tree),
                why="it takes numbers, arrays with at least one axis of dtype float64, int64, "
                "bool or complex128, and tuples of those; gradients take float32, too",
                cure=f"convert {parameter}, or {_CURE}",
            )
    _Fence(known).block(tree.body)


class _Fence:
    def __init__(self, known: NativeKinds) -> None:
        self.known = known
        self.origin: Origin | None = None
        self.is_complex = any(map(_is_complex, known.names.values()))
        """Whether what has no kind may be complex."""
        self.lists: set[int] = set()
        """The `id`s of lists that are used as lists may be, in the statement at hand."""

    def block(self, body: list[gast.stmt]) -> None:
        for node in body:
            if is_comment(node) or isinstance(node, gast.Expr) and _is_text(node.value):
                continue
            self.origin = origin_of(node) or self.origin
            self.lists = permitted(node, self.known)
            if not isinstance(node, _STATEMENTS):
                self.refuse(f"`{type(node).__name__.lower()}` in a function compiled by Numba")
            if isinstance(node, gast.AugAssign):
                kinds = [self.known.of(node.target), self.known.of(node.value)]
                bits = isinstance(node.op, _BITS) and all(map(_is_int, kinds))
                if not bits and not isinstance(node.op, _OPERATORS):
                    self.refuse(f"the operator {type(node.op).__name__}=")
                self.shortness(node, *kinds)
                self.truth_values(node.target, node.value)
            if isinstance(node, (gast.Assert, gast.Raise)):
                self.error(node)
                continue
            if isinstance(node, gast.Expr) and self.prints(node.value):
                continue
            for part in children(node):
                if isinstance(part, gast.expr):
                    self.expression(part)
            for inner in blocks(node):
                self.block(inner)

    def error(self, node: gast.stmt) -> None:
        """`assert test, "text"`, `raise ValueError("text")`: Numba's errors hold constants."""
        if isinstance(node, gast.Assert):
            if not isinstance(self.known.of(node.test), Scalar):
                self.refuse("`assert` of what is no number")
            self.expression(node.test)
            constant = node.msg is None or isinstance(node.msg, gast.Constant)
        else:
            call = node.exc
            raised = call.func if isinstance(call, gast.Call) else call
            error = self.known.value(raised)
            constant = isinstance(error, type) and issubclass(error, Exception)
            constant = constant and error.__module__ == "builtins" and node.cause is None
            if isinstance(call, gast.Call):
                parts = [*call.args, *call.keywords]
                constant = constant and all(isinstance(part, gast.Constant) for part in parts)
        if not constant:
            self.refuse(
                "an error with more in it than constants",
                why="Numba's exceptions are made while compiling",
                cure='write a constant text: raise ValueError("not positive")',
            )

    def prints(self, node: gast.expr) -> bool:
        """Whether it is `print(...)` of numbers and texts, which changes nothing."""
        if self.known.called(node) is not print or node.keywords:
            return False
        for part in node.args:
            if not _is_text(part):
                if not isinstance(self.known.of(part), Scalar):
                    self.refuse("print of more than numbers and texts")
                self.expression(part)
        return True

    def expression(self, node: gast.expr) -> None:
        if id(node) not in self.lists and is_float_list(self.known.of(node)):
            self.refuse("a list that is used as a whole")
        if isinstance(node, gast.Call):
            self.call(node)
            return
        if not isinstance(node, _EXPRESSIONS):
            self.refuse(f"an expression of the form {type(node).__name__}")
        if isinstance(node, gast.Name):
            self.name(node)
        elif isinstance(node, gast.Attribute):
            self.attribute(node)
            return
        elif isinstance(node, gast.Constant) and type(node.value) not in _NUMBERS:
            if node.value is not Ellipsis:
                self.refuse(f"the constant {node.value!r}")
        elif isinstance(node, gast.List) and node.elts and id(node) not in self.lists:
            self.refuse("a list")
        elif isinstance(node, gast.Compare) and not all(isinstance(o, _COMPARED) for o in node.ops):
            self.refuse("`is` or `in`")
        elif isinstance(node, gast.BinOp):
            self.operator(node)
        elif isinstance(node, gast.Subscript):
            self.index(node)
            for part in (node.value, *_indices(node.slice)):
                self.expression(part)
            return
        for part in children(node):
            if isinstance(part, gast.expr):
                self.expression(part)

    def name(self, node: gast.Name) -> None:
        """A global is a constant to Numba: only one that `guards` can compare may be read."""
        if node.id not in self.known.local and not is_constant(node.id, self.known):
            self.refuse(
                f"the global or closure variable {node.id}",
                why="Numba takes it for a constant, and it is no number, no tuple of numbers and "
                f"no array of at most {MOST} elements",
                cure="pass it as an argument",
            )

    def attribute(self, node: gast.Attribute) -> None:
        base = self.known.of(node.value)
        if isinstance(base, Static) and isinstance(base.value, ModuleType):
            if base.value.__name__ in ("math", "numpy") and node.attr in CONSTANTS:
                return
            if base.value is np and node.attr in (*DTYPES, *SHORT):
                return
            self.refuse(f"{base.value.__name__}.{node.attr}")
        if node.attr not in ATTRIBUTES:
            self.refuse(f"the attribute {node.attr}")
        self.expression(node.value)

    def operator(self, node: gast.BinOp) -> None:
        kinds = [self.known.of(operand) for operand in (node.left, node.right)]
        if not all(isinstance(kind, Scalar) for kind in kinds):
            self.shortness(node, *kinds)
        alike = (all(map(test, kinds)) for test in (_is_int, _is_mask, _is_truth))
        if isinstance(node.op, _BITS) and any(alike):
            return
        if not isinstance(node.op, _OPERATORS):
            self.refuse(f"the operator {type(node.op).__name__}")
        self.truth_values(node.left, node.right)
        if isinstance(node.op, gast.Pow) and not (
            _is_natural(node.right) or any(_is_float(kind) or _is_complex(kind) for kind in kinds)
        ):
            self.refuse(
                "a power that may be one of integers",
                why="Numba's is an integer for a negative exponent, too; Python's is a fraction",
                cure="write float(base) ** exponent",
            )

    def shortness(self, node: gast.AST, *kinds: Kind) -> None:
        """Sums of whole numbers of few bits have as many bits in NumPy, and 64 in Numba."""
        whole = [k.type == "int" if isinstance(k, Scalar) else k.dtype in (*SHORT, "bool")
                 for k in kinds if isinstance(k, (Scalar, Array))]  # fmt: skip
        if any(getattr(k, "dtype", None) in SHORT for k in kinds) and all(whole):
            self.refuse(
                "arithmetic with arrays of whole numbers of fewer than 64 bits",
                cure="convert them: x.astype(np.int64)",
            )

    def truth_values(self, left: gast.expr, right: gast.expr) -> None:
        """NumPy's True + True is True, Python's and Numba's is 2; which one it is, no kind says."""
        if all(_may_be_bool(self.known.of(operand)) for operand in (left, right)):
            self.refuse(
                "arithmetic with two truth values",
                why="NumPy's sum of two is a truth value again, Numba's is an integer",
                cure="write int(a) + int(b)",
            )

    def index(self, node: gast.Subscript) -> None:
        """Integers, slices and new axes; one array of indices, or a mask of the size of the axis.

        A mask of another size is an error of NumPy's, which Numba does not notice.
        """
        parts = node.slice.elts if isinstance(node.slice, gast.Tuple) else [node.slice]
        for part in parts:
            if isinstance(part, gast.Slice) or _is_ellipsis(part):
                continue
            if isinstance(part, gast.Constant) and part.value is None:
                continue
            kind = self.known.of(part)
            if isinstance(kind, Scalar) and kind.type == "int":
                continue
            if not (len(parts) == 1 and self.picks(kind, self.known.of(node.value))):
                self.refuse("an index that is neither an integer nor a slice")

    def picks(self, index: Kind | None, base: Kind | None) -> bool:
        """Whether an index is a vector of integers, or a mask that fits the first axis."""
        if not isinstance(index, Array) or not isinstance(base, Array) or len(index.shape) != 1:
            return False
        size = index.shape[0]
        return index.dtype in ("int64", "int32") or (
            index.dtype == "bool" and size is not None and size == base.shape[0]
        )

    def call(self, node: gast.Call) -> None:
        function, called = node.func, self.known.called(node)
        if node.keywords or any(isinstance(argument, gast.Starred) for argument in node.args):
            named = getattr(function, "attr", None) or getattr(function, "id", "a function")
            given = ", ".join(keyword.arg or "**" for keyword in node.keywords) or "*"
            self.refuse(f"a call of {named} with {given}")
        if called is not None:
            allowed = arity(called)
            if allowed is None and not is_jitted(called):
                self.refuse(f"a call of {getattr(called, '__name__', called)}")
            if not any(called is own for own in COMPLEX) and called not in REDUCES:
                self.real(node, called)
            self.shortly(node, called)
            if allowed is not None and len(node.args) > allowed:
                self.created(node, called)
            if called is np.power and not any(_is_float(self.known.of(a)) for a in node.args):
                self.refuse(
                    "a power that may be one of integers",
                    why="NumPy raises an error for a negative exponent, Numba gives an integer",
                    cure="make the base a float",
                )
            if called in (np.full, np.full_like):
                if len(node.args) > 1 and not isinstance(self.known.of(node.args[1]), Scalar):
                    self.refuse(f"{called.__name__} of more than a number")
        elif isinstance(function, gast.Attribute) and function.attr in METHODS:
            if len(node.args) > METHODS[function.attr]:
                self.refuse(f"the method {function.attr} with such arguments")
            if function.attr == "sum":
                self.shortness(function.value, self.known.of(function.value))
            if function.attr in ("append", "pop") and not self.is_stack(function.value):
                self.refuse("a list of floats that takes something else")
            self.expression(function.value)
        else:
            self.refuse("a call of a function that is not known while compiling")
        if called is np.array:
            self.numbers(node.args[0])
            return
        for argument in node.args:
            if not _is_text(argument):
                self.expression(argument)

    def shortly(self, node: gast.Call, called: Any) -> None:
        """Refuse whole numbers of few bits for what may give another dtype than NumPy."""
        if called in (len, float, int, bool, arrays.apart) or called in CASTS:
            return
        own = hashable(called) and module_of(called).startswith(("autodiff.native", "math"))
        for part in node.args:
            kind = self.known.of(part)
            if not (own and isinstance(kind, Scalar)):
                self.shortness(part, kind)

    def real(self, node: gast.Call, called: object) -> None:
        """Refuse complex numbers for what is compared for real ones only."""
        kinds = [self.known.of(argument) for argument in node.args]
        unknown = self.is_complex and any(kind is None for kind in kinds)
        if unknown or any(map(_is_complex, kinds)):
            self.refuse(f"{getattr(called, '__name__', called)} of complex numbers")

    def is_stack(self, node: gast.expr) -> bool:
        """Whether it is no list of floats, or one that takes what it is given.

        Of other lists, of arrays on a tape, say, Numba finds out whether all items are of one type.
        """
        return id(node) in self.lists or not is_float_list(self.known.of(node))

    def numbers(self, node: gast.expr) -> None:
        """`np.array([a, b, c])` of floats, or of integers."""
        if isinstance(self.known.of(node), Array):
            self.expression(node)
            return
        parts = node.elts if isinstance(node, (gast.List, gast.Tuple)) else []
        if parts and all(isinstance(part, gast.List) for part in parts):
            parts = [item for row in parts for item in row.elts]
        types = {k.type for k in map(self.known.of, parts) if isinstance(k, Scalar)}
        if len(types) != 1 or not types <= {"float", "int"}:
            self.refuse("an array that is not written as a list of floats, or of integers")
        if not all(isinstance(self.known.of(part), Scalar) for part in parts):
            self.refuse("an array of arrays")
        for part in parts:
            self.expression(part)

    def created(self, node: gast.Call, called: object) -> None:
        """More arguments than are compared: only the dtype of a new store of the tape."""
        dtype = node.args[1]
        creates = called in (np.empty, np.zeros, np.ones)
        if creates and isinstance(dtype, gast.Attribute) and len(node.args) == 2:
            return
        self.refuse(f"so many arguments of {getattr(called, '__name__', called)}")

    def refuse(self, what: str, why: str = "", cure: str = _CURE) -> None:
        why = why or "the native backend does not take it: it is not tested to agree with NumPy"
        raise NativeError(f"{what} cannot be compiled natively", self.origin, why=why, cure=cure)


def _indices(node: gast.expr) -> list[gast.expr]:
    """The expressions in an index; new axes and the ellipsis are judged with it."""
    parts = node.elts if isinstance(node, gast.Tuple) else [node]
    found: list[gast.expr] = []
    for part in parts:
        if isinstance(part, gast.Slice):
            found.extend(p for p in (part.lower, part.upper, part.step) if p is not None)
        elif not isinstance(part, gast.Constant):
            found.append(part)
    return found


def _is_text(node: gast.expr) -> bool:
    return isinstance(node, gast.Constant) and isinstance(node.value, str)


def _is_ellipsis(node: gast.expr) -> bool:
    return isinstance(node, gast.Constant) and node.value is Ellipsis


def _is_int(kind: Kind | None) -> bool:
    return isinstance(kind, Scalar) and kind.type == "int"


def _is_mask(kind: Kind | None) -> bool:
    return isinstance(kind, Array) and kind.dtype == "bool"


def _is_truth(kind: Kind | None) -> bool:
    return isinstance(kind, Scalar) and kind.type == "bool"


def _is_natural(node: gast.expr) -> bool:
    return isinstance(node, gast.Constant) and type(node.value) is int and node.value >= 0


def _may_be_bool(kind: Kind | None) -> bool:
    if isinstance(kind, Scalar):
        return kind.type == "bool"
    return not isinstance(kind, Array)  # arrays of truth values are added as NumPy adds them


def _is_complex(kind: Kind | None) -> bool:
    if isinstance(kind, Record):
        return any(map(_is_complex, kind.items))
    if isinstance(kind, Scalar):
        return kind.type == "complex"
    return isinstance(kind, Array) and (kind.dtype is None or kind.dtype.startswith("c"))


def _is_float(kind: Kind | None) -> bool:
    if isinstance(kind, Scalar):
        return kind.type == "float"
    return getattr(kind, "dtype", None) == "float64"
