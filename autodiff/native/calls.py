"""Array functions in the forms that Numba compiles."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gast
import numpy as np

from autodiff import runtime
from autodiff.frontend.jitted import is_jitted
from autodiff.kinds.kind import Array, Scalar, Unknown
from autodiff.native import arrays, matrices, shaped, vectors  # noqa: F401 (they say what they stand for)
from autodiff.native.bindings import Helpers
from autodiff.native.contractions import einsum
from autodiff.native.further import HANDLERS, is_float, whole
from autodiff.native.made import REDUCTIONS, reduction, shared
from autodiff.native.masks import is_masked, loaded
from autodiff.native.masks import stored as stored_masked
from autodiff.native.native_kinds import NativeKinds, is_array, literal
from autodiff.native.short import added_up, is_short, shortened
from autodiff.native.stands import STANDS, Given, Handler, defaults, floats, itself
from autodiff.native.vocabulary import METHODS, arity
from autodiff.primitives.memory import claim_of
from autodiff.rules import methods
from autodiff.rules.home import hashable
from autodiff.syntax.change import changed, map_blocks, map_parts
from autodiff.syntax.comment import is_comment
from autodiff.syntax.origin import origin_of, with_origin
from autodiff.syntax.quote import quote, quote_statements
from autodiff.syntax.walk import statements, walk


def calls(tree: gast.FunctionDef, known: NativeKinds, helpers: Helpers) -> gast.FunctionDef:
    """Keywords, axes and operators that Numba does not take, as calls of what it does.

        np.sum(x, axis=1)                      sum_over_1(x)
        a @ b                                  matmul(a, b)
        np.zeros(n, dtype=float)               np.zeros(n)

    What no handler knows stays, for `fence` to judge. The kinds of new expressions are those of
    the old ones.
    """
    stored: set[int] = set()

    def lasts(call: gast.Call) -> bool:
        """Whether a copy of the operand is as good as a view."""
        if id(call) in stored:
            return True
        given = call.args[0] if call.args else call
        operand = call.func.value if known.called(call) is None else given
        names = _held(operand, known)
        return all(map(known.memory.lasts, names)) or not _stored_from(here[0], tree, names, known)

    here = [0]

    def visit(node: Any) -> Any:
        new = map_parts(visit, node)
        if not isinstance(node, gast.expr):
            return new
        found = _rewritten(node, new, known, helpers, lasts) or new
        if found is not new:
            known.remember_copies(new, found)
        if found is not node:
            known.given[id(found)] = found, known.of(node)
        return found

    def masks(node: gast.stmt) -> list[gast.stmt] | None:
        """Stores through a mask; a list of targets is one target here."""
        if not isinstance(node, (gast.Assign, gast.AugAssign)):
            return None
        target = node.targets[0] if isinstance(node, gast.Assign) else node.target
        if not is_masked(target, known) or isinstance(known.of(node.value), Unknown):
            return None
        read = gast.Subscript(value=target.value, slice=visit(target.slice), ctx=gast.Load())
        known.given[id(read)] = read, known.of(target)
        op, value = getattr(node, "op", None), visit(node.value)
        return with_origin(stored_masked(read, op, value, known, helpers), origin_of(node))

    def block(body: list[gast.stmt]) -> list[gast.stmt]:
        result: list[gast.stmt] = []
        for node in body:
            if isinstance(node, gast.AugAssign) and is_short(known.of(node.target)):
                node = added_up(node, known)
            checks = _apart(node, known, helpers) or masks(node)
            if checks is not None:
                result.extend(checks)
            elif isinstance(node, (gast.If, gast.While, gast.For)):
                head = "iter" if isinstance(node, gast.For) else "test"
                new = changed(node, **{head: visit(getattr(node, head))})
                result.append(map_blocks(block, new))
            else:
                stored.update(_read_at_once(node, known))
                result.append(visit(node))
        return result

    body: list[gast.stmt] = []
    for here[0], node in enumerate(tree.body):
        body.extend(block([node]))
    result: gast.FunctionDef = changed(tree, body=body)
    return result


def _stored_from(place: int, tree: gast.FunctionDef, names: set[str], known: NativeKinds) -> bool:
    """Whether a statement of the function from this one on may store to the memory of names."""
    groups = {known.memory.group(own) for own in names}
    for node in statements(tree.body[place:]):
        parts: list[gast.AST] = []
        if isinstance(node, (gast.Assign, gast.AugAssign)):
            target = node.targets[0] if isinstance(node, gast.Assign) else node.target
            parts = [] if isinstance(node, gast.Assign) and _is_bound(target) else [target]
        elif isinstance(node, gast.Expr) and not is_comment(node):
            parts = [node.value]
        parts += [part for part in walk(node) if is_jitted(known.called(part))]
        found = (part.id for part in walk(parts) if isinstance(part, gast.Name))
        if any(known.memory.group(own) in groups for own in found):
            return True
    return False


def _is_bound(target: gast.expr) -> bool:
    """Whether a target is a name, or several."""
    if isinstance(target, (gast.Tuple, gast.List)):
        return all(map(_is_bound, target.elts))
    return isinstance(target, gast.Name)


def _held(node: gast.expr, known: NativeKinds) -> set[str]:
    """Names whose memory the value of an expression may share: none for a new array."""
    if isinstance(node, (gast.BinOp, gast.UnaryOp, gast.Compare, gast.BoolOp)):
        return set()
    if isinstance(node, (gast.Subscript, gast.Attribute)):
        return _held(node.value, known)
    called = known.called(node)
    if isinstance(node, gast.Call) and called is None:
        own = methods.method(getattr(node.func, "attr", ""))
        called = None if own is None else own.function
    if called is not None and hashable(called) and claim_of(called).memory == "new":
        return set()
    names = (part for part in walk(node) if isinstance(part, gast.Name))
    return {part.id for part in names if is_array(known.of(part))}


def _read_at_once(node: gast.stmt, known: NativeKinds) -> set[int]:
    """The `id`s of expressions whose elements are read while the statement runs, and not later."""
    found = set()
    target = node.targets[0] if isinstance(node, gast.Assign) else None
    if isinstance(node, gast.AugAssign) or isinstance(target, gast.Subscript):
        found.add(id(node.value))
    called = [part for part in walk(node) if isinstance(part, gast.Call)]
    for part in called:
        if known.called(part) is runtime.unbroadcast:
            found.add(id(part.args[0]))  # the result is new
    if not any(is_jitted(known.called(part)) for part in called):  # which may change it
        sums = (part for part in walk(node) if isinstance(part, gast.BinOp))
        found.update(id(part) for each in sums for part in (each.left, each.right))
    return found


def _apart(node: gast.AST, known: NativeKinds, helpers: Helpers) -> list[gast.stmt] | None:
    """`apart(x=x, y=y, z=z)`, pair by pair; numbers share no memory."""
    call: Any = node.value if isinstance(node, gast.Expr) else None
    if known.called(call) is not runtime.apart:
        return None
    first, *others = [keyword.value for keyword in call.keywords]
    others = [other for other in others if not isinstance(known.of(other), Scalar)]
    if not all(isinstance(known.of(part), Array) for part in (first, *others)):
        return None
    use = helpers.use("apart_from", arrays.apart)
    checks = [s for other in others for s in quote_statements("f(x, y)", f=use, x=first, y=other)]
    return with_origin(checks, origin_of(node))


def _rewritten(
    node: gast.expr,
    new: gast.expr,
    known: NativeKinds,
    helpers: Helpers,
    lasts: Callable[[gast.Call], bool],
) -> gast.expr | None:
    """What stands for an expression whose parts are rewritten already; `node` is as it was."""
    if isinstance(node, gast.BinOp) and isinstance(node.op, gast.MatMult):
        return _matmul({"a": new.left, "b": new.right}, known, helpers)
    if isinstance(node, gast.BinOp) and is_short(known.of(node)):
        return shortened(node, new, known, helpers)
    if isinstance(node, gast.Attribute) and node.attr == "newaxis":
        return gast.Constant(value=None, kind=None)
    if not isinstance(node, gast.Call):
        loads = isinstance(getattr(node, "ctx", None), gast.Load)
        if loads and is_masked(node, known):
            return loaded(new, helpers)
        return whole(node, new, known)
    function, arguments = known.called(node), list(new.args)
    keywords = [(keyword.arg, keyword.value) for keyword in new.keywords]
    whole_call: gast.expr | None = None
    if function is None and isinstance(node.func, gast.Attribute):
        method = methods.method(node.func.attr)
        if method is None or not isinstance(known.of(node.func.value), Array):
            return None
        function = method.function
        arguments, keywords = method.bind(new.func.value, arguments, keywords)
        if node.func.attr not in METHODS and arity(function) is not None:
            words = [gast.keyword(arg=word, value=value) for word, value in keywords]
            path = quote(f"np.{function.__name__}", np=helpers.use("np", np))
            whole_call = gast.Call(func=path, args=arguments, keywords=words)
    ufunc = getattr(function, "__self__", None)
    if (ufunc is np.add or ufunc is np.subtract) and function.__name__ == "at":
        return _add_at(dict(zip("xiv", new.args)), known, helpers, ufunc is np.subtract)
    if function is np.outer or isinstance(ufunc, np.ufunc) and function.__name__ == "outer":
        return _outer(ufunc or np.multiply, new.args, known, helpers)
    if not hashable(function):
        return None
    names, handler = _HANDLERS.get(function, ((), None))
    stands = STANDS.get(function) or (itself(function) if arity(function) is not None else [])
    if handler is None and stands:
        names, kind = tuple(stands[0].parameters), known.of(node)

        def handler(*call: Any) -> gast.expr | None:
            return next(filter(None, (stand.call(kind, *call) for stand in stands)), None)

    if handler is None:
        return whole_call or _by_position(function, new, helpers)
    if any(function is other for other in _VIEWS) and not lasts(node):
        if function is np.broadcast_to or function is np.diag:
            return whole_call
        handler = shaped.view
    given = dict(zip(names, arguments))
    given.update({str(word): value for word, value in keywords})
    if len(arguments) > len(names) or not given.keys() <= {*names}:
        return whole_call
    return handler(given, known, helpers) or whole_call


def _by_position(function: Any, new: gast.Call, helpers: Helpers) -> gast.expr | None:
    """Keywords of a function that Numba has, where they stand in NumPy's signature."""
    wanted, given = list(defaults(function)), {k.arg: k.value for k in new.keywords}
    places = wanted[len(new.args) : len(new.args) + len(given)]
    if not given or {*places} != {*given}:
        return None
    return changed(new, args=[*new.args, *(given[p] for p in places)], keywords=[])  # type: ignore[no-any-return]


