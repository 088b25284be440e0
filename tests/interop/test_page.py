"""Each section of `docs/interop.md` is a program that runs, where its package is installed."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys

import pytest

from tests.house.modules import ROOT

PAGE = (ROOT / "docs" / "interop.md").read_text(encoding="utf-8")
SECTIONS = {
    title: "\n".join(re.findall(r"^```python\n(.*?)^```", text, re.DOTALL | re.MULTILINE))
    for title, text in re.findall(r"^## (.+?)\n(.*?)(?=^## |\Z)", PAGE, re.DOTALL | re.MULTILINE)
}


def test_each_section_has_a_program():
    assert len(SECTIONS) >= 12
    assert all(SECTIONS.values())


@pytest.mark.parametrize("title", SECTIONS)
def test_section_runs(title, tmp_path):
    code = SECTIONS[title]
    for name in re.findall(r"^(?:import|from) (\w+)", code, re.MULTILINE):
        if importlib.util.find_spec(name) is None:
            pytest.skip(f"needs {name}")
    (tmp_path / "program.py").write_text(code, encoding="utf-8")
    run = subprocess.run(
        [sys.executable, "program.py"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=300,
    )
    if "mpi4py" in code and "cannot load MPI library" in run.stderr:
        pytest.skip("needs a library of MPI")
    assert run.returncode == 0, run.stderr
