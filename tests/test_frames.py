"""Which frames a refusal shows: the user's call, nothing of the compiler; all on demand."""

from __future__ import annotations

import os
import subprocess
import sys
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import autodiff
from autodiff import (
    AutodiffError,
    InternalError,
    Parameter,
    backward,
    check_grads,
    elementwise_grad,
    grad,
    hessian,
    hvp,
    jacfwd,
    jacobian,
    jvp,
    linearize,
    sparse_hessian,
    sparse_jacobian,
    vjp,
)
from autodiff.frames import SHOWN, hidden

OURS = str(Path(autodiff.__file__).parent)
LEFT = int(sys.version_info < (3, 11))
"""So many of ours Python 3.10 shows all the same: the one in which the user's call arrives."""
X = np.ones(2)


def refused(x):
    exec("y = 2.0 * x")
    return x * x


class Model:
    @grad
    def slope(self, x):
        return refused(x)


def through_a_helper(x):
    return refused(x) + 1.0


def raising(x, y):
    if y < 0.0:
        raise AutodiffError("said by the function")
    return x * y


@pytest.fixture(autouse=True)
def as_users_have_it(monkeypatch):
    monkeypatch.delenv(SHOWN, raising=False)


def frames(error: BaseException | None) -> Iterator[str]:
    """The files of what Python prints of an error, and of those that it comes from."""
    while error is not None:
        yield from (frame.filename for frame in traceback.extract_tb(error.__traceback__))
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)


def ours(error: BaseException) -> int:
    return sum(file.startswith(OURS) for file in frames(error))


CALLS: dict[str, Callable[[], Any]] = {
    "grad": lambda: grad(refused)(1.0),
    "keywords": lambda: grad(refused)(x=1.0),
    "helper": lambda: grad(through_a_helper)(1.0),
    "method": lambda: Model().slope(1.0),
    "vjp": lambda: vjp(refused, 1.0),
    "jvp": lambda: jvp(refused, (1.0,), (1.0,)),
    "linearize": lambda: linearize(refused, 1.0),
    "jacobian": lambda: jacobian(refused)(X),
    "holomorphic": lambda: jacobian(refused, holomorphic=True)(X * 1j),
    "jacfwd": lambda: jacfwd(refused)(X),
    "elementwise": lambda: elementwise_grad(refused)(X),
    "hessian": lambda: hessian(refused)(1.0),
    "hvp": lambda: hvp(refused)(1.0, 1.0),
    "again": lambda: grad(grad(refused))(1.0),
    "backward": lambda: backward(refused, Parameter(X))(),
    "sparse_jacobian": lambda: sparse_jacobian(refused)(X),
    "sparse_hessian": lambda: sparse_hessian(refused)(X),
    "check_grads": lambda: check_grads(refused, 1.0),
    "source": lambda: grad(refused).source,
    "source_for": lambda: grad(refused).source_for(1.0),
    "source_of_method": lambda: Model().slope.source_for(1.0),
    "source_of_hvp": lambda: hvp(refused).source,
    "stages": lambda: grad(refused).stages(),
    "save": lambda: grad(refused).save("never_written.py"),
    "integer": lambda: grad(refused)(1),
    "wrt": lambda: grad(refused, wrt="z"),
    "wrt_of_jacobian": lambda: jacfwd(refused, wrt="z"),
    "wrt_of_hessian": lambda: hessian(refused, wrt="z"),
    "wrt_of_hvp": lambda: hvp(refused, wrt="z"),
    "decorator": lambda: grad(wrt="z")(refused),
    "no_tangent": lambda: jvp(refused, (1.0,), (None,)),
}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS.keys())
def test_the_compiler_is_not_shown(call):
    with pytest.raises(AutodiffError) as caught:
        call()
    assert ours(caught.value) <= LEFT
    assert list(frames(caught.value)).count(__file__) == 2  # the test, and the lambda


