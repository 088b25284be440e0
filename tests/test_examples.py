"""Every example runs as a user runs it, and ends in the number that it promises."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[1] / "examples"
NEEDS = {
    "bundle_adjustment.py": ("scipy",),
    "dask_chunks.py": ("dask", "distributed", "scipy"),
    "gaussian_mixture.py": ("scipy",),
    "hamiltonian_monte_carlo.py": (),
    "how_it_works.py": (),
    "iminuit_peak.py": ("iminuit",),
    "jax_pipeline.py": ("jax",),
    "joblib_processes.py": ("joblib", "scipy"),
    "lmfit_decay.py": ("lmfit",),
    "logistic_regression.py": ("sklearn",),
    "lorenz.py": ("scipy",),
    "mpi_allreduce.py": ("mpi4py.MPI",),
    "newton.py": (),
    "numba_callers.py": ("numba",),
    "per_example_gradients.py": (),
    "pytorch_layer.py": ("torch",),
    "scipy_minimizers.py": ("scipy",),
    "sklearn_estimator.py": ("sklearn", "scipy"),
    "training_loop.py": (),
}
LAST_LINE = re.compile(r"(?P<what>.+): (?P<found>\S+) \(expected (?P<expected>\S+)\)")


def test_every_example_is_tested():
    assert set(NEEDS) == {path.name for path in EXAMPLES.glob("*.py")}


@pytest.mark.parametrize("name", sorted(NEEDS))
def test_example_ends_in_its_number(name):
    missing = [package for package in NEEDS[name] if not is_there(package)]
    if missing:
        pytest.skip(f"needs {', '.join(missing)}")
    judged(name)


def test_several_processes_add_up_one_gradient():
    launcher = shutil.which(
        "mpiexec", path=f"{Path(sys.executable).parent}{os.pathsep}{os.defpath}"
    )
    if launcher is None or not is_there("mpi4py.MPI"):
        pytest.skip("needs mpi4py, mpiexec")
    assert "2 processes" in judged("mpi_allreduce.py", launcher, "-n", "2")


def test_the_demo_leaves_a_picture_and_says_where():
    if not (is_there("scipy") and is_there("matplotlib")):
        pytest.skip("needs scipy, matplotlib")
    said = re.search(r"^picture: (.+)$", judged("gaussian_mixture.py"), re.MULTILINE)
    assert Path(said[1]).read_bytes().startswith(b"\x89PNG")


def is_there(package):
    """Whether a package is installed; one that loads a library of C, with that."""
    if package != "mpi4py.MPI":
        return importlib.util.find_spec(package.partition(".")[0]) is not None
    return not subprocess.run(
        [sys.executable, "-c", f"import {package}"], capture_output=True
    ).returncode


def judged(name, *launcher):
    """What an example prints, which ends in its number."""
    run = subprocess.run(
        [*launcher, sys.executable, EXAMPLES / name, "--source"],
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
    return run.stdout


def test_data_carries_its_licence():
    assert "MIT License" in (EXAMPLES / "data" / "LICENSE-ADBench.txt").read_text()
