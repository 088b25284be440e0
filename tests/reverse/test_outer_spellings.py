"""Memory outside of a function that is changed between two reads of it, by many spellings.

Each program is compared with central differences: it is right or refused, never wrong.
"""

import linecache
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from autodiff import AutodiffError, grad

HEAD = """
import collections, contextlib, copy, ctypes, functools, io, itertools, operator, random, struct
import sys, threading, types
import numpy as np
W = np.array([1.0, 2.0, 3.0])
class Box:
    def __init__(self, w):
        self.w = w
    def mean(self):
        self.w += 1.0
    def __neg__(self):
        self.w += 1.0
        return self
H, D, ROWS = Box(W), {"w": W}, [W, W]
def ident(a, *rest, **more):
    return a
def change(a):
    a += 1.0
def mean_of(box):
    box.mean()
"""

VIEWS = """
M ; M[:] ; M[::-1] ; M.T ; M.real ; M.view() ; M.reshape(3) ; np.flipud(M) ; np.fliplr(M[None])[0]
np.rot90(M[None], 2)[0] ; np.real(M) ; np.require(M) ; M.astype(float, copy=False)
np.permute_dims(M, (0,)) ; np.trim_zeros(M) ; max([M], key=len) ; min([M], key=len)
(lambda a: a)(M) ; np.asfortranarray(M) ; np.lib.stride_tricks.as_strided(M)
np.lib.stride_tricks.sliding_window_view(M, 2, writeable=True)[0] ; np.array(M, copy=None)
np.rollaxis(M[None], 1)[:, 0] ; np.unstack(M[None])[0] ; np.dsplit(M[None, None], 1)[0][0, 0]
np.nan_to_num(M, copy=False) ; np.real_if_close(M) ; np.ndarray.view(M) ; M.flat
np.asarray(memoryview(M)) ; np.frombuffer(M) ; np.ndarray((3,), float, M) ; [M][0] ; (M, 1)[0]
{"a": M}["a"] ; dict(a=M)["a"] ; [*[M]][0] ; next(iter([M])) ; sorted([M], key=len)[0]
list((M,))[0] ; [a for a in [M]][0] ; copy.copy([M])[0] ; functools.reduce(lambda a, b: a, [M, 1])
operator.getitem([M], 0) ; operator.itemgetter(0)([M]) ; functools.partial(np.asarray, M)()
types.SimpleNamespace(w=M).w ; M.__getattribute__("T") ; ([M] + [])[0] ; ([M] * 1)[0]
next(itertools.chain([M], [])) ; collections.deque([M])[0] ; np.array([M, None], dtype=object)[0]
M.__array__() ; np.matrix_transpose(M[None])[:, 0] ; np.ctypeslib.as_array(M) ; (M or 1) if 0 else M
vars(np)["asarray"](M) ; getattr(np, "asarray")(M) ; eval("M") ; list(map(ident, [M]))[0]
ident(1, M) if 0 else ident(M) ; ident(a=M) ; list(zip([M], [1]))[0][0] ; Box(M).w ; (-Box(M)).w
list(filter(len, [M]))[0] ; [M].pop() ; {1: M}.get(1) ; {}.get(1, M) ; {}.setdefault(1, M)
dict.fromkeys([1], M)[1] ; [[M]][0][0] ; list({1: M}.values())[0] ; (lambda *a: a)(M)[0]
(lambda **a: a)(a=M)["a"] ; np.broadcast_arrays(M)[0] ; np.asarray([M, None], dtype=object)[0]
np.meshgrid(M, copy=False)[0] ; (a := M) ; sum([[M]], [])[0]
np.nditer(M, op_flags=[["readwrite"]]).operands[0] ; np.split(M, 1)[0]
"""

