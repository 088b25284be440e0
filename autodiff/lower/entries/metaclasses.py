"""Classes of classes: those that say how a class is made have said it when there is one.

class Documented(ABCMeta):          objects of a class that it made are made as `type` makes them
    def __new__(meta, name, bases, held): ...
"""

from __future__ import annotations

import inspect
from abc import ABCMeta
from typing import Any


class _Making(type):
    """Has what is asked only where a class is made, and what Python writes into each class."""

    __new__, __init__, __prepare__ = type.__new__, type.__init__, type.__prepare__
    made: bool


def is_usual(found: Any) -> bool:
    """Whether something is a class that makes its objects, and looks up attributes, as `type`."""
    if not isinstance(found, type):
        return False
    bases = (base for base in inspect.getmro(type(found)) if base not in (type, ABCMeta, object))
    return all(vars(base).keys() <= vars(_Making).keys() for base in bases)
