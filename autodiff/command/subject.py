"""The function that a command is about, its derivative, and the arguments that it is given.

python -m autodiff show wells.py:energy x --args "np.ones(3), k=2.0"
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import operator
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np

from autodiff import api
from autodiff.derivatives.derivative import Derivative
from autodiff.derivatives.target import target_of

_MODES = ("grad", "value_and_grad", "jacobian", "jacfwd", "jacrev", "hessian", "elementwise_grad")


def options(parser: argparse.ArgumentParser) -> None:
    """What all commands about a function take."""
    parser.add_argument("function", help="file.py:name, module:name or module:Class.name")
    parser.add_argument("wrt", nargs="*", help="parameters, the first one if none is given")
    parser.add_argument(
        "--args",
        metavar="ARGUMENTS",
        help='what it is called with, as "x=np.ones(3), k=2.0"; else annotations and defaults tell',
    )
    parser.add_argument("--of", choices=_MODES, default="grad", help="which derivative")


@dataclass(frozen=True, slots=True)
class Given:
    """A function, its derivative, and arguments, None where none were given."""

    primal: Callable[..., Any]
    derivative: Derivative
    arguments: tuple[tuple[Any, ...], dict[str, Any]] | None

    def compiled(self) -> Derivative:
        """The derivative, compiled for the arguments if there are some."""
        if self.arguments is not None:
            args, keywords = self.arguments
            self.derivative.source_for(*args, **keywords)
        return self.derivative

    def values(self) -> tuple[Any, ...]:
        """All arguments by position: those given, and defaults."""
        args, keywords = self.arguments or ((), {})
        target = target_of(self.primal)
        bound = target.bind(args, keywords)
        return tuple(bound.values[len(target.prefix) :])


def given(chosen: argparse.Namespace, parser: argparse.ArgumentParser) -> Given:
    """What the options name; the parser exits with 2 where that is not there."""
    path, colon, name = chosen.function.rpartition(":")
    if not colon:
        parser.error(f"expected file.py:function or module:function, not {chosen.function}")
    try:
        module = _module(path)
        function = operator.attrgetter(name)(module)
    except (ImportError, AttributeError, OSError) as error:
        parser.error(str(error))
    arguments = None
    if chosen.args is not None:
        space = {"np": np, **vars(module), "arguments": lambda *args, **keywords: (args, keywords)}
        try:
            arguments = eval(f"arguments({chosen.args})", space)
        except Exception as error:
            parser.error(f"--args {chosen.args!r}: {type(error).__name__}: {error}")
    if isinstance(function, Derivative):
        return Given(function.primal, function, arguments)
    wrt = tuple(chosen.wrt) if len(chosen.wrt) > 1 else chosen.wrt[0] if chosen.wrt else 0
    return Given(function, getattr(api, chosen.of)(function, wrt), arguments)


def _module(path: str) -> ModuleType:
    """The module of a file, which finds what lies beside it, or of a name."""
    if not path.endswith(".py"):
        sys.path.insert(0, "")
        return importlib.import_module(path)
    folder, file = os.path.split(os.path.abspath(path))
    sys.path.insert(0, folder)
    name = file.removesuffix(".py")
    spec = importlib.util.spec_from_file_location(name, os.path.join(folder, file))
    if spec is None or spec.loader is None:
        raise ImportError(f"cannot import {path}")
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