WRITES = """
v += 1.0 ; v[0] = 5.0 ; v[:] = 2.0 ; v **= 2 ; np.random.RandomState(1).shuffle(v) ; v.__isub__(1.0)
np.ndarray.__setitem__(v, 0, 5.0) ; v.__setitem__(0, 5.0) ; list(map(v.fill, [4.0]))
v.clip(0, 1.5, v) ; np.cumsum(v, 0, None, v) ; functools.reduce(operator.iadd, [1.0], v)
operator.iadd(v, 1.0) ; operator.setitem(v, 0, 5.0) ; np.ndarray.fill(v, 2.0) ; v.__imul__(2.0)
np.clip(v, 0, 1.5, v) ; v.round(0, v) if v.fill(1.4) else 0 ; v.cumprod(0, None, v)
np.add.accumulate(v, 0, None, v) ; np.take(v, [0, 0, 0], 0, v) ; v.take([0, 0, 0], 0, v)
np.copyto(v, 2.0) ; np.place(v, v > 0, [3.0]) ; np.fill_diagonal(v[None], 7.0)
np.random.default_rng(0).shuffle(v) ; random.Random(1).shuffle(v)
np.random.default_rng(0).random(3, float, v)
np.random.default_rng(0).random(out=v) ; np.exp(v, v) ; np.exp(v, out=v) ; np.add(v, 1, out=(v,))
np.add.at(v, [0], 1.0) ; v.put([0], [3.0]) ; v.partition(1) if v.put([0], [9.0]) else 0
v.byteswap(True) ; setattr(v, "flat", 2.0) ; v.flat = 2.0 ; v.real = 3.0 ; v.T[0] = 3.0
memoryview(v)[0] = 2.0 ; np.frombuffer(v)[0] = 2.0 ; v.data[0] = 2.0 ; exec("v += 1.0")
eval("v.fill(3.0)") ; (lambda: v.fill(3.0))() ; [v.fill(3.0)] ; v.fill(3.0) if True else None
any(v.fill(k) for k in [3.0]) ; np.frompyfunc(v.fill, 1, 1)(3.0)
operator.methodcaller("fill", 3.0)(v) ; getattr(v, "fill")(3.0) ; v.__getattribute__("fill")(3.0)
type(v).fill(v, 3.0) ; np.ndarray.__iadd__(v, 1.0) ; functools.partial(v.fill, 3.0)()
np.median(v, overwrite_input=True) if v.put([0], [9.0]) else 0 ; struct.pack_into("d", v, 0, 3.0)
io.BytesIO(bytes(8)).readinto(v[:1]) ; ctypes.memmove(v.ctypes.data, v.ctypes.data + 8, 8)
t = threading.Thread(target=v.fill, args=(3.0,)); t.start(); t.join()
with contextlib.ExitStack() as s: s.callback(v.fill, 3.0)
for e in np.nditer(v, op_flags=[["readwrite"]]): e[...] = 2.0 * e
for k in range(3): v[k] = 0.5
change(v) ; change(a=v) ; [change(e) for e in [v]] ; list(map(change, [v])) ; change(*[v])
change(**{"a": v}) ; p = change; p(v) ; p = v.fill; p(3.0) ; b = Box(v); b.mean() ; mean_of(Box(v))
-Box(v) ; b = Box(None); b.w = v; b.mean() ; sorted([0], key=v.fill)
np.apply_along_axis(v.__setitem__, 0, np.array([0]), 9.0)
np.vectorize(v.fill, otypes=[float])([3.0])
v = [v]; v[0] += 1.0 ; v = {"a": v}; v["a"][0] = 7.0 ; q = []; q.append(v); q[0][0] = 7.0
q = {}; q["a"] = v; q["a"][0] = 7.0 ; q = [0]; q[0] = v; q[0][0] = 7.0 ; (q, _) = (v, 1); q += 1.0
q, *_ = [v, 1]; q += 1.0
v.put([0], [np.nan]) or np.nan_to_num(v, copy=False, nan=4.0)
next(map(v.fill, [3.0])) ; (*map(v.fill, [3.0]),) ; {v.fill(3.0)} ; f"{v.fill(3.0)}"
v.sort() if v.put([0], [9.0]) else v.sort() ; np.ndarray.sort(np.negative(v, v))
np.lib.stride_tricks.as_strided(v)[0] = 7.0 ; np.multiply.reduce(v, 0, None, v[:1].reshape(()))
"""

