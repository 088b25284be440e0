"""The newcomer's first hour, step by step, in an environment of its own, as a script would play it.

Each step runs what the newcomer types; what it meets names a place and a cure, and the cure works.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import venv
from functools import partial
from pathlib import Path

import pytest

from tests.first_hour.mistakes import HEAD, MISTAKES, Mistake
from tests.house.modules import ROOT

TOOLS = ("mypy", "joblib", "ipykernel", "nbclient")


class Home:
    """The newcomer's folder, with an environment beside it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "work"
        self.python = folder / "fresh" / "bin" / "python"
        self.folder.mkdir()

    def run(self, *command: object, rc: int = 0) -> str:
        """What a command prints, errors included."""
        kept = {key: text for key, text in os.environ.items() if not key.startswith("PYTHON")}
        kept |= {"AUTODIFF_CACHE": str(self.folder.parent / "cache"), "COLUMNS": "100"}
        kept |= {"JUPYTER_PLATFORM_DIRS": "1", "HOME": str(self.folder.parent)}
        done = subprocess.run(
            [self.python, *command],
            cwd=self.folder,
            env=kept,
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        assert done.returncode == rc, done.stdout
        return done.stdout

    def script(self, text: str, name: str = "script.py", rc: int = 0) -> str:
        """What a file with a text prints."""
        (self.folder / name).write_text(text)
        return self.run(name, rc=rc).strip()


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """Installed from a checkout, with the tools that are on most desks."""
    folder = tmp_path
    ignored = shutil.ignore_patterns("__pycache__")
    for name in ("autodiff", "templates"):
        shutil.copytree(ROOT / name, folder / "clone" / name, ignore=ignored)
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, folder / "clone")
    venv.create(folder / "fresh", with_pip=True)
    own = Home(folder)
    own.run("-m", "pip", "--disable-pip-version-check", "--quiet", "install", folder / "clone")
    own.run("-m", "pip", "--disable-pip-version-check", "--quiet", "install", *TOOLS)
    return own


def code_blocks(page: Path, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)


def what_is_installed(home: Home) -> None:
    """Three packages, a version, and no word on import."""
    assert home.run("-c", "import autodiff") == ""
    assert re.match(r"\d+\.\d+\.\d+", home.run("-c", "import autodiff as a; print(a.__version__)"))
    installed = home.run("-m", "pip", "show", "source-autodiff")
    assert "Requires: astor, gast, numpy" in installed


def the_first_program_of_the_readme(home: Home) -> None:
    """It prints the text that stands under it."""
    program, text = (
        code_blocks(ROOT / "README.md", "python")[0],
        code_blocks(ROOT / "README.md", "py"),
    )
    printed = home.script(program, "example.py")
    assert printed == text[0].strip()


FIRST = {
    "a number": (
        "import math\nfrom autodiff import grad\n\ndef f(t):\n    return math.sin(t) ** 2\n\n"
        "print(round(grad(f)(0.25 * math.pi), 12))",
        "1.0",
    ),
    "a loop that changes an array": (
        "import numpy as np\nfrom autodiff import grad\n\n@grad\ndef f(u, steps):\n"
        "    u = u.copy()\n    for _ in range(steps):\n        u[1:] += 0.5 * u[:-1]\n"
        "    return u.sum()\n\nprint(f(np.ones(3), 2))",
        "[2.25 2.   1.  ]",
    ),
    "parameters in a dict": (
        "import numpy as np\nfrom autodiff import value_and_grad\n\ndef loss(p, x, y):\n"
        "    return np.mean((p['a'] * x + p['b'] - y) ** 2)\n\nx = np.array([0.0, 1.0])\n"
        "value, g = value_and_grad(loss)({'a': 1.0, 'b': 0.0}, x, 2 * x)\n"
        "print(value, sorted(g), g['a'], g['b'])",
        "0.5 ['a', 'b'] -1.0 -1.0",
    ),
    "a method": (
        "from dataclasses import dataclass\nfrom autodiff import grad\n\n@dataclass\n"
        "class Spring:\n    k: float\n\n    def energy(self, x):\n"
        "        return 0.5 * self.k * x * x\n\nprint(grad(Spring(3.0).energy)(2.0))",
        "6.0",
    ),
    "second derivatives": (
        "import numpy as np\nfrom autodiff import hessian\n\n"
        "print(hessian(lambda x: x[0] ** 2 * x[1])(np.array([1.0, 2.0])))",
        "[[4. 2.]\n [2. 0.]]",
    ),
}


def first_function(home: Home, name: str) -> None:
    program, expected = FIRST[name]
    assert home.script(program) == expected


def first_mistake(home: Home, mistake: Mistake) -> None:
    """The message is short, says where and what to do, and that works."""
    told = home.script(f"{HEAD}\n{mistake.wrong}\n", rc=1)
    assert not [part for part in mistake.says if part not in told], told
    assert len(told.splitlines()) <= 20, told
    assert home.script(f"{HEAD}\n{mistake.right}\n") == mistake.prints


