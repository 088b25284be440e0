"""Derivatives can be pickled where their primals can."""

import copy
import functools
import os
import pickle
import subprocess
import sys

import numpy as np
import pytest

from autodiff import elementwise_grad, grad, value_and_grad, vjp
from autodiff.transforms.pullback import Pullback


def square(x):
    return x * x


@grad
def decorated(x):
    return x * x * x


sibling = value_and_grad(decorated.primal)


class Model:
    def __init__(self, a):
        self.a = a

    @grad
    def gradient(self, x):
        return self.a * x * x

    def value(self, x):
        return self.a * x


def test_derivative_of_an_importable_function():
    found = pickle.loads(pickle.dumps(grad(square, ("x",))))
    assert found(3.0) == (6.0,)
    assert repr(found).startswith("<grad of square ")
    assert type(pickle.loads(pickle.dumps(elementwise_grad(square)))) is type(
        elementwise_grad(square)
    )


def test_decorated_function_is_found_by_name():
    assert pickle.loads(pickle.dumps(decorated)) is decorated
    assert copy.deepcopy(decorated) is decorated
    assert pickle.loads(pickle.dumps(sibling))(2.0) == (8.0, 12.0)


def test_methods():
    model = Model(2.0)
    assert pickle.loads(pickle.dumps(Model.gradient)) is Model.gradient
    assert pickle.loads(pickle.dumps(model.gradient))(3.0) == 12.0
    assert pickle.loads(pickle.dumps(grad(model.value)))(3.0) == 2.0


def test_partials():
    assert pickle.loads(pickle.dumps(grad(functools.partial(square, x=2.0), "x")))() == 4.0


def marched(u, rate):
    for _ in range(4):
        u = u + rate * np.sin(u) * u
    return u


def with_text(x):
    return x**3, "said"


def summed(*xs):
    return sum(xs) * xs[0]


U = np.linspace(0.1, 1.0, 5)


@pytest.mark.parametrize("options", [{}, {"sizes": False}], ids=["", "options"])
def test_pullbacks_with_their_tape(options):
    value, pullback = vjp(marched, U, 0.3, **options)
    found = pickle.loads(pickle.dumps(pullback))
    value[...] = 0.0  # which the user may do
    assert type(found) is Pullback
    for seed in (np.ones(5), np.arange(5.0)):
        for ours, theirs in zip(found(seed), pullback(seed), strict=True):
            np.testing.assert_array_equal(ours, theirs)
    np.testing.assert_array_equal(found.batch(np.eye(5))[0], pullback.batch(np.eye(5))[0])
    again = pickle.loads(pickle.dumps(found))
    np.testing.assert_array_equal(again(np.ones(5))[0], pullback(np.ones(5))[0])


def test_pullbacks_of_all_forms():
    _, pullback, aux = vjp(with_text, 2.0, has_aux=True)
    assert aux == "said"
    assert pickle.loads(pickle.dumps(pullback))(1.0) == (12.0,)
    _, pullback = vjp(summed, 2.0, 3.0)
    assert pickle.loads(pickle.dumps(pullback))(1.0) == pullback(1.0) == (7.0, 2.0)
    _, pullback = vjp(Model(2.0).value, 3.0)
    assert pickle.loads(pickle.dumps(pullback))(1.0) == (2.0,)
    _, pullback = vjp(decorated, 2.0)
    assert pickle.loads(pickle.dumps(pullback))(1.0) == (12.0,)


def test_a_pullback_is_copied_with_its_primals():
    u = U.copy()
    _, pullback = vjp(marched, u, 0.3)
    expected = pullback(np.ones(5))
    found = copy.deepcopy(pullback)
    u[...] = 0.0
    np.testing.assert_array_equal(found(np.ones(5))[0], expected[0])


def test_pullbacks_that_cannot_be_pickled():
    with pytest.raises((pickle.PicklingError, AttributeError), match="lambda"):
        pickle.dumps(vjp(lambda x: x, 1.0)[1])
    with pytest.raises(pickle.PicklingError, match="not one that vjp returned"):
        pickle.dumps(Pullback(lambda seed: (seed,), 1.0))


def test_local_functions_cannot_be_pickled():
    with pytest.raises((pickle.PicklingError, AttributeError)):
        pickle.dumps(grad(lambda x: x))


