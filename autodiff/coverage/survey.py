"""Which public functions of a module have a derivative, which need none, which lack one."""

from __future__ import annotations

import builtins
import importlib
import importlib.util
import math
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from operator import itemgetter
from typing import Any

import numpy as np

from autodiff.coverage.reasons import COMPILED, OUTSIDE
from autodiff.coverage.taken import TAKEN
from autodiff.rules import methods, registry

# Names of NumPy 1 that NumPy 2 still has, and warns of.
_DEPRECATED = {"row_stack", "trapz", "in1d"}

_UFUNC_METHODS = ("reduce", "accumulate", "reduceat", "outer", "at")


@dataclass(frozen=True, slots=True)
class Coverage:
    """The public functions of one module, by name.

    ruled: have a rule, or are taken apart by the compiler. by_source: through their own source, as
    a test shows. nondifferentiable: declared so. outside: the reason by name. missing: all others.
    """

    module: str
    ruled: tuple[str, ...]
    by_source: tuple[str, ...]
    nondifferentiable: tuple[str, ...]
    outside: dict[str, str]
    missing: tuple[str, ...]


def survey(module: str) -> Coverage:
    """The coverage of one of `MODULES`."""
    registry.load()
    compiled = _by_name(COMPILED.get(module, {}))
    outside = _by_name(OUTSIDE.get(module, {}))
    followed = TAKEN.get(module, "").split()
    groups: dict[str, list[str]] = {
        key: [] for key in ("ruled", "followed", "zero", "outside", "missing")
    }
    for name, function in sorted(dict(MODULES[module]()).items(), key=itemgetter(0)):
        ruled = registry.rule_for(function) or registry.written_for(function)
        ruled = ruled or registry.plain_for(function)
        if registry.is_nondifferentiable(function) and name not in compiled:
            groups["zero"].append(name)
        elif name in outside:
            groups["outside"].append(name)
        elif name in followed:
            groups["followed"].append(name)
        else:
            asked = not isinstance(function, type) and registry.is_receiver(function)
            known = name in compiled or ruled is not None or asked  # `stats.poisson`
            groups["ruled" if known else "missing"].append(name)
    return Coverage(
        module,
        tuple(groups["ruled"]),
        tuple(groups["followed"]),
        tuple(groups["zero"]),
        {name: outside[name] for name in groups["outside"]},
        tuple(groups["missing"]),
    )


def _by_name(reasons: dict[str, str]) -> dict[str, str]:
    return {name: reason for reason, names in reasons.items() for name in names.split()}


def _functions(module: str, classes: bool = False) -> Iterator[tuple[str, Any]]:
    """The public functions of a module, and classes but those of errors."""
    owner = importlib.import_module(module)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name in getattr(owner, "__all__", dir(owner)):
            function = getattr(owner, name, None)
            if name[0] != "_" and name not in _DEPRECATED and callable(function):
                if not isinstance(function, type) or (
                    classes and not issubclass(function, BaseException)
                ):
                    yield name, function


def _builtins() -> Iterator[tuple[str, Any]]:
    """Functions and classes that are called like functions."""
    for name, function in vars(builtins).items():
        is_error = isinstance(function, type) and issubclass(function, BaseException)
        if name[0] != "_" and callable(function) and not is_error:
            yield name, function


def _methods() -> Iterator[tuple[str, Any]]:
    """Methods and attributes of arrays, as the functions that they mean.

    NumPy 2.0 to 2.3 list `ptp` and others that they took away, to raise an error that says so.
    """
    array = np.zeros((1, 1))
    for name in dir(np.ndarray):
        if name[0] != "_" and hasattr(array, name):
            meaning = methods.method(name)
            yield name, meaning.function if meaning is not None else methods.attribute(name)


def _ufuncs() -> Iterator[tuple[str, Any]]:
    """The methods of the ufuncs of two operands that have a derivative."""
    for name, function in _functions("numpy"):
        if isinstance(function, np.ufunc) and function.nin == 2 and function.nout == 1:
            if function.signature is None and name == function.__name__:
                if registry.rule_for(function) is not None and name != "ldexp":
                    for method in _UFUNC_METHODS:
                        yield f"{name}.{method}", getattr(function, method)


def _plain(module: str, classes: bool = False) -> Callable[[], Iterator[tuple[str, Any]]]:
    return lambda: _functions(module, classes)


def _installed() -> tuple[str, ...]:
    """The modules of SciPy, where there is SciPy."""
    if importlib.util.find_spec("scipy") is None:
        return ()
    parts = ("special", "linalg", "fft", "signal", "integrate", "ndimage", *_OF_CLASSES)
    return tuple(f"scipy.{name}" for name in parts)


_OF_CLASSES = (
    *("interpolate", "optimize", "sparse", "sparse.csgraph", "sparse.linalg"),
    *("spatial", "spatial.distance", "spatial.transform", "stats"),
)
"""Of these the classes are counted, too."""


MODULES: dict[str, Callable[[], Iterator[tuple[str, Any]]]] = {
    "numpy": _plain("numpy"),
    "numpy.ndarray": _methods,
    "numpy.ufunc": _ufuncs,
    "numpy.linalg": _plain("numpy.linalg"),
    "numpy.fft": _plain("numpy.fft"),
    math.__name__: _plain(math.__name__),
    builtins.__name__: _builtins,
    **{each: _plain(each, each[6:] in _OF_CLASSES) for each in _installed()},
}
