"""The package is complete when it is built and installed."""

import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest

import autodiff
from tests.house.modules import ROOT, modules

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib  # comes with pytest


def config():
    return tomllib.loads((ROOT / "pyproject.toml").read_text())


def test_every_package_is_listed():
    files = modules()
    packages = {name for name, file in files.items() if file.name == "__init__.py"}
    assert packages == set(config()["tool"]["setuptools"]["packages"])


def test_every_folder_with_modules_is_a_package():
    for file in modules().values():
        assert (file.parent / "__init__.py").exists(), f"{file.parent} has no __init__.py"


def test_the_version_is_that_of_the_project():
    assert autodiff.__version__ == config()["project"]["version"]


def test_dependencies_are_three():
    names = {item.split(">")[0] for item in config()["project"]["dependencies"]}
    assert names == {"numpy", "gast", "astor"}


def test_extras_agree_on_the_lowest_versions():
    """Which .ci/run tests with."""
    extras = config()["project"]["optional-dependencies"].values()
    for name in ("scipy", "numba"):
        asked = {item for extra in extras for item in extra if item.startswith(name)}
        assert len(asked) == 1 and ">=" in asked.pop()


PROGRAM = """
import autodiff, numpy as np

def f(x):
    return np.sum(np.tanh(x) * x)

print(autodiff.__file__)
print(autodiff.grad(f)(np.zeros(2)))
"""


def run(*command, folder):
    """What a command prints that nothing of this environment is in the way of."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
    done = subprocess.run(command, cwd=folder, env=kept, capture_output=True, text=True)
    assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
    return done.stdout


def pip(python, *arguments, folder):
    run(python, "-m", "pip", "--disable-pip-version-check", "--quiet", *arguments, folder=folder)


def package_found(python, folder):
    """The package that a program in a folder imports, without a warning, and differentiates by."""
    run(python, "-W", "error", "-c", "import autodiff", folder=folder)
    (folder / "program.py").write_text(PROGRAM)
    file, slopes = run(python, "-W", "error", "program.py", folder=folder).splitlines()
    assert slopes == "[0. 0.]"
    return Path(file).parent


@pytest.fixture
def clone(tmp_path):
    """What the package is made of, in a folder of its own."""
    for name in ("autodiff", "templates"):
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / name, tmp_path / "clone" / name, ignore=ignored)
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, tmp_path / "clone")
    return tmp_path / "clone"


@pytest.fixture
def fresh(tmp_path):
    """The folder of an environment in which nothing is installed."""
    venv.create(tmp_path / "fresh", with_pip=True)
    return tmp_path / "fresh"


@pytest.fixture
def empty(tmp_path):
    """An empty folder."""
    (tmp_path / "empty").mkdir()
    return tmp_path / "empty"


def files_of(made):
    """The files of a wheel or a source distribution."""
    if made.suffix == ".whl":
        with zipfile.ZipFile(made) as wheel:
            return set(wheel.namelist())
    with tarfile.open(made) as archive:
        return {name.partition("/")[2] for name in archive.getnames()}  # all is in one folder


def installed_as(module, file):
    """Where a wheel has the file of a module."""
    return module.replace(".", "/") + ("/__init__.py" if file.stem == "__init__" else ".py")


@pytest.mark.heavy
@pytest.mark.parametrize("what", ["wheel", "sdist"])
def test_a_distribution_holds_every_module_and_works(what, clone, fresh, empty):
    python = fresh / "bin" / "python"
    pip(python, "install", *config()["build-system"]["requires"], folder=empty)
    build = f"from setuptools import build_meta; build_meta.build_{what}({str(fresh)!r})"
    run(python, "-c", build, folder=clone)
    shutil.rmtree(clone)
    (made,) = fresh.glob("source_autodiff-*")
    files = files_of(made)
    assert {"autodiff/py.typed", "autodiff/inspection/view.html"} <= files
    for module, file in modules().items():
        path = installed_as(module, file) if what == "wheel" else file.relative_to(ROOT).as_posix()
        assert path in files, f"{module} is not in the {what}"
    pip(python, "install", made, folder=empty)
    assert fresh in package_found(python, empty).parents


@pytest.mark.heavy
def test_a_clone_works_however_it_is_installed(clone, fresh, empty):
    """In its folder Python finds the clone first, whatever is installed."""
    python = fresh / "bin" / "python"
    pip(python, "install", ".", folder=clone)
    assert fresh in package_found(python, empty).parents
    assert package_found(python, clone) == clone / "autodiff"
    pip(python, "uninstall", "--yes", "source-autodiff", folder=empty)
    assert package_found(python, clone) == clone / "autodiff"
    pip(python, "install", "--editable", ".", folder=clone)
    for folder in (empty, clone):
        assert package_found(python, folder) == clone / "autodiff"
    (path,) = fresh.glob("lib/*/site-packages/__editable__*")  # no hook: type checkers read it
    assert path.read_text().strip() == str(clone)


def test_the_version_to_cite_is_that_of_the_project():
    cited = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\nversion: {autodiff.__version__}\n" in cited


def test_messages_name_the_distribution():
    """Which is not called as what is imported: that name is another project's."""
    name, extras = config()["project"]["name"], config()["project"]["optional-dependencies"]
    for file in modules().values():
        for own, extra in re.findall(r"([\w-]+)\[(\w+)\]['\"]", file.read_text(encoding="utf-8")):
            if "autodiff" in own:
                assert own == name, file
                assert extra in extras, file


def test_the_review_of_the_project_finds_nothing():
    """`sp-repo-review`, where it is installed."""
    review = shutil.which("repo-review", path=Path(sys.executable).parent)
    if review is None:
        pytest.skip("sp-repo-review is not installed")
    found = subprocess.run([review, ROOT, "--format", "json"], capture_output=True, text=True)
    checks = json.loads(found.stdout)["checks"]
    assert [name for name, check in checks.items() if check["result"] is False] == []