@pytest.mark.parametrize("make", [lambda: decorated, lambda: vjp(square, 6.0)[1]])
def test_in_another_process(make, root):
    text = pickle.dumps(make()).hex()
    code = f"import pickle; print(pickle.loads(bytes.fromhex('{text}'))(2.0))"
    found = subprocess.run(
        [sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True
    )
    assert found.stdout.strip() == str(make()(2.0))


SCRIPT = '''
import dataclasses, io, linecache, marshal, pickle, sys, types
import numpy as np
from autodiff import grad


def scaled(x):
    return 3.0 * x * x


@grad
def decorated(x):
    return scaled(x)


@dataclasses.dataclass
class Model:
    k: float

    def __eq__(self, other):
        return self.k < other.k

    @grad
    def force(self, x):
        return self.k * (scaled(x) if Model(1.0) == Model(2.0) else x)


def made(code, name, values, defaults):
    return types.FunctionType(marshal.loads(code), {**OTHER, **values}, name, defaults)


class Whole(pickle.Pickler):
    """Pickles functions of a script as a whole, as those do who send them to other processes."""

    def reducer_override(self, own):
        if not isinstance(own, types.FunctionType) or own.__module__ != "__main__":
            return NotImplemented
        if own is made:
            return NotImplemented
        code = own.__code__.replace(co_filename="<elsewhere>")
        values = {name: globals()[name] for name in code.co_names if name in globals()}
        return made, (marshal.dumps(code), own.__name__, values, own.__defaults__)


def sent(x):
    file = io.BytesIO()
    Whole(file).dump(x)
    for name in ("decorated", "scaled"):
        hidden[name] = globals().pop(name)
    found = pickle.loads(file.getvalue())
    globals().update(hidden)
    return found


CELL = "def cubed(x):\\n    return scaled(x) * x\\n"
entry = (len(CELL), None, CELL.splitlines(True), "<cell>")
linecache.cache["<cell>"] = entry
notebook = {"__name__": "__main__", "scaled": scaled}
exec(compile(CELL, "<cell>", "exec"), notebook)
OTHER, hidden = {"__name__": "__main__", "__file__": __file__, "np": np}, {}
assert pickle.loads(pickle.dumps(decorated)) is decorated
assert pickle.loads(pickle.dumps(Model(2.0).force))(1.0) == 12.0
other = sent(decorated)
assert other is not decorated and other.__name__ == decorated.__name__
print(other(2.0), sent(grad(scaled))(2.0), sent(grad(lambda x: scaled(x) * x))(1.0))
other = sent(grad(notebook["cubed"]))
del linecache.cache["<cell>"]
print(other(1.0))
'''


def test_functions_of_a_script_that_are_sent_as_a_whole(root, tmp_path):
    """As joblib and dask send them: they have no name there, and no file of their own."""
    (tmp_path / "script.py").write_text(SCRIPT)
    command = [sys.executable, tmp_path / "script.py"]
    kept = {**os.environ, "PYTHONPATH": str(root)}
    done = subprocess.run(command, capture_output=True, text=True, env=kept)
    assert done.stdout.split() == ["12.0", "12.0", "9.0", "9.0"], done.stderr


WORKERS = """
import multiprocessing, os, sys
import numpy as np
from autodiff import grad


def squared(x):
    return np.sin(x) ** 2


@grad
def decorated(x):
    return squared(x) * x


def scaled_by(c):
    def inner(x):
        return c * squared(x)

    return inner


def here(functions):
    return [[f(v) for v in (1.0, 2.0)] for f in functions]


if __name__ == "__main__":
    named = [grad(squared), decorated]
    if sys.argv[1] == "spawn":
        with multiprocessing.get_context("spawn").Pool(1) as pool:
            found = [pool.map(f, [1.0, 2.0]) for f in named]
        assert found == here(named)
    else:
        import joblib
        import cloudpickle

        every = [*named, grad(scaled_by(3.0)), grad(lambda x: squared(x) * 2.0)]
        calls = joblib.Parallel(n_jobs=2)(joblib.delayed(f)(v) for f in every for v in (1.0, 2.0))
        expected = sum(here(every), [])
        assert calls == expected
        os.write(1, cloudpickle.dumps((every, expected)))
"""
LOADED = """
import pickle, sys
every, expected = pickle.loads(sys.stdin.buffer.read())
assert [f(v) for f in every for v in (1.0, 2.0)] == expected
"""


@pytest.mark.parametrize("way", ["spawn", "joblib"])
def test_functions_of_a_script_in_workers(root, tmp_path, way):
    """And where the script is not: what is sent holds its text."""
    if way == "joblib":
        pytest.importorskip("joblib")
        pytest.importorskip("cloudpickle")
    script = tmp_path / "script.py"
    script.write_text(WORKERS)
    kept = {**os.environ, "PYTHONPATH": str(root)}
    sent = subprocess.check_output([sys.executable, script, way], env=kept)
    script.unlink()
    if way == "joblib":
        subprocess.run([sys.executable, "-c", LOADED], input=sent, env=kept, check=True)
