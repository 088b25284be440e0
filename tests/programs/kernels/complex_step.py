"""Derivatives by complex step of code that allocates real buffers.

A kernel that stores into `np.zeros(n)` cannot be run on complex numbers as it is: the buffer is
real. So it is run in a namespace whose `np` allocates complex buffers, and whose `abs`, `sign`,
`norm` ... are continued analytically from the real axis (comparisons look at the real part first).
All floats of the arguments become complex, one of them with an imaginary part of 1e-40.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tests.language import oracle

STEP = 1e-40


def magnitude(x: Any) -> Any:
    return np.where(np.real(x) < 0.0, -x, x)[()]


def norm(x: Any) -> Any:
    return np.sqrt(np.sum(x * x))


def logaddexp(a: Any, b: Any) -> Any:
    top = np.maximum(a, b)
    return top + np.log(np.exp(a - top) + np.exp(b - top))


def complex_buffers(allocate: Callable[..., Any]) -> Callable[..., Any]:
    """`allocate` giving complex where it would give floats."""

    def allocated(*args: Any, **kwargs: Any) -> Any:
        made = allocate(*args, **kwargs)
        return made.astype(complex) if made.dtype.kind == "f" else made

    return allocated


class ComplexNumpy:
    """NumPy as a kernel sees it while it is run on complex numbers."""

    abs = staticmethod(magnitude)
    sign = staticmethod(lambda x: np.sign(np.real(x)))
    floor = staticmethod(lambda x: np.floor(np.real(x)))
    logaddexp = staticmethod(logaddexp)
    linalg = SimpleNamespace(norm=norm, solve=np.linalg.solve, det=np.linalg.det)

    def __getattr__(self, name: str) -> Any:
        found = getattr(np, name)
        allocators = ("zeros", "ones", "empty", "full", "eye", "array", "zeros_like", "ones_like")
        return complex_buffers(found) if name in allocators else found


@contextlib.contextmanager
def complex_namespace(namespace: dict[str, Any]) -> Iterator[None]:
    """While it is open, the functions of a module see `ComplexNumpy`."""
    before = dict(namespace)
    namespace.update(np=ComplexNumpy(), abs=magnitude)
    try:
        yield
    finally:
        namespace.clear()
        namespace.update(before)


def gradients(
    function: Callable[..., Any],
    args: Sequence[Any],
    kwargs: Mapping[str, Any],
    wrt: Sequence[str],
    seed: Any,
) -> list[list[NDArray[Any]]]:
    """What `oracle.gradients` returns, for real arguments, to rounding."""
    everything = dict(oracle.arguments(function, args, kwargs).arguments)
    originals = oracle.leaves(everything)
    owners = [name for name, value in everything.items() for _ in oracle.leaves(value)]

    def derivative(index: int, at: Any) -> float:
        moved = [np.array(leaf, dtype=complex) for leaf in originals]
        moved[index][at] += STEP * 1j
        new = [m if isinstance(leaf, np.ndarray) else m[()] for leaf, m in zip(originals, moved)]
        value = function(**oracle.rebuild(everything, iter(new)))
        return oracle.project(seed, value).imag / STEP

    def gradient(index: int) -> NDArray[Any]:
        result = np.zeros(np.shape(originals[index]))
        for at in np.ndindex(result.shape):
            result[at] = derivative(index, at)
        return result

    with complex_namespace(function.__globals__):
        return [[gradient(i) for i, owner in enumerate(owners) if owner == name] for name in wrt]
