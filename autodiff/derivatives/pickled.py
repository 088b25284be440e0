"""How derivatives are pickled: by the name of a decorated function, else with their primal."""

from __future__ import annotations

import importlib
import operator
from collections.abc import Callable
from types import FunctionType
from typing import TYPE_CHECKING, Any

from autodiff.frontend.text import sent, typed

if TYPE_CHECKING:
    from autodiff.derivatives.derivative import Derivative


def reduced(derivative: Derivative, *form: Any) -> str | tuple[Any, ...]:
    """What pickle makes the derivative of; `form` is what it was made with beside its primal.

    What stands in a script has no name in a process that runs another one. So what pickles the
    functions of a script as a whole finds the twin of a decorated one; others find it by its name.
    Of what stands in a notebook the text goes along.
    """
    cls, cells = type(derivative), typed(derivative.function)
    module, name = getattr(derivative, "__module__", None), getattr(derivative, "__qualname__", "")
    found = _lookup(module, name)
    if found is not derivative and getattr(found, "primal", None) is not derivative.primal:
        return _made, (cells, cls, derivative.primal, *form)
    twin = found.twin if module == "__main__" else None
    if found is derivative and twin is None:
        return name
    return _restored, (cells, cls, module, name, twin, form)


def twin_of(primal: Callable[..., Any], name: str) -> FunctionType | None:
    """A decorated function once more, as the attribute `twin` of what has its name now."""
    if not isinstance(primal, FunctionType):
        return None
    own = primal.__code__, primal.__globals__, primal.__name__, primal.__defaults__
    twin = FunctionType(*own, primal.__closure__)
    for attribute in ("__doc__", "__module__", "__annotations__", "__kwdefaults__"):
        setattr(twin, attribute, getattr(primal, attribute))
    twin.__qualname__ = f"{name}.twin"
    return twin


def _made(cells: tuple[str, ...], cls: type[Derivative], *given: Any) -> Derivative:
    sent(cells)
    return cls(*given)


def _restored(
    cells: tuple[str, ...],
    cls: type[Derivative],
    module: str,
    name: str,
    twin: FunctionType | None,
    form: tuple[Any, ...],
) -> Derivative:
    found = _lookup(module, name)
    if twin is None or getattr(found, "twin", None) is twin:
        own = type(found), found.form
        return found if own == (cls, form) else cls(found.primal, *form)
    twin.__qualname__ = name
    return _made(cells, cls, twin, *form)


def _lookup(module: str | None, name: str) -> Any:
    """What a module holds under a dotted name, None if nothing."""
    try:
        return operator.attrgetter(name)(importlib.import_module(module or ""))
    except (AttributeError, ImportError, ValueError):
        return None
