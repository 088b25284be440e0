"""What changes memory outside and is found only when it runs: right or refused, never wrong.

The function reads a number, an array, a dict and an object of its module before and after a
statement that changes one of them, through something that no reader of the text can know.
"""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from autodiff import AutodiffError, value_and_grad

MODULE = """
import builtins, collections, copy, functools, importlib, inspect, io, operator, pickle, sys, types
import weakref
import numpy as np

RATE, W, TABLE = 2.0, np.array([1.0, 3.0]), {{"k": 1.5}}
BOX = types.SimpleNamespace(rate=0.5)


def reset():
    global RATE
    RATE = 2.0
    W[:] = [1.0, 3.0]
    TABLE["k"] = 1.5
    BOX.rate = 0.5


def bump():
    global RATE
    RATE += 1.0
    W[0] += 1.0
    TABLE["k"] += 1.0
    BOX.rate += 1.0
    return 1.0


def of_library(function):
    return function()


of_library.__module__ = "numpy.lowered"  # as if it were a library's


class Loud:
    def __init__(self, k=0):
        self.k = k

    def __hash__(self):
        bump()
        return self.k

    def __eq__(self, other):
        bump()
        return self.k == other.k

    def __str__(self):
        bump()
        return "loud"

    def __len__(self):
        bump()
        return 1

    def __index__(self):
        bump()
        return 1

    def __lt__(self, other):
        bump()
        return False

    def __call__(self):
        return bump()

    def __reduce__(self):
        bump()
        return (int, (3,))

    def __copy__(self):
        bump()
        return self

    def __iter__(self):
        bump()
        return iter(())

    def __getattr__(self, word):
        if word.startswith("_"):
            raise AttributeError(word)
        return bump()

    def __array__(self, dtype=None, copy=None):
        bump()
        return np.zeros(2)

    def __enter__(self):
        bump()

    def __exit__(self, *error):
        bump()


class Gone:
    def __del__(self):
        if bump is not None:  # Python ends
            bump()


LOUD, ACTIONS, HERE = Loud(), [bump], sys.modules[__name__]
ONE, TWO = np.frompyfunc(lambda v: bump(), 1, 1), np.frompyfunc(lambda v, w: bump(), 2, 1)


def f(x):
    y = x * RATE + x * x * W[0] + x * TABLE["k"] - x * x * BOX.rate
    {statement}
    return y * RATE + x * x * W[0] * y + y * TABLE["k"] + x * BOX.rate
"""