MODEL = """
import numpy as np

def energy(x, k=2.0):
    y = np.sin(k * x)
    return np.sum(y * x)
"""


MODEL_FILE = "model.py:energy"


def help_page(home: Home) -> None:
    """A page with parameters, errors and an example."""
    page = home.run("-c", "import autodiff; help(autodiff.grad)")
    for part in ("wrt", "has_aux", "shape and dtype", "Raises", ">>> "):
        assert part in page


def the_command_shows(home: Home) -> None:
    """What is written."""
    assert "np.cos(" in home.run("-m", "autodiff", "show", MODEL_FILE, "--args", "x=np.ones(3)")


def the_command_checks(home: Home) -> None:
    """Whether it is right."""
    assert "right" in home.run("-m", "autodiff", "check", MODEL_FILE, "--args", "x=np.ones(3)")


def types(home: Home) -> None:
    """A checker knows the parameters."""
    (home.folder / "typed.py").write_text(
        "from autodiff import grad\n\n\ndef area(r: float, k: float = 2.0) -> float:\n"
        "    return k * r * r\n\n\nslope: float = grad(area)(3.0, k=1.0)\n"
    )
    assert "Success" in home.run("-m", "mypy", "--strict", "typed.py")


NOTEBOOK = """
import nbclient, nbformat
from nbformat.v4 import new_code_cell, new_notebook

cells = [
    "import numpy as np\\nfrom autodiff import grad",
    "@grad\\ndef f(x):\\n    y = np.sin(x)\\n    return np.sum(y * y)",
    "print(f(np.ones(2)).round(3))",
    "f",
    "grad(lambda x: 3.0 * x)(np.ones(2))",
]
book = new_notebook(cells=[new_code_cell(cell) for cell in cells])
nbclient.NotebookClient(book, timeout=60, kernel_name="python3", allow_errors=True).execute()
print("OUTPUT", book.cells[2].outputs[0].text)
print(book.cells[3].outputs[0].data["text/html"])
print("ERROR", *book.cells[4].outputs[-1].traceback)
"""


def a_notebook(home: Home) -> None:
    """Cells have sources, a derivative is shown as a page, an error is short."""
    printed = home.script(NOTEBOOK)
    shown, _, error = printed.partition("OUTPUT ")[2].partition("ERROR")
    assert shown.startswith("[0.909 0.909]")
    assert "<iframe" in shown
    plain = re.sub(r"\x1b\[[\d;]*m", "", error)
    assert "does not return a real scalar" in plain
    assert len(plain.splitlines()) <= 25, plain


WORKERS = """
import numpy as np
from joblib import Parallel, delayed
from autodiff import grad

def f(x):
    return np.sum(x**3)

slope = grad(f)

if __name__ == "__main__":
    print(*Parallel(n_jobs=2)(delayed(slope)(k * np.ones(1)) for k in range(3)))
"""


def workers(home: Home) -> None:
    """What is defined in a script goes to other processes."""
    assert home.script(WORKERS) == "[0.] [3.] [12.]"


def the_view(home: Home) -> None:
    """One file that needs no other."""
    home.script(
        "import numpy as np\nfrom autodiff import grad\nfrom model import energy\n"
        "g = grad(energy)\ng(np.ones(3))\ng.view('energy.html')\n"
    )
    page = (home.folder / "energy.html").read_text(encoding="utf-8")
    assert "np.sin(k * x)" in re.sub(r"<[^>]*>", "", page)
    assert not re.search(r"(?:src|href)=.?https?:", page)


def what_is_saved(home: Home) -> None:
    """The derivative as a file, which runs, and is kept for the next process."""
    home.run(
        "-m", "autodiff", "save", MODEL_FILE, "--out", "energy_grad.py", "--args", "x=np.ones(3)"
    )
    found = home.script(
        "import numpy as np\nfrom energy_grad import *\nprint(energy_grad(np.zeros(3), 2.0))"
    )
    assert found == "[0. 0. 0.]"
    assert re.search(r"[1-9]\d* ", home.run("-m", "autodiff", "cache"))


STEPS = {
    "what is installed": what_is_installed,
    "the first program of the README": the_first_program_of_the_readme,
    **{name: partial(first_function, name=name) for name in FIRST},
    **{own.name: partial(first_mistake, mistake=own) for own in MISTAKES},
    "help": help_page,
    "the command shows": the_command_shows,
    "the command checks": the_command_checks,
    "types": types,
    "a notebook": a_notebook,
    "workers": workers,
    "the view": the_view,
    "what is saved": what_is_saved,
}


@pytest.mark.heavy
def test_the_first_hour(home: Home) -> None:
    """All thirty steps; the error names those that failed."""
    assert len(STEPS) == 30
    (home.folder / "model.py").write_text(MODEL)
    failed = {}
    for name, step in STEPS.items():
        try:
            step(home)
        except AssertionError as error:
            failed[name] = str(error)
    assert not failed, "\n\n".join(f"{name}: {said}" for name, said in failed.items())