def _outer(
    ufunc: np.ufunc, args: list[gast.expr], known: NativeKinds, helpers: Helpers
) -> gast.expr | None:
    """`np.add.outer` or `np.outer` of vectors."""
    if len(args) != 2 or arity(ufunc) is None:
        return None
    if not all(isinstance(k, Array) and len(k.shape) == 1 for k in map(known.of, args)):
        return None
    path = quote(f"np.{ufunc.__name__}", np=helpers.use("np", np))
    return quote("f(a[:, None], b)", f=path, a=args[0], b=args[1])


def _reduction(kind: str) -> Handler:
    def handler(given: Given, known: NativeKinds, helpers: Helpers) -> gast.expr | None:
        x, own = given.get("a"), known.of(given["a"]) if "a" in given else None
        axis, keepdims = literal(given.get("axis"), None), literal(given.get("keepdims"), False)
        if not isinstance(own, Array) or axis is ... or type(keepdims) is not bool:
            return None
        mine = given.keys() <= {"a", "axis", "dtype", "keepdims"}
        if not mine or not is_float(given.get("dtype"), known):
            return None
        ndim = len(own.shape)
        axes = tuple(range(ndim)) if axis is None else axis if isinstance(axis, tuple) else (axis,)
        if not all(type(k) is int and -ndim <= k < ndim for k in axes):
            return None
        axes = tuple(sorted({k % ndim for k in axes}))
        if own.dtype not in shaped.DTYPES or own.dtype == "complex128" and kind in ("max", "min"):
            return None
        told = literal(given.get("dtype"), None) is not None
        dtype = {
            "any": "bool",
            "all": "bool",
            "mean": own.dtype if own.dtype == "complex128" else "float64",
        }.get(kind, str(own.dtype))
        if told:
            dtype = "float64"
        elif kind in ("sum", "prod") and dtype == "bool":
            dtype = "int64"
        if len(axes) == ndim and not keepdims:
            if dtype == "bool" or own.dtype == "bool" or told and own.dtype != "float64":
                return None
            return quote(f"np.{kind}(x)", np=helpers.use("np", np), x=x)
        made = reduction(kind, ndim, axes, keepdims, dtype)
        return quote("f(x)", f=helpers.use(made.__name__, made), x=x)

    return handler


