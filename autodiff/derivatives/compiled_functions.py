"""A function without Python source that has a rule, as one of Python that calls it.

grad(np.sin)        def sin(x):
                        return np.sin(x)
"""

from __future__ import annotations

import builtins
import functools
import inspect
import re
import sys
from collections.abc import Callable
from types import FunctionType
from typing import Any

import numpy as np

from autodiff.frontend.source import Namespace
from autodiff.loader import load
from autodiff.rules import registry
from autodiff.rules.home import public_name


def name_of(callee: Any) -> str:
    """The name of a function as a user writes it: `np.linalg.norm`."""
    name = public_name(callee) if hasattr(callee, "__name__") else repr(callee)
    module, dot, last = re.sub(r"^numpy\.", "np.", name).rpartition(".")
    if getattr(sys.modules.get(module.lstrip("_")), last, None) is callee:
        module = module.lstrip("_")  # C's half of a module in Python
    return f"{module}{dot}{last}" if module else name


def parameters_of(callee: Any) -> tuple[str, bool]:
    """The parameters of a function in C that have to be given, and whether there are others; `...`
    where it does not say.
    """
    if isinstance(callee, np.ufunc):
        return ", ".join("xyzuvw"[: callee.nin]), False
    try:
        parameters = inspect.signature(callee).parameters.values()
    except (TypeError, ValueError):
        return "...", False
    many: dict[Any, str] = {
        inspect.Parameter.VAR_POSITIONAL: "*",
        inspect.Parameter.VAR_KEYWORD: "**",
    }
    asked = [p for p in parameters if p.default is p.empty and p.kind is not p.KEYWORD_ONLY]
    return ", ".join(f"{many.get(p.kind, '')}{p.name}" for p in asked), len(asked) < len(parameters)


_MADE: dict[Any, FunctionType] = {}
"""Functions that were made. What is refused is not kept: it may hold the user's arrays."""


def in_python(callee: Callable[..., Any]) -> FunctionType | None:
    """The function of Python; None where no rule is known, nor where it stands or what it takes."""
    if callee in _MADE:
        return _MADE[callee]
    registry.load()
    given, more = parameters_of(callee)
    name = name_of(callee)
    name = name if "." in name else f"builtins.{name}"
    known = registry.rule_for(callee) or registry.written_for(callee)
    if known is None or "..." in given:
        return None
    root, *path = name.split(".")
    found = {"np": np, "builtins": builtins}.get(root) or sys.modules.get(root)
    own: Any = functools.reduce(lambda held, part: getattr(held, part, None), path, found)
    if own is not callee:
        return None
    title = path[-1]
    given = f"{given}, *args, **options" if more and "*" not in given else given
    text = f"def {title}({given}):\n    return {name}({given})\n"
    made = load(text, name, Namespace({"__name__": __name__, root: found}), {}, {})
    return _MADE.setdefault(callee, made)
