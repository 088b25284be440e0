"""A module whose names its own functions give other values (`test_globals.py`)."""

SCALE = 1.0


def rescale():
    global SCALE
    SCALE = SCALE + 1.0


def load():
    global FACTOR
    FACTOR = 2.0


def looked_up(x):
    load()
    return FACTOR * x  # noqa: F821 (bound by `load`)
