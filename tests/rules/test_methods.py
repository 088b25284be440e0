"""Methods and attributes of arrays mean functions."""

import gast
import numpy as np
import pytest

from autodiff.rules import methods, registry

X = np.arange(6.0).reshape(2, 3)

CALLS = [
    *("x.sum()", "x.sum(0)", "x.sum(axis=1, keepdims=True)", "x.mean(axis=(0, 1))", "x.prod(1)"),
    *("x.max()", "x.min(axis=0)", "x.std(ddof=1)", "x.var(0)", "x.argmax()", "x.argsort(axis=0)"),
    *("x.cumsum(1)", "x.cumprod()", "x.dot(x.T)", "x.trace()", "x.diagonal(1)", "x.ravel()"),
    *(
        "x.flatten('F')",
        "x.reshape(3, 2)",
        "x.reshape((3, 2))",
        "x.reshape(-1)",
        "x.reshape(shape)",
    ),
    *("x.reshape(*shape)", "x.reshape(3, 2, order='F')", "x.transpose()", "x.transpose(1, 0)"),
    *(
        "x.transpose((1, 0))",
        "x.swapaxes(0, 1)",
        "x.squeeze()",
        "x.take([0, 1])",
        "x.take(1, axis=1)",
    ),
    *(
        "x.repeat(2, axis=0)",
        "x.clip(1, 3)",
        "x.clip(min=1, max=3)",
        "x.clip(max=2.0)",
        "x.round(1)",
    ),
    *("x.astype('float32')", "x.copy()", "x.conj()", "x.conjugate()", "x.item(2)", "x.tolist()"),
    *("x.compress([True, False], axis=0)", "x[0].searchsorted(1.5)", "x.nonzero()", "x.any()"),
    "x.argpartition(1)",
    *("x.T", "x.real", "x.imag", "x.shape", "x.size", "x.ndim", "x.dtype"),
]


def translated(text):
    """The value of the function call that a method call means."""
    node = gast.parse(text, mode="eval").body
    if isinstance(node, gast.Attribute):
        return methods.attribute(node.attr)(X)
    method = methods.method(node.func.attr)
    keywords = [(keyword.arg, keyword.value) for keyword in node.keywords]
    args, keywords = method.bind(node.func.value, node.args, keywords)
    call = gast.Call(
        func=gast.Name("function", gast.Load(), None, None),
        args=args,
        keywords=[gast.keyword(arg=name, value=value) for name, value in keywords],
    )
    scope = {"function": method.function, "x": X, "shape": (3, 2)}
    return eval(gast.unparse(call), scope)


@pytest.mark.parametrize("text", CALLS)
def test_the_function_gives_what_the_method_gives(text):
    expected = eval(text, {"x": X, "shape": (3, 2)})
    found = translated(text)
    np.testing.assert_array_equal(found, expected)
    assert type(found) is type(expected)


def test_every_function_is_known_to_the_registry():
    registry.load()
    found = [own.function for own in map(methods.method, dir(np.ndarray)) if own is not None]
    assert {np.sum, np.cumsum, np.trace, np.argpartition, np.ndarray.flatten} <= set(found)
    for function in (*found, *methods._ATTRIBUTES.values()):
        assert registry.rule_for(function) or registry.is_nondifferentiable(function)


def test_unknown_and_mutating_methods_have_none():
    assert methods.method("fill") is None and methods.attribute("flags") is None
    changing = "fill", "sort", "partition", "put", "resize", "setflags"
    assert not any(map(methods.method, changing))
