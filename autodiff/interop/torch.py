"""A function of NumPy as a function of PyTorch's tensors, with its derivatives."""

from __future__ import annotations

import functools
from collections.abc import Callable
from inspect import BoundArguments
from typing import Any

import numpy as np
import torch
from torch import Tensor

from autodiff.errors import AutodiffError
from autodiff.frames import hidden
from autodiff.interop.sweeps import Call, Sweeps
from autodiff.structure import refilled
from autodiff.transforms.pullback import Pullback

_TAKEN = (torch.float32, torch.float64)


def wrap(f: Callable[..., Any], **options: Any) -> Callable[..., Any]:
    """The function of tensors that computes `f`, a function of NumPy, and is differentiated by
    PyTorch.

    Arguments are tensors, or tuples, lists, dicts and objects of them, and anything else, which
    `f` gets as it is. `f` gets arrays of their shapes and dtypes, on the CPU; for a tensor without
    axes a NumPy number. Numbers and arrays of the result become tensors of its shapes and dtypes,
    on the device of the first tensor that was passed; a float of Python has the widest dtype of
    the tensors passed. The rest of the result is returned as it is.

    `backward`, `torch.autograd.grad` with `create_graph=True` and a second derivative of it
    (`gradgradcheck`), `torch.func.grad` and modules with parameters work. Tensors that require no
    gradient are constants. A call that needs a gradient runs the forward sweep, and keeps its tape
    until the graph is freed; like PyTorch's own functions it refuses `backward` after a tensor was
    changed in place. Of forward mode and `torch.func.vmap` PyTorch says that they are not there.
    `options` are those of `autodiff.grad`.

    Raises AutodiffError for tensors that require a gradient and are no float32 or float64, for
    complex results, for third derivatives, and what `autodiff.vjp` raises where `f` cannot be
    differentiated.

        layer = wrap(lambda w, x: np.tanh(w @ x))
        layer(w, x).sum().backward()                    # w.grad, x.grad
    """
    with hidden:
        sweeps = Sweeps(f, options)

    @functools.wraps(f)
    @hidden
    def wrapped(*args: Any, **keywords: Any) -> Any:
        call = _Call(sweeps, sweeps.bind(args, keywords))
        if not call.foreign:
            return f(*args, **keywords)
        found = iter(_Value.apply(call, *call.foreign))
        return refilled(call.value, (next(found) if own else x for own, x in call.results()))

    return wrapped


class _Call(Call):
    """One call: its tensors, those of them that are wanted, and the pullback."""

    def __init__(self, sweeps: Sweeps, given: BoundArguments) -> None:
        super().__init__(sweeps, given, (Tensor,))
        self.pullback: Pullback | None = None
        self.wanted = [torch.is_grad_enabled() and own.requires_grad for own in self.foreign]
        self.inputs = self.names(self.wanted)
        for tensor, wanted in zip(self.foreign, self.wanted):
            if wanted and tensor.dtype not in _TAKEN:
                raise AutodiffError(
                    f"a tensor of {tensor.dtype} requires a gradient",
                    why="derivatives here are of float32 and float64",
                    cure="pass x.double(), and turn the result back",
                )

    def result(self, x: Any) -> Tensor:
        """A result as a tensor."""
        dtypes = [own.dtype for own in self.foreign if own.is_floating_point()]
        widest = functools.reduce(torch.promote_types, dtypes) if dtypes else torch.float64
        return _tensor(x, widest if type(x) is float else None, self.foreign[0].device)

    def adjoints(self, found: Any) -> list[Tensor | None]:
        """The adjoint of each tensor; None where none is wanted."""
        both = zip(self.of_foreign(self.inputs, found), self.foreign, self.wanted)
        return [_tensor(own, x.dtype, x.device) if wanted else None for own, x, wanted in both]


class _Value(torch.autograd.Function):
    """The value; the pullback is kept in the call."""

    @staticmethod
    def forward(call: _Call, *tensors: Tensor) -> Any:
        given = call.arguments([_array(tensor) for tensor in tensors])
        if call.inputs:
            call.value, call.pullback = call.sweeps.pulled(call.inputs, given)
        else:
            call.value = call.sweeps.value(given)
        return tuple(call.result(own) for is_number, own in call.results() if is_number)

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Any, ...], output: tuple[Tensor, ...]) -> None:
        call, *tensors = inputs
        ctx.call = call
        ctx.save_for_backward(*tensors)  # PyTorch notices if they are changed before `backward`
        ctx.mark_non_differentiable(*(own for own in output if not own.is_floating_point()))

    @staticmethod
    def backward(ctx: Any, *seeds: Tensor) -> Any:
        floats = [seed for seed in seeds if seed.is_floating_point()]
        return None, *_Adjoints.apply(ctx.call, *ctx.saved_tensors, *floats)


class _Adjoints(torch.autograd.Function):
    """The adjoints of the tensors, for those of the results."""

    @staticmethod
    def forward(call: _Call, *both: Tensor) -> Any:
        if call.pullback is None:
            return (None,) * len(call.foreign)
        seeds = map(_array, both[len(call.foreign) :])
        return tuple(call.adjoints(call.pullback(call.seed(seeds))))

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Any, ...], output: tuple[Any, ...]) -> None:
        call, *both = inputs
        ctx.call = call
        ctx.save_for_backward(*both)
        ctx.set_materialize_grads(False)

    @staticmethod
    def backward(ctx: Any, *vectors: Tensor | None) -> Any:
        if all(own is None for own in vectors):
            return (None,) * (1 + len(ctx.saved_tensors))
        return None, *_Second.apply(ctx.call, *ctx.saved_tensors, *vectors)


class _Second(torch.autograd.Function):
    """The adjoints of the tensors and of the seeds, for those of the tensors' adjoints."""

    @staticmethod
    def forward(call: _Call, *given: Any) -> Any:
        count = len(call.foreign)
        own = call.arguments(map(_array, given[:count]))
        seeds = given[count:-count]
        vectors = call.vectors((None if v is None else _array(v) for v in given[-count:]), own)
        seed = call.seed(map(_array, seeds))
        found, tangent = call.sweeps.again(call.inputs, own, call.value, seed, vectors)
        both = zip(call.of_results(tangent), seeds)
        return *call.adjoints(found), *(_tensor(own, x.dtype, x.device) for own, x in both)

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Any, ...], output: tuple[Any, ...]) -> None:
        pass

    @staticmethod
    def backward(ctx: Any, *_: Any) -> Any:
        raise AutodiffError(
            "a third derivative of a wrapped function was asked for",
            why="PyTorch is given the first two",
            cure="take one of them by autodiff: wrap(grad(f))",
        )


def _array(tensor: Tensor) -> Any:
    """The numbers of a tensor, which are its memory if they are on the CPU."""
    array = tensor.detach().cpu().numpy()
    return array if array.ndim else array[()]


def _tensor(x: Any, dtype: Any, device: Any) -> Tensor:
    """A tensor of its own memory."""
    return torch.tensor(np.ascontiguousarray(x).reshape(np.shape(x)), dtype=dtype, device=device)
