"""A wrapped function is one of JAX's: its derivatives are checked by JAX itself."""

from __future__ import annotations

import numpy as np
import pytest

from autodiff import AutodiffError
from tests.interop.models import (
    Layer,
    Spring,
    cube,
    many,
    model,
    of_object,
    relaxed,
    sign_dependent,
)

jax = pytest.importorskip("jax")
jnp = pytest.importorskip("jax.numpy")
check_grads = pytest.importorskip("jax.test_util").check_grads
wrap = pytest.importorskip("autodiff.interop.jax").wrap


@pytest.fixture(autouse=True)
def _wide():
    """Differences of 64 bits; other tests of JAX here use 32."""
    with jax.enable_x64(True):
        yield


def array(*shape, seed=0):
    return jnp.array(np.random.default_rng(seed).standard_normal(shape))


def checked(f, *inputs):
    """First and second derivatives in reverse mode, against JAX's differences; compiled, too."""
    check_grads(f, inputs, order=2, modes=["rev"])
    check_grads(jax.jit(f), inputs, order=2, modes=["rev"])


def test_structures():
    wrapped = wrap(model)
    w, x = array(3, 2), array(2, seed=1)
    expected = model({"w": np.asarray(w)}, np.asarray(x), power=3.0)
    for call in (wrapped, jax.jit(wrapped, static_argnames="power")):
        if call is not wrapped:  # text is no result of compiled code
            call = jax.jit(lambda layer, x, power: wrapped(layer, x, power=power)["norm"][:3])
            norm, size, nothing = call({"w": w}, x, 3.0)
        else:
            found = call({"w": w}, x, power=3.0)
            np.testing.assert_array_equal(found["hidden"], expected["hidden"])
            norm, size, nothing, text = found["norm"]
            assert text == "norm"
        assert float(norm) == pytest.approx(expected["norm"][0])
        assert size.dtype == int
        assert nothing is None

    def floats(w, x):
        own = wrapped({"w": w}, x)
        return own["hidden"], own["norm"][0]

    checked(floats, w, x)


def test_objects_methods_and_any_number_of_arguments():
    wrapped = wrap(of_object)
    checked(lambda w, b, x: wrapped(Layer(w, b), x), array(3, 2), array(3), array(2, seed=1))
    checked(wrap(Spring(3.0).energy), array(4))
    checked(wrap(many), array(2), array(3), array())
    checked(lambda x, scale: wrap(many)(x, scale=scale), array(2), array())


def test_code_that_works_in_place():
    wrapped, x = wrap(relaxed), array(6)
    checked(lambda x: wrapped(x, 4), x)
    np.testing.assert_array_equal(x, array(6))


def reference(w, x):
    hidden = jnp.tanh(w @ x) * 2.0
    return jnp.sum(hidden**2)


def ours(w, x):
    return wrap(model)({"w": w}, x)["norm"][0]


@pytest.mark.parametrize("compiled", [False, True])
def test_second_derivatives_of_all_arguments_are_those_of_jax(compiled):
    w, x = array(3, 2), array(2, seed=1)

    def of(f):
        both = jax.jacrev(jax.grad(f, (0, 1)), (0, 1))
        return (jax.jit(both) if compiled else both)(w, x)

    jax.tree.map(np.testing.assert_allclose, of(ours), of(reference))
    mixed = [jax.grad(lambda x, f=f: jnp.sum(jax.grad(f)(w, x) ** 2))(x) for f in (ours, reference)]
    np.testing.assert_allclose(*mixed)


def test_examples_along_an_axis():
    w, xs = array(3, 2), array(4, 2, seed=1)
    for transform in (lambda f: f, jax.grad, jax.value_and_grad, lambda f: jax.jacrev(jax.grad(f))):
        found, expected = (
            jax.jit(jax.vmap(transform(f), (None, 0)))(w, xs) for f in (ours, reference)
        )
        jax.tree.map(lambda a, b: np.testing.assert_allclose(a, b, rtol=1e-12), found, expected)
    rows = jax.jacrev(lambda x: wrap(relaxed)(x, 2))(array(5))
    assert rows.shape == (5, 5)