def _matmul(given: Given, known: NativeKinds, helpers: Helpers) -> gast.expr | None:
    kinds = [known.of(part) for part in given.values()]
    if not all(isinstance(k, Array) and k.dtype in ("float64", "complex128") for k in kinds):
        return None
    return quote("f(a, b)", f=helpers.use("matmul", arrays.matmul), **given)


def _dot(given: Given, known: NativeKinds, helpers: Helpers) -> gast.expr | None:
    if any(isinstance(known.of(part), Scalar) for part in given.values()):
        return quote("a * b", **given)
    return _matmul(given, known, helpers)


def _share(given: Given, known: NativeKinds, helpers: Helpers) -> gast.expr | None:
    items = given["candidates"]
    if not isinstance(items, (gast.List, gast.Tuple)):
        return None
    if not all(isinstance(known.of(part), Scalar) for part in (*items.elts, given["best"])):
        return None
    made = shared(len(items.elts))
    slots = {f"x{k}": item for k, item in enumerate(items.elts)}
    text = f"f(g, best, {', '.join(slots)})"
    use = helpers.use(made.__name__, made)
    return quote(text, f=use, g=given["g"], best=given["best"], **slots)


def _least(function: Any) -> Handler:
    def handler(given: Given, known: NativeKinds, helpers: Helpers) -> gast.expr | None:
        first, *others = given.values()
        if len(given) < 3 or not all(isinstance(known.of(p), Scalar) for p in given.values()):
            return None
        for other in others:
            use = helpers.use(function.__name__, function)
            first = quote("f(a, b)", f=use, a=first, b=other)
        return first

    return handler


