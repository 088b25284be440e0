"""The coverage as a table, on the terminal and in `docs/functions.md`."""

from __future__ import annotations

import importlib.metadata
import platform
import re

from autodiff.coverage.others import AUTOGRAD, JAX, VERSIONS
from autodiff.coverage.survey import MODULES, Coverage, survey

_HEAD = """\
| module | rules | own source | no derivative | outside | missing | autograd | JAX |
|---|---:|---:|---:|---:|---:|---:|---:|
"""
_TABLE = re.compile(r"(<!-- coverage -->\n).*?(<!-- end -->)", re.DOTALL)

_COUNT = re.compile(r"(of `([\w.]+)` \()\d+( functions\))")


def report(missing: bool = False, reasons: bool = False) -> str:
    """The table; with the names that are missing, and why others need no rule, if asked for."""
    found = [survey(module) for module in MODULES]
    parts = [_table(found)]
    for coverage in found:
        if missing and coverage.missing:
            parts.append(f"\n{coverage.module}: {' '.join(coverage.missing)}\n")
        if reasons:
            for reason in dict.fromkeys(coverage.outside.values()):
                names = [name for name, own in coverage.outside.items() if own == reason]
                parts.append(f"\n{coverage.module}, {reason}: {' '.join(names)}\n")
    return "".join(parts)


def rewritten(page: str) -> str:
    """The text with the table between its marks, and counts in the text, as they are now."""
    text = _TABLE.sub(lambda match: match[1] + report() + match[2], page)
    return _COUNT.sub(lambda m: f"{m[1]}{len(survey(m[2]).ruled)}{m[3]}", text)


def _table(found: list[Coverage]) -> str:
    return _HEAD + "".join(map(_row, found)) + "\n" + versions() + "\n"


def _row(coverage: Coverage) -> str:
    counts = (
        len(coverage.ruled),
        len(coverage.by_source),
        len(coverage.nondifferentiable),
        len(coverage.outside),
        len(coverage.missing),
        _others(AUTOGRAD, coverage.module),
        _others(JAX, coverage.module),
    )
    return f"| `{coverage.module}` | {' | '.join(map(str, counts))} |\n"


def _others(names: dict[str, str], module: str) -> str:
    """How many functions of a module another library has."""
    return str(len(names[module].split())) if module in names else ""


def versions() -> str:
    """The versions that were counted, from which others differ by some names."""
    python = ".".join(platform.python_version_tuple()[:2])
    libraries = [f"{name} {_version(package)}" for name, package in _LIBRARIES if _version(package)]
    counted = ", ".join([f"Python {python}", *libraries])
    return f"Counted with {counted}; beside it {VERSIONS}."


_LIBRARIES = (("NumPy", "numpy"), ("SciPy", "scipy"))


def _version(package: str) -> str | None:
    """Major and minor version of an installed package; None where it is not installed."""
    try:
        return ".".join(importlib.metadata.version(package).split(".")[:2])
    except importlib.metadata.PackageNotFoundError:
        return None