STATEMENTS = """
importlib.import_module(__name__).bump()
__import__(__name__).bump()
vars(sys.modules[__name__])["bump"]()
sys.modules[__name__].bump()
sys.modules.get(__name__).bump()
getattr(HERE, "bu" + "mp")()
HERE.__dict__["bump"]()
operator.attrgetter("bump")(HERE)()
operator.methodcaller("bump")(HERE)
operator.itemgetter("bump")(vars(HERE))()
globals()["bump"]()
eval("bump()")
builtins.eval("bump()")
builtins.exec("bump()")
exec("bump()")
exec(compile("bump()", "here", "exec"))
exec("RATE = 5.0", globals())
setattr(HERE, "RATE", 5.0)
HERE.RATE = 5.0
vars(HERE).update(RATE=5.0)
vars(HERE)["W"] = np.array([7.0, 7.0])
globals().update(RATE=5.0)
functools.partial(bump)()
functools.reduce(lambda a, b: bump(), [1, 2])
[*map(lambda a: bump(), [1])]
next(filter(lambda a: bump(), [1]))
sorted([1, 2], key=lambda a: bump())
sorted([Loud(), Loud()])
types.FunctionType(bump.__code__, globals())()
inspect.getmodule(bump).bump()
pickle.loads(pickle.dumps(bump))()
weakref.ref(bump)()()
ACTIONS[0]()
copy.copy(ACTIONS)[0]()
collections.deque(ACTIONS).popleft()()
{Loud(): 1, Loud(): 2}
{Loud(), Loud()}
Loud() in [Loud(1)]
[Loud(1)].index(Loud(1))
[Loud(1)].count(Loud())
str(Loud())
f"{LOUD}"
"{}".format(LOUD)
"%s" % LOUD
print(LOUD, file=io.StringIO())
len(LOUD)
bool(LOUD)
[1, 2][LOUD]
max(LOUD, Loud())
LOUD()
Gone()
_ = Gone()
pickle.dumps(LOUD)
copy.copy(LOUD)
copy.deepcopy([LOUD])
list(LOUD)
LOUD.anything
np.asarray(LOUD)
np.sum(LOUD)
np.array([1.0, 2.0])[np.asarray(LOUD) > 0.0]
np.apply_along_axis(lambda v: bump(), 0, np.ones(2))
np.vectorize(lambda v: bump())(np.ones(2))
np.frompyfunc(lambda v: bump(), 1, 1)(np.ones(2))
ONE(np.ones(2))
TWO.outer(np.ones(1), np.ones(2))
TWO.reduce(np.ones(3))
TWO.accumulate(np.ones(3))
TWO.at(np.ones(2), 0, 1.0)
np.fromiter((bump() for _ in range(2)), float)
np.fromfunction(lambda i: bump() * i, (2,))
np.piecewise(np.ones(2), [np.ones(2) > 0.0], [lambda v: bump() * v])
np.copyto(W, [5.0, 5.0])
W.__setitem__(0, 5.0)
W.data[0] = 5.0
memoryview(W)[0] = 5.0
np.frombuffer(W)[0] = 5.0
np.ndarray((2,), buffer=W)[0] = 5.0
W.ctypes.data and W.__array_interface__ and W.fill(5.0)
np.lib.stride_tricks.as_strided(W)[0] = 5.0
W.setfield(5.0, float)
W.itemset(0, 5.0) if hasattr(W, "itemset") else W.put(0, 5.0)
W.flat[0] = 5.0
W.T.real[...] = 5.0
np.nditer(W, op_flags=["readwrite"]).operands[0][...] = 5.0
operator.setitem(TABLE, "k", 5.0)
TABLE.__ior__({"k": 5.0})
TABLE |= {"k": 5.0} if False else bump() and {}
BOX.__dict__["rate"] = 5.0
object.__setattr__(BOX, "rate", 5.0)
BOX.__init__(rate=5.0)
LOUD.__class__.__call__(LOUD)
with LOUD: pass
for _ in LOUD: pass
assert not bump() == 0.0, bump()
try: raise ValueError(bump())\\n    except ValueError: pass
match LOUD:\\n        case Loud(k=0): bump()
lambda: bump()
(lambda: bump())()
of_library(vars(HERE)["bump"])
of_library(bump)
of_library(LOUD.__len__)
"""


def at(path: Path, statement: str) -> Any:
    """A module with a statement in its function."""
    name = f"found_{path.stem}"
    path.write_text(MODULE.format(statement=statement.replace("\\n", "\n")))
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("statement", STATEMENTS.strip().splitlines())
def test_right_or_refused(statement: str, tmp_path: Path) -> None:
    module = at(tmp_path / f"m{abs(hash(statement))}.py", statement)

    def plain(x: float) -> Any:
        module.reset()
        return module.f(x)

    try:
        expected = [plain(0.7), (plain(0.7 + 1e-6) - plain(0.7 - 1e-6)) / 2e-6]
    except Exception as error:
        module.reset()
        with pytest.raises((type(error), AutodiffError)):
            value_and_grad(module.f)(0.7)
        return
    derivative = value_and_grad(module.f)
    for _ in range(2):  # the second time it is compiled
        module.reset()
        try:
            found = derivative(0.7)
        except AutodiffError:
            return
        np.testing.assert_allclose(found, expected, rtol=1e-6)
