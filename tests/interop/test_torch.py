"""A wrapped function is one of PyTorch's: its derivatives are checked by PyTorch itself."""

from __future__ import annotations

import numpy as np
import pytest

from autodiff import AutodiffError, grad
from tests.interop.models import Layer, Spring, cube, many, model, of_object, relaxed

torch = pytest.importorskip("torch")
wrap = pytest.importorskip("autodiff.interop.torch").wrap


def tensor(*shape, dtype=torch.float64, seed=0, wanted=True):
    own = np.random.default_rng(seed).standard_normal(shape)
    return torch.tensor(own, dtype=dtype, requires_grad=wanted)


def checked(f, *inputs):
    """First and second derivatives, against PyTorch's differences."""
    assert torch.autograd.gradcheck(f, inputs)
    assert torch.autograd.gradgradcheck(f, inputs)


def test_structures():
    wrapped = wrap(model)
    w, x = tensor(3, 2), tensor(2, seed=1)
    found = wrapped({"w": w}, x, power=3.0)
    expected = model({"w": w.detach().numpy()}, x.detach().numpy(), power=3.0)
    torch.testing.assert_close(found["hidden"].detach(), torch.tensor(expected["hidden"]))
    norm, size, nothing, text = found["norm"]
    assert norm.item() == expected["norm"][0]
    assert size.dtype == torch.int64
    assert not size.requires_grad
    assert (nothing, text) == (None, "norm")

    def floats(w, x):
        own = wrapped({"w": w}, x)
        return own["hidden"], own["norm"][0]

    checked(floats, w, x)


def test_objects_methods_and_any_number_of_arguments():
    wrapped = wrap(of_object)
    checked(lambda w, b, x: wrapped(Layer(w, b), x), tensor(3, 2), tensor(3), tensor(2, seed=1))
    checked(wrap(Spring(3.0).energy), tensor(4))
    checked(wrap(many), tensor(2), tensor(3), tensor())
    checked(lambda x, scale: wrap(many)(x, scale=scale), tensor(2), tensor())


def test_code_that_works_in_place():
    wrapped, x = wrap(relaxed), tensor(6)
    checked(lambda x: wrapped(x, 4), x)
    before = x.detach().clone()
    wrapped(x.detach(), 4)
    wrapped(x, 4).sum().backward()
    assert torch.equal(x.detach(), before)


def test_derivatives_by_one_argument_of_another():
    """Each nested derivative sees the other argument as a constant."""
    f = wrap(lambda x, y: x**3 * y**2)
    x, y, slope = torch.tensor(2.0), torch.tensor(3.0), torch.func.grad
    assert slope(lambda y: slope(lambda x: f(x, y))(x))(y) == 72.0
    assert slope(slope(f))(x, y) == 108.0
    assert slope(lambda y: f(slope(lambda x: f(x, y))(x), y))(y) == 30233088.0


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_dtypes(dtype):
    x = tensor(4, dtype=dtype)
    total = wrap(many)(x)
    assert total.dtype == dtype
    total.backward()
    assert x.grad.dtype == dtype
    torch.testing.assert_close(x.grad, 3 * x.detach() ** 2)
    number = torch.tensor(2.0, dtype=dtype, requires_grad=True)
    assert wrap(lambda x: x.item() ** 2)(number.detach()).dtype == dtype


def test_floats_of_python_have_the_dtype_of_the_tensors():
    assert wrap(lambda x: 1.5)(torch.ones(2)).dtype == torch.float32
    assert wrap(lambda x, y: 1.5)(torch.ones(2), torch.ones(2).double()).dtype == torch.float64
    assert wrap(lambda n: 1.5)(torch.ones(2, dtype=torch.int64)).dtype == torch.float64


def test_what_requires_no_gradient():
    x, y = tensor(3), tensor(3, wanted=False)
    f = wrap(lambda x, y, n: np.sum(x * y) * n)
    f(x, y, 3).backward()
    torch.testing.assert_close(x.grad, 3 * y)
    assert y.grad is None
    assert not f(y, y, 3).requires_grad
    with torch.no_grad():
        assert not f(x, y, 3).requires_grad
    assert f(1.0, 2.0, 3) == 6.0  # no tensor: as it was written
    floor = wrap(lambda x: (x**2, np.floor(x).astype(int)))
    square, whole = floor(x)
    assert square.requires_grad
    assert not whole.requires_grad