ALWAYS = [
    "sys.modules[__name__] if 0 else globals()['W'].fill(3.0)", "H.mean()", "s = H; s.mean()",
    "mean_of(H)", "-H", "(lambda h: h.mean())(H)", "[h.mean() for h in [H]]",
    "operator.methodcaller('mean')(H)", "operator.neg(H)", "Box.mean(H)",
    "list(map(Box.mean, [H]))",
    "for r in ROWS: r[0] = 7.0", "for _, r in enumerate(ROWS): r += 1.0",
    "ROWS.append(ROWS.pop() + 1.0); ROWS[0].fill(2.0)", "vars(H)['w'].fill(3.0)",
    "list(vars(H).values())[0].fill(3.0)", "ROWS[0].__setitem__(0, 7.0)",
    "[r.__iadd__(1.0) for r in ROWS]", "any(r.fill(3.0) for r in ROWS)",
]  # fmt: skip


def _spellings(table: str) -> list[str]:
    return [part.strip() for line in table.strip().splitlines() for part in line.split(" ; ")]


def _in_a_helper(read: str, body: list[str]) -> str:
    lines = "".join(f"    {line}\n" for line in body)
    sums = f"    a = np.sum({read} * x * x)\n    bump()\n    return a + np.sum({read} * x)\n"
    return f"{HEAD}\ndef bump():\n{lines}\ndef f(x):\n{sums}"


def _inside(read: str, body: list[str]) -> str:
    lines = "".join(f"    {line}\n" for line in body)
    sums = f"    a = np.sum({read} * x * x)\n{lines}    return a + np.sum({read} * x)\n"
    return f"{HEAD}\ndef f(x):\n{sums}"


def _of_a_cell(read: str, body: list[str]) -> str:
    head, text = HEAD, _in_a_helper(read, body)[len(HEAD) :]
    inner = "".join(f"    {line}\n" for line in text.splitlines())
    return f"{head}\ndef outer(C):\n{inner}    return f\nf = outer(W)\n"


def _program(text: str, path: str) -> dict[str, Any]:
    space: dict[str, Any] = {"__name__": __name__}
    exec(compile(text, path, "exec"), space)
    return space


def _outcome(text: str, path: Path) -> str:
    """Whether a gradient is right, wrong or refused; or its program fails, or changes nothing."""
    path.write_text(text)
    linecache.checkcache(str(path))
    x, steps = np.array([0.5, 1.0, 2.0]), 1e-5 * np.eye(3)
    try:
        space = _program(text, str(path))
        space["f"](x)
    except (AttributeError, TypeError, ValueError):
        return "missing"
    if np.array_equal(space["W"], [1.0, 2.0, 3.0]):
        return "unchanged"
    exact = [
        (_program(text, str(path))["f"](x + d) - _program(text, str(path))["f"](x - d)) / 2e-5
        for d in steps
    ]
    try:
        found = grad(_program(text, str(path))["f"])(x)
    except AutodiffError:
        return "refused"
    return "right" if np.allclose(found, exact, rtol=1e-5, equal_nan=True) else "wrong"


def _body(view: str, write: str, place: str) -> list[str]:
    """`v = VIEW` of the memory at a place, and a statement that changes it."""
    return [f"v = {re.sub(chr(92) + 'bM' + chr(92) + 'b', place, view)}", write]


def _programs() -> dict[str, str]:
    """Every view and every write in a helper and inside, some in other places, too."""
    found = {}
    views = [(view, "v[0] += 1.5" if "flat" in view else "v += 1.0") for view in _spellings(VIEWS)]
    bodies = [*views, *(("M", write) for write in _spellings(WRITES))]
    for k, (view, write) in enumerate(bodies):
        found[f"helper: v = {view}; {write}"] = _in_a_helper("W", _body(view, write, "W"))
        found[f"inside: v = {view}; {write}"] = _inside("W", _body(view, write, "W"))
        if "eval" in view + write or "exec" in write:
            continue  # of names that a text can see
        place = ["H.w", "D['w']", "C"][k % 3]
        make = _of_a_cell if place == "C" else _in_a_helper
        found[f"{place}: v = {view}; {write}"] = make(place, _body(view, write, place))
    for write in ALWAYS:
        found[f"helper: {write}"] = _in_a_helper("W", [write])
    return found


