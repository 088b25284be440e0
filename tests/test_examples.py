"""Every example runs as a user runs it, and ends in the number that it promises."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[1] / "examples"
NEEDS = {
    "bundle_adjustment.py": ("scipy",),
    "gaussian_mixture.py": ("scipy",),
    "how_it_works.py": (),
    "logistic_regression.py": ("sklearn",),
    "lorenz.py": ("scipy",),
    "newton.py": (),
    "per_example_gradients.py": (),
    "training_loop.py": (),
}
LAST_LINE = re.compile(r"(?P<what>.+): (?P<found>\S+) \(expected (?P<expected>\S+)\)")


def test_every_example_is_tested():
    assert set(NEEDS) == {path.name for path in EXAMPLES.glob("*.py")}


@pytest.mark.parametrize("name", sorted(NEEDS))
def test_example_ends_in_its_number(name):
    missing = [package for package in NEEDS[name] if importlib.util.find_spec(package) is None]
    if missing:
        pytest.skip(f"needs {', '.join(missing)}")

    run = subprocess.run(
        [sys.executable, EXAMPLES / name, "--source"],
        capture_output=True,
        text=True,
        cwd=EXAMPLES.parent,
        timeout=300,
    )
    assert run.returncode == 0, run.stderr
    assert run.stderr == ""

    last = LAST_LINE.fullmatch(run.stdout.splitlines()[-1])
    assert last is not None, run.stdout
    assert float(last["found"]) == pytest.approx(float(last["expected"]), rel=1e-5)
    assert re.search(r"^def \w+", run.stdout, re.MULTILINE), "the generated source is not printed"


def test_data_carries_its_licence():
    assert "MIT License" in (EXAMPLES / "data" / "LICENSE-ADBench.txt").read_text()
