"""Iterators that do not know how many items they have: what calls of generators give, filters and
chains. Nothing here runs when a derivative does.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call, attr-defined"

from __future__ import annotations

from autodiff.lower.recipes.iterators import Iterator, source_of


class Generator(Iterator):
    """What a call of a generator gives: its body runs where its items are asked for."""

    counted = False


class Filtered(Iterator):
    """`filter(f, xs)`."""

    counted = False

    def __init__(self, function, source):
        self.function, self.source = function, source_of(source)

    def each(self):
        for item in self.source:
            if self.function(item):
                yield item


class Chained(Iterator):
    """`itertools.chain(xs, ys, ...)`."""

    counted = False

    def __init__(self, *sources):
        self.sources = tuple([source_of(source) for source in sources])

    def each(self):
        for source in self.sources:
            yield from source


class Managed:
    """A manager that `contextlib.contextmanager` makes of a generator."""

    def __init__(self, func, args, kwds):
        self.generator = func(*args, **kwds)
