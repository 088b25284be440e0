"""Functions that keep something in globals of their module, for `test_kept.py`."""

import numpy as np

BUFFER = np.ones(3)
SEEN = []
TABLE = {}
LOG = []


class Last:
    value = 1.0


def set_buffer(k):
    BUFFER[:] = k


def buffer_between(x):
    set_buffer(1.0)
    s = np.sum(BUFFER * x) ** 2
    set_buffer(3.0)
    return s * np.sum(BUFFER * x)


def buffer_stored(x):
    BUFFER[:] = x * x
    return np.sum(BUFFER * x)


def buffer_by_another_name(x):
    own = BUFFER
    own[:] = x * 3
    return np.sum(BUFFER * x)


def buffer_filled(x):
    BUFFER.fill(x[0])
    return np.sum(BUFFER * x)


def appended(x):
    SEEN.append(x)
    return np.sum(SEEN[-1] * x)


def appended_by_another_name(x):
    own = SEEN
    own.append(x)
    return np.sum(SEEN[-1] * x)


def extended(x):
    SEEN.extend([x, x * 2])
    return np.sum(SEEN[-1] * x)


def updated(x):
    TABLE.update(k=x * 2)
    return np.sum(TABLE["k"] * x)


def entered(x):
    TABLE["k"] = x * 2
    return np.sum(TABLE["k"] * x)


def defaulted(x):
    TABLE.clear()
    TABLE.setdefault("k", x * 2)
    return np.sum(TABLE["k"] * x)


def attribute(x):
    setattr(Last, "value", x * 2)  # noqa: B010
    return np.sum(Last.value * x)


def entry():
    return TABLE["k"]


def read_by_a_helper(x):
    TABLE["k"] = x * 2
    return np.sum(entry() * x)


def remember(x):
    TABLE["k"] = x


def stored_by_a_helper(x):
    remember(x * 2)
    return np.sum(TABLE["k"] * x)


def logged(x):
    LOG.append(x * 2)
    return np.sum(x**2)


FLOWING = (
    *(buffer_stored, buffer_by_another_name, buffer_filled, appended, appended_by_another_name),
    *(extended, updated, entered, defaulted, attribute, read_by_a_helper, stored_by_a_helper),
)
