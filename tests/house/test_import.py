"""What `import autodiff` brings in, and how long it takes."""

import os
import subprocess
import sys

HEAVY = {"scipy", "networkx", "numba", "jax", "torch", "autograd", "casadi", "matplotlib"}
HEAVY |= {"sklearn", "pytest"}


def run(root, code, *flags, **variables):
    return subprocess.run(
        [sys.executable, *flags, "-c", code],
        cwd=root,
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        check=True,
    )


def test_import_brings_in_no_heavy_package(root):
    found = set(run(root, "import sys, autodiff; print(*sys.modules)").stdout.split())
    assert not HEAVY & {name.split(".")[0] for name in found}
    passes = {"autodiff.pipeline.compiler", "autodiff.lower.lowering", "autodiff.reversal.sweep"}
    assert not passes & found, "the compiler is imported by the first compilation"


def test_import_leaves_warnings_alone(root):
    run(root, "import autodiff", "-W", "error")


def test_import_time(root, capsys, tmp_path):
    """Printed, not judged: `import autodiff` after `import numpy`."""
    code = (
        "import time, numpy; start = time.perf_counter(); import autodiff;"
        "print(time.perf_counter() - start)"
    )
    # compiled files are kept, as they are in normal use
    kept = {"PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": str(tmp_path)}
    seconds = min(float(run(root, code, **kept).stdout) for _ in range(4))
    with capsys.disabled():
        print(f"\nimport autodiff: {1000 * seconds:.0f} ms after NumPy")
