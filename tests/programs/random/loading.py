"""From the text of a random program to its function."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

from tests.programs.random.generator import RandomProgram


def load(program: RandomProgram, directory: Path) -> Any:
    """The function of a program, from a file, so that its source is found."""
    path = directory / f"random_{program.seed}.py"
    path.write_text(program.text, encoding="utf-8")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.f
