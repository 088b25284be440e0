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
np.meshgrid(M, copy=False)[0] ; (a := M) ; np.diagonal(M[None, None] + np.zeros(1)) ; sum([[M]], [])[0]
np.nditer(M, op_flags=[["readwrite"]]).operands[0] ; np.split(M, 1)[0] ; np.lib.stride_tricks.broadcast_to(M, 3)
"""

WRITES = """
v += 1.0 ; v[0] = 5.0 ; v[:] = 2.0 ; v **= 2 ; del v[0] ; np.random.shuffle(v) ; v.__isub__(1.0)
np.ndarray.__setitem__(v, 0, 5.0) ; v.__setitem__(0, 5.0) ; list(map(v.fill, [4.0]))
v.clip(0, 1.5, v) ; np.cumsum(v, 0, None, v) ; functools.reduce(operator.iadd, [1.0], v)
operator.iadd(v, 1.0) ; operator.setitem(v, 0, 5.0) ; np.ndarray.fill(v, 2.0) ; v.__imul__(2.0)
np.clip(v, 0, 1.5, v) ; v.round(0, v) if v.fill(1.4) else 0 ; v.cumprod(0, None, v)
np.add.accumulate(v, 0, None, v) ; np.take(v, [0, 0, 0], 0, v) ; v.take([0, 0, 0], 0, v)
np.copyto(v, 2.0) ; np.place(v, v > 0, [3.0]) ; np.fill_diagonal(v[None], 7.0)
np.random.default_rng(0).shuffle(v) ; random.shuffle(v) ; np.random.default_rng(0).random(3, float, v)
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
-Box(v) ; b = Box(None); b.w = v; b.mean() ; sorted([0], key=v.fill) ; max([0, 1], key=v.fill, default=0)
np.apply_along_axis(v.__setitem__, 0, np.array([0]), 9.0) ; np.vectorize(v.fill, otypes=[float])([3.0])
v = [v]; v[0] += 1.0 ; v = {"a": v}; v["a"][0] = 7.0 ; q = []; q.append(v); q[0][0] = 7.0
q = {}; q["a"] = v; q["a"][0] = 7.0 ; q = [0]; q[0] = v; q[0][0] = 7.0 ; (q, _) = (v, 1); q += 1.0
q, *_ = [v, 1]; q += 1.0 ; np.nan_to_num(v, copy=False) if v.put([0], [np.nan]) else 0
next(map(v.fill, [3.0])) ; (*map(v.fill, [3.0]),) ; {v.fill(3.0)} ; f"{v.fill(3.0)}"
v.sort() if v.put([0], [9.0]) else v.sort() ; np.ndarray.sort(np.negative(v, v))
np.lib.stride_tricks.as_strided(v)[0] = 7.0 ; np.multiply.reduce(v, 0, None, v[:1].reshape(()))
"""

ALWAYS = [
    "sys.modules[__name__] if 0 else globals()['W'].fill(3.0)", "H.mean()", "s = H; s.mean()",
    "mean_of(H)", "-H", "(lambda h: h.mean())(H)", "[h.mean() for h in [H]]",
    "operator.methodcaller('mean')(H)", "operator.neg(H)", "Box.mean(H)", "list(map(Box.mean, [H]))",
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
    """"right", "wrong", "refused", or "unchanged" where the program itself does nothing."""
    path.write_text(text)
    linecache.checkcache(str(path))
    x, steps = np.array([0.5, 1.0, 2.0]), 1e-5 * np.eye(3)
    try:
        space = _program(text, str(path))
        space["f"](x)
    except (AttributeError, TypeError):  # a version of NumPy that does not have it
        return "unchanged"
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
