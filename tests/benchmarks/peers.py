"""The gradients of a workload by other tools, each where it is installed."""

from __future__ import annotations

import functools
import importlib
import importlib.util
import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

from tests.benchmarks.workload import Workload, ported

Gradient = tuple[Callable[..., Any], tuple[Any, ...]]
"""A function, and the arguments it takes: arrays as the tool has them."""


def peers(workload: Workload) -> dict[str, Gradient]:
    """The tools that are installed, by name. They compute in double precision, in one thread."""
    return {
        name: make(workload)
        for name, make in (("autograd", _autograd), ("jax", _jax), ("torch", _torch))
        if importlib.util.find_spec(name) is not None
    }


def _places(workload: Workload) -> tuple[int, ...]:
    names = list(inspect.signature(workload.primal).parameters)
    wrt = (workload.wrt,) if isinstance(workload.wrt, str) else workload.wrt
    return tuple(map(names.index, wrt))


def _autograd(workload: Workload) -> Gradient:
    autograd = importlib.import_module("autograd")
    special = importlib.import_module("autograd.scipy.special")
    places = _places(workload)
    several = isinstance(workload.wrt, tuple)
    primal = ported(workload.primal, autograd.numpy, special)
    return autograd.grad(primal, places if several else places[0]), workload.arguments


def _jax(workload: Workload) -> Gradient:
    """Compiled; a call waits for its result."""
    jax = importlib.import_module("jax")
    jax.config.update("jax_enable_x64", True)
    special = importlib.import_module("jax.scipy.special")
    places = _places(workload)
    several = isinstance(workload.wrt, tuple)
    primal = ported(workload.primal, jax.numpy, special)
    compiled = jax.jit(jax.grad(primal, places if several else places[0]))
    arguments = tuple(map(jax.numpy.asarray, workload.arguments))

    def gradient(*args: Any) -> Any:
        return jax.block_until_ready(compiled(*args))

    return gradient, arguments


def torch_compiled(workload: Workload) -> Gradient:
    """PyTorch's, by code that it compiles."""
    return _torch(workload, compiling())


def compiling() -> Callable[..., Any]:
    """What PyTorch compiles a function with, for arguments of fixed sizes."""
    torch = importlib.import_module("torch")
    config = importlib.import_module("torch._inductor.config")
    config.compile_threads = 1  # children that are waited for: their time counts
    config.force_disable_caches = True  # of earlier runs, too
    return functools.partial(torch.compile, dynamic=False)


def _torch(workload: Workload, compiled: Callable[..., Any] = lambda primal: primal) -> Gradient:
    """Eager, unless it is `compiled`: the graph is made in each call."""
    torch = importlib.import_module("torch")
    torch.set_num_threads(1)
    places = _places(workload)
    primal = compiled(ported(workload.primal, _NumPyNames(torch), torch.special))
    arguments = [torch.from_numpy(np.array(value)) for value in workload.arguments]
    active = [arguments[k].requires_grad_() for k in places]

    def gradient(*args: Any) -> Any:
        found = torch.autograd.grad(primal(*args), active)
        return found if isinstance(workload.wrt, tuple) else found[0]

    return gradient, tuple(arguments)


class _NumPyNames:
    """PyTorch by NumPy's names, where its own differ."""

    def __init__(self, torch: Any) -> None:
        self._torch = torch
        self.max = torch.amax  # torch.max gives the places too
        self.dot = torch.matmul  # torch.dot takes vectors

    def __getattr__(self, name: str) -> Any:
        return getattr(self._torch, name)