def test_dtypes():
    with jax.enable_x64(False):
        x = jnp.arange(3.0)
        for call in (wrap(many), jax.jit(wrap(many))):
            assert call(x).dtype == np.float32
        assert jax.grad(wrap(many))(x).dtype == np.float32
        found = jax.jit(wrap(lambda x: np.zeros(2) + x[0].astype(float)))(x)
        assert found.dtype == np.float32  # 64 bits are more than JAX has
    narrow = jnp.arange(3, dtype=np.float32)
    assert jax.jit(jax.grad(wrap(many)))(narrow).dtype == np.float32
    np.testing.assert_allclose(jax.grad(wrap(many))(narrow), [0.0, 3.0, 12.0])


def test_arguments_without_derivative():
    f = wrap(lambda x, n, y: np.sum(x**n) * len(y))
    x, y = jnp.array([1.0, 2.0]), jnp.arange(3)
    np.testing.assert_allclose(jax.grad(f)(x, 2, y), [6.0, 12.0])
    np.testing.assert_allclose(jax.jit(jax.grad(f))(x, 2, y), [6.0, 12.0])
    assert f(1.0, 2, [3]) == 1.0  # no array of JAX: as it was written
    np.testing.assert_allclose(jax.jit(wrap(lambda n: n * 2))(jnp.arange(3)), [0, 2, 4])


def test_the_form_of_the_result_can_be_said():
    """Where the function cannot be run at ones, which it is once for each form."""
    seen = []

    def f(x):
        seen.append(x.copy())
        if np.all(x == 1.0):
            raise ValueError("not for ones")
        return np.sum(np.log(x - 1.0)), "text"

    x = jnp.array([2.0, 3.0])
    with pytest.raises(AutodiffError, match="ValueError: not for ones") as refusal:
        jax.grad(lambda x: wrap(f)(x)[0])(x)
    assert "result=" in refusal.value.cure
    form = jax.ShapeDtypeStruct((), float), "text"
    for result in (form, (jnp.zeros(()), "text"), lambda x: form):
        slope = jax.grad(lambda x: wrap(f, result)(x)[0])
        np.testing.assert_allclose(slope(x), [1.0, 0.5])
    seen.clear()
    counted = wrap(lambda x: (seen.append(len(x)), np.sum(x**2))[1])
    for _ in range(3):
        jax.jit(lambda x: counted(x))(x)
    assert len(seen) == 4


def whole_or_not(x):
    return x if x > 0 else 0


def text_of(x):
    return x, "positive" if x > 0 else "negative"


@pytest.mark.parametrize("f", [sign_dependent, lambda x: text_of(x[0])])
def test_another_form_than_at_ones_is_an_error(f):
    compiled = jax.jit(lambda x: jax.tree.leaves(wrap(f)(x))[0])
    compiled(jnp.array([1.0, 2.0]))
    with pytest.raises(Exception, match="another form than JAX was told"):
        jax.block_until_ready(compiled(jnp.array([-1.0, -2.0])))


def test_a_float_where_an_integer_was_told_is_an_error():
    f = wrap(lambda x: 1 if x == 1.0 else x)
    with pytest.raises(Exception, match="another form than JAX was told"):
        jax.block_until_ready(jax.jit(f)(jnp.array(2.5)))
    f = wrap(lambda x: x if x == 1.0 else 2)  # the other way round nothing is lost
    assert jax.jit(f)(jnp.array(2.5)) == 2.0


def test_what_is_refused():
    x = jnp.array(2.0)
    with pytest.raises(Exception, match="gives complex numbers"):
        jax.grad(lambda x: wrap(lambda x: x * 1j)(x).real)(x)
    with pytest.raises(AutodiffError, match="complex array is differentiated by"):
        jax.grad(lambda z: wrap(lambda z: abs(z))(z))(jnp.array(1j))
    with pytest.raises(AutodiffError, match="no Python source"):
        wrap(len)
    with pytest.raises(TypeError, match="forward-mode"):
        jax.jvp(wrap(cube), (x,), (x,))
    with pytest.raises(ValueError, match="Pure callbacks do not support JVP"):
        jax.grad(jax.grad(jax.grad(wrap(cube))))(x)


def test_the_wrapped_function_keeps_its_name():
    assert wrap(cube).__name__ == "cube"