@pytest.mark.parametrize("name", ["grad", "jacobian", "source"])
def test_all_is_shown_on_demand(name, monkeypatch):
    monkeypatch.setenv(SHOWN, "full")
    with pytest.raises(AutodiffError) as caught:
        CALLS[name]()
    assert ours(caught.value) > 10


def test_causes_bring_no_frames_back(monkeypatch):
    monkeypatch.setenv(SHOWN, "full")
    with pytest.raises(AutodiffError) as cause:
        grad(refused)(1.0)
    with pytest.raises(AutodiffError) as context:
        grad(refused)(1)
    assert ours(cause.value) > 10
    assert ours(context.value) > 1
    monkeypatch.delenv(SHOWN)

    @hidden
    def chained() -> None:
        error = AutodiffError("refused")
        error.__context__ = context.value
        raise error from cause.value

    with pytest.raises(AutodiffError) as caught:
        chained()
    assert caught.value.__cause__ is cause.value
    assert ours(caught.value) <= LEFT
    assert ours(context.value) == 0
    assert list(frames(context.value)) == [__file__]


def in_a_handler():
    try:
        raise KeyError("of the user's")
    except KeyError:
        grad(refused)(1.0)


def test_what_the_user_called_before_stays():
    with pytest.raises(AutodiffError) as caught:
        in_a_handler()
    context = caught.value.__context__
    assert isinstance(context, KeyError)
    assert [frame.filename for frame in traceback.extract_tb(context.__traceback__)] == [__file__]


def test_an_error_inside_generated_code_shows_its_line():
    with pytest.raises(AutodiffError, match="said by the function") as caught:
        grad(raising)(1.0, -1.0)
    files = list(frames(caught.value))
    assert any(file.startswith("<autodiff raising_grad ") for file in files)
    assert ours(caught.value) == 1


def test_mistakes_of_the_compiler_keep_their_frames():
    @hidden
    def broken() -> None:
        raise InternalError("after anf: ...")

    with pytest.raises(InternalError) as caught:
        broken()
    assert ours(caught.value) == 1


def test_what_python_prints(tmp_path, root):
    program = tmp_path / "program.py"
    program.write_text(
        "from autodiff import grad\n\n\ndef f(x):\n    exec('y = x')\n    return x\n\n\n"
        "grad(f)(1.0)\n"
    )
    environment = {key: value for key, value in os.environ.items() if key != SHOWN}
    found = subprocess.run(
        [sys.executable, str(program)],
        cwd=root,
        env={**environment, "PYTHONPATH": str(root)},
        capture_output=True,
        text=True,
    )
    places = [line for line in found.stderr.splitlines() if line.startswith("  File ")]
    assert f'"{program}", line 9, in <module>' in places[0]
    assert f'"{program}", line 5' in places[-1]  # of the message
    assert len(places) == 2 + LEFT


def mistaken(x):
    return x[0] * [][3]


def in_a_key(x):
    return sorted([x, 2.0 * x], key=lambda own: own * 2.0)[0]


def in_a_helper(x):
    numbers = {x[0], 2.0}
    return mistaken(x) * len(numbers)


@pytest.mark.followed
@pytest.mark.parametrize("f", [mistaken, in_a_key, in_a_helper])
def test_a_mistake_of_the_users_in_a_run_that_is_followed(f):
    def followed(x):
        return sorted({x[0], 2.0})[0] * f(x)

    with pytest.raises((IndexError, ValueError)) as caught:
        grad(followed)(X)
    assert ours(caught.value) <= LEFT
    inside = f if f is not in_a_helper else mistaken
    assert traceback.extract_tb(caught.value.__traceback__)[-1].name == inside.__name__


@pytest.mark.followed
def test_all_of_it_on_demand(monkeypatch):
    monkeypatch.setenv(SHOWN, "full")

    def followed(x):
        return sorted({x[0], 2.0})[0] * mistaken(x)

    with pytest.raises(IndexError) as caught:
        grad(followed)(X)
    assert ours(caught.value) > 5
