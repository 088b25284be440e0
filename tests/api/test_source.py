"""The generated source: shown, saved, printed from the command line."""

import ast
import importlib.util
import math
import os
import re
import subprocess
import sys

import numpy as np
import pytest
from numpy.testing import assert_allclose

from autodiff import AutodiffError, grad, hessian, hvp, jacfwd, jacobian, value_and_grad, vjp

gravity = 9.81
weights = np.array([1.0, 2.0, 3.0])
table = {"a": (1.0, [2.0, math.inf]), "b": "text"}
special = object()


def annotated(x: float, n: int = 3) -> float:
    y = x
    for _ in range(n):
        y = y * x
    return y


def helper(x):
    return math.sin(x) * gravity


def uses_globals(x):
    return np.sum(helper(x) * weights) * table["a"][0]


def uses_object(x):
    return x * hash(special)


def test_source_before_and_after_a_call():
    derivative = grad(annotated)
    before = derivative.source
    assert derivative(2.0) == 32.0
    assert derivative.source == before
    assert derivative.source == derivative.source_for(2.0)
    assert ast.parse(before).body[0].name == "annotated_grad"


def test_source_follows_the_last_call():
    derivative = grad(lambda x: np.sum(x * x))
    derivative(2.0)
    scalar = derivative.source
    derivative(np.ones(3))
    assert derivative.source == derivative.source_for(np.ones(2))
    assert derivative.source_for(1.0) == scalar


def test_source_of_unannotated_arguments():
    assert "def product_grad" in grad(product).source


def product(x, y):
    return x * y


def test_stages():
    derivative = grad(annotated)
    derivative(2.0)
    stages = derivative.stages()
    assert len(stages) >= 5
    for name, text in stages:
        assert isinstance(name, str)
        ast.parse(text)


