"""A user's script checks clean, and mistakes in it are found, by mypy and by pyright."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent


def mypy(file, root):
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file", os.devnull, str(file)]
    command[3:3] = ["--no-incremental", "--follow-imports", "silent"]
    return subprocess.run(command, cwd=root, capture_output=True, text=True)


def pyright(file, root):
    """With what it checks unless told; basedpyright is pyright with a Node of its own."""
    paths = (None, Path(sys.executable).parent)
    found = [shutil.which(n, path=p) for n in ("pyright", "basedpyright") for p in paths]
    command = next(filter(None, found), None)
    if command is None:
        pytest.skip("neither pyright nor basedpyright is installed")
    given = ["--pythonpath", sys.executable, "--project", str(HERE / "pyright.json"), str(file)]
    return subprocess.run([command, *given], cwd=root, capture_output=True, text=True)


@pytest.mark.heavy
@pytest.mark.parametrize("checker", [mypy, pyright])
def test_a_user_s_script(checker, root):
    pytest.importorskip("mypy")
    found = checker(HERE / "sample.py", root)
    assert found.returncode == 0, found.stdout


@pytest.mark.heavy
@pytest.mark.parametrize("checker", [mypy, pyright])
def test_mistakes(checker, root):
    pytest.importorskip("mypy")
    file = HERE / "wrong.py"
    lines = file.read_text(encoding="utf-8").splitlines()
    marked = {number for number, line in enumerate(lines, 1) if line.endswith("# wrong")}
    said = checker(file, root).stdout
    assert {int(line) for line in re.findall(r"wrong\.py:(\d+):.*error", said)} == marked, said


def test_the_script_runs(root):
    subprocess.run(
        [sys.executable, HERE / "sample.py"],
        env={**os.environ, "PYTHONPATH": str(root)},
        check=True,
    )