def _add_at(given: Given, known: NativeKinds, helpers: Helpers, minus: bool) -> gast.expr | None:
    x, index, value = (known.of(given[key]) for key in "xiv")
    if not isinstance(index, Array) or index.dtype != "int64" or len(index.shape) != 1:
        return None
    if not floats(1)(x):
        return None
    helper = arrays.add_at if isinstance(value, Scalar) else arrays.add_each_at
    if helper is arrays.add_each_at and not floats(1)(value):
        return None
    text = "f(x, i, -v)" if minus else "f(x, i, v)"
    return quote(text, f=helpers.use(helper.__name__, helper), **given)


_VIEWS = (np.broadcast_to, np.reshape, np.ravel, np.diag)
"""Functions whose result may be a view; what stands for a call of them is a copy."""
_HANDLERS: dict[Any, tuple[tuple[str, ...], Handler]] = {
    **HANDLERS,
    **{
        function: (tuple(defaults(function)), _reduction(name))
        for name in REDUCTIONS
        for function in {getattr(np, name), getattr(np, f"a{name}", None)} - {None}
    },
    **{
        getattr(np, name + like): ((first, "dtype", "order"), shaped.created(name))
        for name in ("zeros", "ones", "empty")
        for like, first in (("", "shape"), ("_like", "x"))
    },
    np.matmul: (("a", "b"), _matmul),
    np.dot: (("a", "b"), _dot),
    np.broadcast_to: (("x", "shape"), shaped.filled),
    np.full_like: (("like", "x"), shaped.full_like),
    np.reshape: (("x", "shape"), shaped.reshape),
    np.ravel: (("x",), shaped.reshape),
    np.einsum: (("pattern", "a", "b", "c"), einsum),
    min: (("a", "b", "c", "d"), _least(min)),
    max: (("a", "b", "c", "d"), _least(max)),
    np.shape: (("x",), shaped.shape),
    runtime.share: (("g", "candidates", "best"), _share),
}
"""By function: the names of its parameters in their order, and what stands for a call of it."""
