"""`signal.sosfilt` in plain Python: one section after the other."""

from __future__ import annotations

import numpy as np
from scipy import signal

from autodiff.rules import registry


def sosfilt(sos, x, axis=-1, zi=None):
    """`zi`: the state of each section, and of each of the signals along `axis`."""
    y, sections = np.asarray(x), np.asarray(sos)
    if zi is None:
        for k in range(len(sections)):
            y = signal.lfilter(sections[k, :3], sections[k, 3:], y, axis)
        return y
    states = np.asarray(zi)
    left = []
    for k in range(len(sections)):
        y, after = signal.lfilter(sections[k, :3], sections[k, 3:], y, axis, zi=states[k])
        left.append(after)
    return y, np.stack(left)


registry.add_written({signal.sosfilt: sosfilt})
