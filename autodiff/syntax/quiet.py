"""Compiling text that the user has been warned about before."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager

from autodiff.locks import WARNINGS


@contextmanager
def quiet() -> Iterator[None]:
    """Do not repeat Python's warnings about the text: the user's file raised them when imported.

    The lock keeps two threads from restoring each other's filters.
    """
    with WARNINGS, warnings.catch_warnings():
        warnings.simplefilter("ignore", SyntaxWarning)
        warnings.simplefilter("ignore", DeprecationWarning)
        yield
