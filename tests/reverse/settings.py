"""A module whose names its own functions give other values (`test_globals.py`)."""

import numpy as np

SCALE = 1.0
W = np.ones(4)


def rescale():
    global SCALE
    SCALE = SCALE + 1.0


def load():
    global FACTOR
    FACTOR = 2.0


def looked_up(x):
    load()
    return FACTOR * x  # noqa: F821 (bound by `load`)


def refill():
    W[:] = 3.0


def add_to_it():
    global W
    W += 1.0
