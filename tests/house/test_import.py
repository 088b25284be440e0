"""What `import autodiff` brings in, and how long it takes."""

import ast
import os
import subprocess
import sys

import pytest

import autodiff

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


# What a program loads of ours, counted, since time depends on who else is there.
COMPILER = ("autodiff.core", "autodiff.lower", "autodiff.reversal", "autodiff.pipeline.compiler")


def ours(root, code):
    """The modules of the package that are there after some code."""
    found = run(root, f"import sys\n{code}\nprint(*sys.modules)").stdout.split()
    return {name for name in found if name.split(".")[0] == "autodiff"}


def test_the_package_alone_is_one_module(root):
    assert ours(root, "import autodiff") == {"autodiff"}
    # no `numpy` either, which a program has anyway
    assert run(root, "import sys, autodiff; print('numpy' in sys.modules)").stdout == "False\n"


def test_grad_brings_in_what_makes_derivatives_and_not_the_compiler(root):
    found = ours(root, "from autodiff import grad\n@grad\ndef f(x): return x")
    assert not any(name.startswith(COMPILER) for name in found)
    assert "autodiff.inspection.save" not in found
    assert len(found) <= 104


def test_a_saved_file_brings_in_the_helpers_alone(root, tmp_path):
    @autodiff.grad
    def logistic(x, steps):
        for _ in range(steps):
            x = 3.5 * x * (1.0 - x)
        return x

    slope = logistic(0.2, 10)
    logistic.save(tmp_path / "saved.py")
    place = f"sys.path.insert(0, {str(tmp_path)!r})"
    found = ours(root, f"{place}\nimport saved\nassert saved.logistic_grad(0.2, 10) == {slope!r}")
    others = {name for name in found if not name.startswith("autodiff.runtime")}
    assert "autodiff.runtime.tape" in found
    assert others == {"autodiff", "autodiff.errors"}


def test_what_type_checkers_read_is_what_is_given():
    """The imports that are for type checkers alone name each public name, where it is."""
    with open(autodiff.__file__, encoding="utf-8") as file:
        tree = ast.parse(file.read())
    [block] = [node for node in tree.body if isinstance(node, ast.If) and "TYPE" in ast.dump(node)]
    written = {alias.name: line.module for line in block.body for alias in line.names}
    homes = {name: f"autodiff.{home}" for home, names in autodiff._HOMES.items() for name in names}
    assert written == {name: homes.get(name, "autodiff.api") for name in autodiff.__all__}
    assert set(autodiff.__all__) <= set(dir(autodiff))
    with pytest.raises(AttributeError, match="has no attribute 'gard'"):
        autodiff.gard  # noqa: B018


def test_what_registers_rules_is_there_though_only_one_name_was_imported(root, tmp_path):
    (tmp_path / "one_name.py").write_text("""
import numpy as np
from autodiff import linearize
from scipy.optimize import brentq
def f(a):
    from autodiff import jvp
    value, slope = jvp(lambda x: x**3, (a,), (1.0,))
    return slope * brentq(lambda x: x**2 - a, 0.0, 9.0)
value, push = linearize(f, 4.0)
assert abs(push(1.0) - (6 * 4.0 * 2.0 + 3 * 16.0 / 4)) < 1e-9, push(1.0)
""")
    run(root, f"import sys; sys.path.insert(0, {str(tmp_path)!r}); import one_name")


@pytest.mark.parametrize("missing", ["gast", "astor"])
@pytest.mark.parametrize(
    "line",
    ["from autodiff import grad", "import autodiff; autodiff.jvp", "import autodiff.__main__"],
)
def test_what_is_missing_is_said_with_what_to_do(missing, line, root):
    """In a clone, which needs no installation, but what it builds on."""
    with pytest.raises(subprocess.CalledProcessError) as failed:
        run(root, f"import sys; sys.modules[{missing!r}] = None\n{line}")
    what, cure = failed.value.stderr.splitlines()[-2:]
    assert what.startswith(f"ModuleNotFoundError: autodiff needs {missing}, which is not installed")
    assert cure == f'install what it needs: {sys.executable} -m pip install -e "{root}"'


def test_a_saved_file_needs_none_of_them(root):
    code = "sys.modules['gast'] = sys.modules['astor'] = None\nimport autodiff.runtime, autodiff"
    run(root, f"import sys\n{code}\nautodiff.AutodiffError, autodiff.checkpointed")


def test_import_brings_in_no_heavy_package(root):
    found = set(run(root, "import sys, autodiff.api; print(*sys.modules)").stdout.split())
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
