"""What is to be compiled."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from autodiff.kinds.kind import Kind
from autodiff.kinds.size import Told

Mode = Literal["grad", "value_and_grad", "vjp", "jvp", "value", "sparsity", "adjoints"]


FLAGS = ("boundscheck", "cache", "error_model", "fastmath", "parallel")
"""The options of `numba.njit` that are passed on."""


@dataclass(frozen=True, slots=True)
class Backend:
    """Numba, and the options that it is given: pairs of name and value, by name."""

    flags: tuple[tuple[str, object], ...] = ()


@dataclass(frozen=True, slots=True)
class Options:
    """Switches: each may change the text of the result, never its numbers.

    sizes: whether sizes that the function tells are compiled in; it is compiled again for others.
    trace: whether what cannot be compiled is followed while it runs, instead of being refused.
    """

    sizes: bool = True
    trace: bool = True


@dataclass(frozen=True, slots=True)
class Request:
    """What is to be compiled: the transformation, the inputs, and what kinds they have.

    kinds: one per parameter of the function, in the order of its signature.
    single: the gradient is returned bare, not in a tuple of one; the tangent, without the value.
    backend: what compiles the text if not Python.
    inner: each `Step` to what it is of; `value` is the last of these. composed: is called inside.
    directions: tangents are wanted along several directions at once, if that can be.
    title: the name of the derivative, where it is not named after the function and the mode.
    narrow: which arguments have 32 bits, though their kinds say 64 (`widened`).
    asked: sizes that arguments have and that are not in the kinds: if the function tells one of
        them, the compilation ends with `SizesTold`, to begin again with that in the kinds.

    With a backend `vjp` is no pullback but one function that takes the seed after the arguments,
    and `value` the function itself, which never changes its arguments. `adjoints` takes the seed
    with the arguments, and returns no value: natively, steps of checkpointed loops are asked.
    """

    mode: Mode
    wrt: tuple[str, ...]
    single: bool
    has_aux: bool
    kinds: tuple[Kind, ...]
    options: Options = Options()
    backend: Backend | None = None
    composed: bool = False
    directions: bool = False
    title: str = ""
    narrow: tuple[bool, ...] = ()
    inner: tuple[Any, ...] = ()
    asked: frozenset[Told] = field(default=frozenset(), compare=False)

    @property
    def pulled(self) -> bool:
        """Whether the adjoint of the value is given."""
        return self.mode in ("vjp", "adjoints")

    @property
    def seeded(self) -> bool:
        """Whether the derivative takes the adjoint of the value with the arguments."""
        return self.mode == "adjoints" or self.pulled and self.backend is not None
