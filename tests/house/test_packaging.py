"""The package is complete when it is built and installed."""

import shutil
import subprocess
import sys
import zipfile

import pytest

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


def test_dependencies_are_three():
    names = {item.split(">")[0] for item in config()["project"]["dependencies"]}
    assert names == {"numpy", "gast", "astor"}


@pytest.mark.heavy
def test_wheel_holds_every_module_and_works(tmp_path):
    source = tmp_path / "source"
    source.mkdir()
    for name in ("autodiff", "templates"):
        shutil.copytree(ROOT / name, source / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source)
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]
    build = [*pip, "wheel", "--no-deps", "--wheel-dir", str(tmp_path), str(source)]
    subprocess.run(build, check=True, capture_output=True, text=True)
    (wheel,) = tmp_path.glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    assert "autodiff/py.typed" in names
    for name, file in modules().items():
        path = name.replace(".", "/")
        path += "/__init__.py" if file.name == "__init__.py" else ".py"
        assert path in names, f"{name} is not in the wheel"
    site = tmp_path / "site"
    install = [*pip, "install", "--no-deps", "--no-index", "--target", str(site), str(wheel)]
    subprocess.run(install, check=True, capture_output=True, text=True)
    program = tmp_path / "program.py"
    program.write_text(
        "import autodiff, numpy as np\n"
        f"assert autodiff.__file__.startswith({str(site)!r}), autodiff.__file__\n"
        "print(autodiff.grad(lambda x: np.sum(np.tanh(x) * x))(np.zeros(2)))\n"
    )
    # PYTHONPATH stands before an editable install of this repository
    found = subprocess.run(
        [sys.executable, str(program)],
        cwd=tmp_path,
        env={"PYTHONPATH": str(site)},
        check=True,
        capture_output=True,
        text=True,
    )
    assert found.stdout.strip() == "[0. 0.]"
