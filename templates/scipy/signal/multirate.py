"""`signal.upfirdn`: zeros are put between samples, a filter goes over them, samples are left out.

y[n] = sum over k of h[n down - k up] x[k]: from the result's side it is the same with the filter
reversed and the rates exchanged. `resample_poly` and `decimate` are made of it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import signal

from autodiff.rules import d, multilinear, registry
from autodiff.runtime import conj


def upfirdn_back(g: Any, h: Any, like: Any, up: int, down: int, axis: int) -> Any:
    """The adjoint of the signal `like` when `g` is that of `signal.upfirdn`."""
    size = np.shape(like)[axis]
    early = -(len(h) - 1) % up
    turned = np.concatenate([np.zeros_like(h[:1]).repeat(early), conj(h[::-1])])
    rows = np.moveaxis(g, axis, -1)
    start = (len(turned) - 1) // up
    lacking = max(0, ((size - 1) * up + len(h) - 1) // down + 1 - np.shape(rows)[-1])
    rows = np.concatenate([rows, np.zeros((*np.shape(rows)[:-1], lacking + 1), rows.dtype)], -1)
    found = signal.upfirdn(turned, rows, down, up)[..., start : start + size]
    short = np.zeros((*np.shape(found)[:-1], size - np.shape(found)[-1]), found.dtype)
    return np.moveaxis(np.concatenate([found, short], -1), -1, axis)


def upfirdn_filter(g: Any, x: Any, h: Any, up: int, down: int, axis: int) -> Any:
    """The adjoint of the filter, of which only the length counts."""
    rows, values = np.moveaxis(g, axis, -1), conj(np.moveaxis(x, axis, -1))
    count, size = np.shape(rows)[-1], np.shape(values)[-1]
    at = np.arange(count) * down
    found = []
    for j in range(len(h)):
        place = at - j
        met = (place >= 0) & (place % up == 0) & (place < size * up)
        found.append(np.sum(rows[..., met] * values[..., place[met] // up]))
    return np.array(found)


registry.add_making([upfirdn_back, upfirdn_filter])


@multilinear(signal.upfirdn)
def upfirdn_rule(y, h, x, up=1, down=1, axis=-1):
    d[h] = upfirdn_filter(d[y], x, h, up, down, axis)
    d[x] = upfirdn_back(d[y], h, x, up, down, axis)


@multilinear(upfirdn_back)
def upfirdn_back_again(y, g, h, like, up, down, axis):
    d[g] = signal.upfirdn(h, d[y], up, down, axis)
    d[h] = upfirdn_filter(g, d[y], h, up, down, axis)
    d[like] = 0.0


@multilinear(upfirdn_filter)
def upfirdn_filter_again(y, g, x, h, up, down, axis):
    d[g] = signal.upfirdn(d[y], x, up, down, axis)
    d[x] = upfirdn_back(g, d[y], x, up, down, axis)
    d[h] = 0.0


def along_lines(rows, width, mode):
    """Goes on along the line through both ends, or, "smooth", through the last two values there."""
    first, last = rows[..., :1], rows[..., -1:]
    if mode == "smooth":
        rise, run = rows[..., 1:2] - first, last - rows[..., -2:-1]
    else:
        rise = run = (last - first) / (np.shape(rows)[-1] - 1)
    steps = np.arange(1, width + 1)
    return np.concatenate([first - rise * steps[::-1], rows, last + run * steps], -1)


def upfirdn(h, x, up=1, down=1, axis=-1, *, mode, cval=0):
    """With a mode: as far as the filter reaches, the signal goes on before and after its ends."""
    if mode == "constant" and cval == 0:
        return signal.upfirdn(h, x, up, down, axis)
    rows = np.moveaxis(np.asarray(x), axis, -1)
    width = down * -(-len(h) // (up * down))
    around = [(0, 0)] * (np.ndim(rows) - 1) + [(width, width)]
    if mode in ("line", "smooth"):
        longer = along_lines(rows, width, mode)
    elif mode == "antireflect":
        longer = np.pad(rows, around, "reflect", reflect_type="odd")
    elif mode == "constant":
        longer = np.pad(rows, around, constant_values=cval)
    elif mode in ("wrap", "edge", "symmetric", "reflect"):
        longer = np.pad(rows, around, mode)
    else:
        raise NotImplementedError(f"upfirdn with mode={mode!r} has no derivative")
    count = ((np.shape(rows)[-1] - 1) * up + len(h) - 1) // down + 1
    start = width * up // down
    return np.moveaxis(signal.upfirdn(h, longer, up, down)[..., start : start + count], -1, axis)


registry.add_written({signal.upfirdn: upfirdn})
