"""What the commands print, write and exit with, for a file and for a module."""

import io
import shutil
import subprocess
import sys

import numpy as np
import pytest

import autodiff
from autodiff import custom, grad
from autodiff.__main__ import COMMANDS, main

MODEL = """
import numpy as np
from beside import rate

def energy(x, k=2.0):
    return np.sum(np.sin(k * x)) * rate

def number(x: float, y: float):
    return x * y * y

def powers(x, n):
    y = x
    for _ in range(n):
        y = np.sin(y)
    return y
"""


def number(x: float, y: float):
    return x * y * y


@custom(vjp=lambda y_bar, y, x: 3.0 * y_bar * x)
def square(x):
    return x * x


def wrong(x):
    s = np.sin(x)
    return square(s) + x


@pytest.fixture
def model(tmp_path, monkeypatch):
    """A script, with another that it imports beside it."""
    (tmp_path / "model_of_mine.py").write_text(MODEL)
    (tmp_path / "beside.py").write_text("rate = 3.0\n")
    monkeypatch.setattr(sys, "path", [*sys.path])
    yield str(tmp_path / "model_of_mine.py")
    for name in ("model_of_mine", "beside"):
        sys.modules.pop(name, None)


def exits(arguments, code):
    with pytest.raises(SystemExit) as caught:
        main(arguments)
    assert caught.value.code == code


def test_show_by_file_module_and_without_its_name(model, capsys):
    assert main(["show", f"{model}:energy", "--args", "x=np.ones(3)"]) == 0
    text = capsys.readouterr().out
    assert "def energy_grad(x, k=2.0):" in text or "def energy_grad(x, k):" in text
    assert "np.cos(" in text and "\x1b" not in text
    for short in ([], ["show"]):
        assert main([*short, f"{__name__}:number"]) == 0
        assert capsys.readouterr().out.strip() == grad(number).source.strip()
    assert main([f"{__name__}:number", "x", "y"]) == 0
    assert "def number_grad(x, y):" in capsys.readouterr().out


def test_another_derivative_is_shown(model, capsys):
    assert main(["show", f"{model}:number", "--of", "value_and_grad"]) == 0
    assert "Value and gradient" in capsys.readouterr().out


def test_what_is_wrong_goes_to_the_error_stream_with_a_code(model, capsys):
    assert main([f"{__name__}:number", "z"]) == 1
    out, err = capsys.readouterr()
    assert "has no parameter 'z'" in err and not out
    for name in ("number", "no_such_module:f", f"{__name__}:missing", "no_file.py:f"):
        exits(["show", name], 2)
    exits(["show", f"{model}:energy", "--args", "1 +"], 2)
    exits(["check", f"{model}:energy"], 2)
    exits([], 2)
    capsys.readouterr()


def test_save_writes_a_module(model, tmp_path):
    path = tmp_path / "made.py"
    command = ["save", f"{model}:energy", "--args", "np.ones(3)", "--out", str(path)]
    assert main(command) == 0
    assert "def energy_grad(" in path.read_text()
    path.write_text("mine = 1\n")
    assert main(command) == 1
    assert path.read_text() == "mine = 1\n"
    assert main([*command, "--overwrite"]) == 0


def test_check_prints_both_modes_beside_differences(model, capsys):
    assert main(["check", f"{model}:energy", "--args", "x=np.ones(3), k=0.5"]) == 0
    title, *rows = capsys.readouterr().out.splitlines()
    assert title.split() == ["argument", "reverse", "forward", "differences", "by"]
    assert {row.split()[0] for row in rows} == {"x", "k"}
    for row in rows:
        reverse, forward, differences = map(float, row.split()[1:4])
        assert reverse == pytest.approx(forward) == pytest.approx(differences)
        assert row.endswith("right")


def test_check_names_the_first_wrong_statement(capsys):
    assert main(["check", f"{__name__}:wrong", "--args", "0.7"]) == 1
    out = capsys.readouterr().out
    assert "WRONG" in out and "return square(s) + x" in out.splitlines()[-2]


def test_time_compares_with_the_function(model, capsys):
    assert main(["time", f"{model}:energy", "--args", "np.ones(3)"]) == 0
    rows = capsys.readouterr().out.splitlines()
    assert [row.split()[0] for row in rows[1:]] == ["function", "grad", "first"]
    assert float(rows[2].split()[-1]) > 0.0


def test_graph_draws_a_file(model, tmp_path):
    pytest.importorskip("networkx")
    pytest.importorskip("graphviz")
    if shutil.which("dot") is None:
        pytest.skip("Graphviz is not installed")
    path = tmp_path / "energy.svg"
    assert main(["graph", f"{model}:energy", "--args", "np.ones(3)", "--out", str(path)]) == 0
    assert "<svg" in path.read_text()


def test_explain_says_what_is_pushed_and_why(model, capsys):
    assert main(["explain", f"{model}:powers", "--args", "1.0, 3"]) == 0
    out = capsys.readouterr().out
    assert "tape.push(y)" in out and "read by line" in out and "y = np.sin(y)" in out
    assert main(["explain", f"{model}:number"]) == 0
    assert capsys.readouterr().out == "nothing is pushed on the tape\n"


def test_colours_on_a_terminal_only(model, monkeypatch):
    pytest.importorskip("rich")

    class Terminal(io.StringIO):
        def isatty(self):
            return True

    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setattr(sys, "stdout", Terminal())
    assert main(["show", f"{model}:number"]) == 0
    shown = sys.stdout.getvalue()
    assert "\x1b[" in shown and "number_grad" in shown
    assert main(["check", f"{model}:number", "--args", "1.0, 2.0"]) == 0
    assert "right" in sys.stdout.getvalue()


def test_every_command_says_what_it_does():
    done = subprocess.run(
        [sys.executable, "-m", "autodiff", "--help"], capture_output=True, text=True, check=True
    )
    for name, module in COMMANDS.items():
        assert f"{name} " in done.stdout and module.__doc__.split()[0] in done.stdout


def test_the_version(capsys):
    exits(["--version"], 0)
    assert capsys.readouterr().out == f"autodiff {autodiff.__version__}\n"


def test_graph_prints_without_a_file(model, capsys):
    assert main(["graph", f"{model}:energy", "--args", "np.ones(3)"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[:2] == ["0  x", "1  k"]
    assert "return" in lines[-1] and "<- 0, 1" in lines[-1]