def load(path):
    spec = importlib.util.spec_from_file_location("saved", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("of", [grad, value_and_grad])
def test_saved_file_stands_alone(of, tmp_path, root):
    path = tmp_path / "derivative.py"
    derivative = of(uses_globals)
    expected = derivative(0.3)
    derivative.save(path)
    saved = getattr(load(path), f"uses_globals_{of.__name__}")
    assert_allclose(saved(0.3), expected)
    text = path.read_text()
    assert text.startswith("# Derivative of uses_globals (test_source.py:")
    assert "tests" not in text.replace("test_source.py", "")
    ruff = [sys.executable, "-m", "ruff", "check", "--isolated", "--line-length=100"]
    subprocess.run([*ruff, "--select=E,F,I", str(path)], check=True, capture_output=True)


def test_saved_loop_needs_the_runtime(tmp_path):
    path = tmp_path / "derivative.py"
    grad(annotated).save(path)
    assert "from autodiff.runtime import Tape" in path.read_text()
    assert load(path).annotated_grad(2.0, 3) == 32.0


def decided(x, y, way="sum", scale=None, parts=()):
    z = np.sum(x * y) if way == "sum" else np.prod(x + y)
    return z * (1.0 if scale is None else scale) * len(parts)


LIKE = [np.ones(5), np.arange(5.0), "sum", None, [1, 2.0]]


@pytest.mark.parametrize(
    ("place", "other", "said"),
    [
        (0, np.ones(5, np.float32), r"x as float64\[n0 >= 4\]"),
        (0, np.ones((5, 5)), "x as float64"),
        (0, np.ones(3), "x as float64"),
        (0, 1.0, "x as float64"),
        (0, np.ones(6), r"y as float64\[n0 >= 4\]"),
        (2, "prod", "way as 'sum'"),
        (3, 2.0, "scale as None"),
        (4, [1, 2.0, 3.0], r"parts as list\(int, float\)"),
        (4, (1, 2.0), "parts as list"),
        (4, [1, 2], "parts as list"),
    ],
)
def test_a_saved_text_refuses_arguments_that_it_was_not_made_for(place, other, said, tmp_path):
    derivative = grad(decided)
    derivative(*LIKE)
    derivative.save(tmp_path / "derivative.py")
    saved = load(tmp_path / "derivative.py").decided_grad
    assert_allclose(saved(np.ones(7), np.arange(7.0), "sum", None, [3, 4.0]), 2 * np.arange(7.0))
    with pytest.raises(TypeError, match=f"made for {said}"):
        saved(*LIKE[:place], other, *LIKE[place + 1 :])


def test_a_saved_text_knows_objects_and_functions(tmp_path):
    class Model:
        def __init__(self, w, name="m"):
            self.w, self.name = w, name

    class Other(Model):
        pass

    def applied(x, model, act):
        return np.sum(act(x.reshape(-1, 2) @ model.w))

    derivative = grad(applied)
    derivative(np.ones(10), Model(np.ones(2)), np.tanh)
    derivative.save(tmp_path / "derivative.py")
    saved = load(tmp_path / "derivative.py").applied_grad
    x = np.linspace(0.0, 1.0, 12)
    assert_allclose(
        saved(x, Model(np.ones(2)), np.tanh), grad(applied)(x, Model(np.ones(2)), np.tanh)
    )
    for args in [
        (x, Model(np.ones(2)), np.sin),
        (x, Other(np.ones(2)), np.tanh),
        (x, Model(np.ones(2), "n"), np.tanh),
        (x, Model(2.0), np.tanh),
    ]:
        with pytest.raises(TypeError, match="made for"):
            saved(*args)


def test_a_saved_text_tells_functions_of_one_name_apart(tmp_path):
    def applied(x, act, module):
        return np.sum(act(x)) * module.cos(1.0)

    square = lambda v: v * v  # noqa: E731
    cube = lambda v: v**3  # noqa: E731
    derivative = grad(applied)
    expected = derivative(np.ones(5), square, math)
    derivative.save(tmp_path / "derivative.py")
    text = (tmp_path / "derivative.py").read_text()
    saved = load(tmp_path / "derivative.py").applied_grad
    assert_allclose(saved(np.ones(5), square, math), expected)
    assert math.__file__ is None or math.__file__ not in text
    for args in [(np.ones(5), cube, math), (np.ones(5), square, np)]:
        with pytest.raises(TypeError, match="made for"):
            saved(*args)


def test_saved_closure_keeps_its_cells(tmp_path):
    path = tmp_path / "derivative.py"
    scale = np.array([2.0, 3.0], np.float32)

    def f(x):
        return np.sum(scale * x)

    derivative = grad(f)
    expected = derivative(1.0)
    derivative.save(path)
    assert load(path).f_grad(1.0) == expected


def test_what_cannot_be_written_down_is_refused(tmp_path):
    path = tmp_path / "derivative.py"
    with pytest.raises(AutodiffError, match="it reads special, a object"):
        grad(uses_object).save(path)
    assert not path.exists()


@pytest.mark.parametrize("content", ["", "x = 1\n", "\n# Derivative of f, written by autodiff.\n"])
def test_files_of_others_are_not_replaced(content, tmp_path):
    path = tmp_path / "model.py"
    path.write_text(content)
    with pytest.raises(AutodiffError, match=r"as .*model\.py(.|\n)*overwrite=True"):
        grad(annotated).save(path)
    assert path.read_text() == content
    grad(annotated).save(path, overwrite=True)
    assert load(path).annotated_grad(2.0, 3) == 32.0


def test_a_folder_that_is_not_there_is_named(tmp_path):
    with pytest.raises(FileNotFoundError, match="no folder .*nowhere to save made.py in"):
        grad(lambda x: x * x).save(tmp_path / "nowhere" / "made.py")


def test_a_directory_is_not_replaced(tmp_path):
    with pytest.raises(AutodiffError, match="choose another name"):
        grad(annotated).save(tmp_path, overwrite=True)


def test_a_saved_file_is_replaced_as_a_whole(tmp_path, monkeypatch):
    path, link = tmp_path / "derivative.py", tmp_path / "link.py"
    link.symlink_to(path)
    grad(annotated).save(path)
    before = path.read_text()
    value_and_grad(annotated).save(link)
    assert link.is_symlink()
    assert load(path).annotated_value_and_grad(2.0, 3) == (16.0, 32.0)
    plain = tmp_path / "plain"
    plain.touch()
    assert path.stat().st_mode == plain.stat().st_mode

    def interrupted(source, target):
        assert "annotated_grad" in source.read_text()
        assert "annotated_value_and_grad" in target.read_text()  # whole, until it is the new one
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(os, "replace", interrupted)
        with pytest.raises(KeyboardInterrupt):
            grad(annotated).save(path)
    assert "annotated_value_and_grad" in path.read_text()
    assert {file.name for file in tmp_path.iterdir()} == {"derivative.py", "link.py", "plain"}
    grad(annotated).save(path)
    assert path.read_text() == before


@pytest.mark.parametrize("of", [grad, value_and_grad, jacobian, jacfwd, hessian, hvp])
def test_what_is_saved_before_a_call_is_the_source(of, tmp_path):
    path = tmp_path / "derivative.py"
    of(annotated).save(path)
    text = re.sub(r"^    _check\(.*\)\n", "", path.read_text(), flags=re.MULTILINE)
    assert text.rstrip().endswith(of(annotated).source.rstrip())


def divides(x, y):
    z = x
    for _ in range(2):
        z = z * x / (y - y)
    return z


def test_error_at_run_time_names_the_line_of_the_user():
    def notes(error):
        return "\n".join([*getattr(error, "__notes__", ()), *map(str, error.args)])

    derivative = value_and_grad(divides)
    for _ in range(2):  # compiled, then from the memo
        with pytest.raises(ZeroDivisionError) as caught:
            derivative(2.0, 1.0)
        assert "test_source.py" in notes(caught.value)
        assert "z = z * x / (y - y)" in notes(caught.value)
    with pytest.raises(ZeroDivisionError):
        vjp(divides, 2.0, 1.0)


@pytest.mark.followed
def test_before_a_call_it_says_what_to_do():
    derivative = grad(lambda p: p["a"] * p["b"])
    with pytest.raises(AutodiffError, match="is not compiled yet") as caught:
        derivative.source  # noqa: B018
    assert "call it once, or ask source_for(x) with arguments" in str(caught.value)
    assert 'p["b"]' in derivative.source_for({"a": 2.0, "b": 3.0})
    assert derivative({"a": 2.0, "b": 3.0}) == {"a": 3.0, "b": 2.0}
    assert derivative.source.startswith("def function_grad(p):")


def test_a_refusal_that_annotations_are_sure_of_stays():
    async def told(x: float) -> float:
        return x

    with pytest.raises(AutodiffError) as caught:
        grad(told, trace=False).source  # noqa: B018
    assert "not compiled yet" not in str(caught.value)


def test_the_function_for_some_arguments():
    derivative = grad(annotated)
    function = derivative.function_for(2.0, 3)
    assert function(2.0, 3) == derivative(2.0, 3) == 32.0
    assert function.__name__ == "annotated_grad"


def test_in_a_notebook():
    derivative = grad(lambda x: x < 3.0 and x * x)
    derivative(2.0)
    assert "lambda" in derivative._repr_html_()