def test_backward_again_and_what_was_changed_since():
    x = tensor(3)
    total = wrap(many)(x)
    total.backward(retain_graph=True)
    total.backward()
    torch.testing.assert_close(x.grad, 6 * x.detach() ** 2)
    total = wrap(many)(x)
    with torch.no_grad():
        x += 1.0
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        total.backward()


def test_results_are_memory_of_their_own():
    x = tensor(3, wanted=False)
    wrap(lambda x: x.reshape(3))(x).mul_(2.0)
    torch.testing.assert_close(x, tensor(3, wanted=False))
    x = tensor(3)
    y = wrap(lambda x: np.exp(x))(x)
    slope = torch.exp(x.detach())
    total = y.sum()
    with torch.no_grad():
        y.mul_(0.0)
    total.backward()
    torch.testing.assert_close(x.grad, slope)
    assert wrap(lambda x: x[::-1])(tensor(3)).shape == (3,)


def test_tensors_that_are_views():
    """Transposed, with gaps, one number for all, and one tensor for two arguments."""
    f = wrap(lambda a, b: np.sum(np.tanh(a) * b[::-1], axis=0))
    checked(lambda a: f(a.t(), a.t()[:, ::2].repeat(1, 2)[:, :3]), tensor(3, 4))
    checked(lambda a: f(a.expand(4, 3), a[None].expand(4, 3)), tensor(3))

    def changed(a, b):
        a[0] = b[1] * 2.0
        return np.sum(a * b)

    checked(wrap(changed), tensor(3), tensor(3, seed=1))
    x = tensor(3)
    with pytest.raises(AutodiffError, match="updated in place"):
        wrap(changed)(x, x)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_modules_and_optimisers(dtype):
    """A network of PyTorch with a function of NumPy inside learns what the pure one learns."""

    def trained(squashed):
        torch.manual_seed(0)
        before, after = torch.nn.Linear(3, 6, dtype=dtype), torch.nn.Linear(6, 2, dtype=dtype)
        x, y = tensor(8, 3, dtype=dtype, wanted=False), tensor(8, 2, dtype=dtype, wanted=False)
        optimiser = torch.optim.Adam([*before.parameters(), *after.parameters()], lr=0.05)
        losses = []
        for _ in range(50):
            optimiser.zero_grad()
            loss = ((after(squashed(before(x))) - y) ** 2).sum()
            loss.backward()
            optimiser.step()
            losses.append(loss.item())
        return losses

    found = trained(wrap(lambda h: h / np.sqrt(1.0 + h**2)))
    assert found[-1] < 0.2 * found[0]
    pure = trained(lambda h: h / torch.sqrt(1.0 + h**2))
    np.testing.assert_allclose(found, pure, rtol=1e-3 if dtype == torch.float32 else 1e-9)


def test_what_is_refused():
    with pytest.raises(AutodiffError, match=r"float16 requires a gradient"):
        wrap(cube)(tensor(3, dtype=torch.float16))
    with pytest.raises(AutodiffError, match="complex128 requires a gradient"):
        wrap(cube)(torch.ones(3, dtype=torch.complex128, requires_grad=True))
    with pytest.raises(AutodiffError, match="gives complex numbers"):
        wrap(lambda x: x * 1j)(tensor(3))
    with pytest.raises(AutodiffError, match="no Python source"):
        wrap(len)
    x = tensor()
    (first,) = torch.autograd.grad(wrap(cube)(x), x, create_graph=True)
    (second,) = torch.autograd.grad(first, x, create_graph=True)
    with pytest.raises(AutodiffError, match=r"third derivative .*\n.*\n.*wrap\(grad\(f\)\)"):
        torch.autograd.grad(second, x)


def test_a_derivative_is_wrapped_as_any_function():
    x = tensor()
    (second,) = torch.autograd.grad(wrap(grad(cube))(x), x, create_graph=True)
    torch.testing.assert_close(second, 6 * x)
    (third,) = torch.autograd.grad(second, x)
    assert third.item() == pytest.approx(6.0)


def test_the_wrapped_function_keeps_its_name():
    assert wrap(cube).__name__ == "cube"