PROGRAMS = _programs()


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", PROGRAMS)
def test_what_is_changed_between_two_reads(name: str, tmp_path: Path) -> None:
    outcome = _outcome(PROGRAMS[name], tmp_path / "program.py")
    if outcome == "missing":
        pytest.skip("this version of NumPy does not have it")
    assert outcome in ("right", "refused")


HARMLESS = """
LOG.append(1.0) ; LOG.append(W.sum()) ; LOG.append(W * 2.0) ; LOG.append([W.copy(), len(W)])
v = W + 1.0; v += 1.0 ; v = W.copy(); v[0] = 7.0 ; v = np.array(W); v.fill(3.0) ; print(end="")
v = [float(w) for w in W]; v[0] = 3.0 ; v = np.zeros(3); v[:] = W; v += 1.0 ; np.linalg.norm(W)
v = sorted(W.tolist()); v.append(1.0) ; v = {"a": W.shape}; v["a"] = 1 ; str(W) ; f"{W[0]:.2f}"
v = np.exp(W); np.multiply(v, W, v) ; v = np.where(W > 1, W, 0.0); v *= 2.0 ; assert W.shape == (3,)
total = 0.0; total += W[0]; total += W[-1] ; v = W.dot(W); v += 1 ; isinstance(W, np.ndarray)
for w in W: LOG.append(w * 2.0) ; v = copy.deepcopy(W); v.sort()
v = sum(w * w for w in W) ; LOG.extend(list(map(float, W))) ; v = np.linspace(0, W[1]); v *= 2.0
v = (lambda a: a * 2.0)(W); v += 1.0 ; v = change(W.copy()) ; v = functools.partial(np.sum, W)()
np.random.RandomState(0).normal(size=W.shape) ; v = []; v.append(W); v.clear() ; H.count = len(W)
"""


@pytest.mark.parametrize("text", _spellings(HARMLESS))
def test_what_changes_nothing_that_is_read_again(text: str, tmp_path: Path) -> None:
    path = tmp_path / "program.py"
    path.write_text(_in_a_helper("W", [text]).replace("\ndef bump", "\nLOG = []\ndef bump"))
    function = _program(path.read_text(), str(path))["f"]
    x = np.array([0.5, 1.0, 2.0])
    np.testing.assert_allclose(grad(function)(x), np.array([1.0, 2.0, 3.0]) * (2.0 * x + 1.0))


ALIASED = """
W = np.array([1.0, 2.0, 3.0])
class Model:
    def __init__(self, w):
        self.w = w
    def loss(self, x):
        x *= 2.0
        return np.sum(x * self.w)
MODEL = Model(W)
def of_a_global(x):
    x *= 2.0
    return np.sum(x * W)
def of_an_attribute(x):
    x[0] = 2.0 * x[1]
    return np.sum(x * MODEL.w)
def around(w):
    def of_a_cell(x):
        x *= 2.0
        return np.sum(x * w)
    return of_a_cell
"""


@pytest.mark.parametrize("name", ["of_a_global", "of_an_attribute", "around(W)", "MODEL.loss"])
def test_an_argument_that_is_memory_from_outside(name: str, tmp_path: Path) -> None:
    path = tmp_path / "program.py"
    path.write_text(f"import numpy as np\n{ALIASED}")
    space = _program(path.read_text(), str(path))
    derivative = grad(eval(name, space))
    with pytest.raises(ValueError, match="is updated in place and shares memory with"):
        derivative(space["W"])
    assert derivative(np.array([1.0, 2.0, 3.0])).shape == (3,)
