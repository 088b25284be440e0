"""Iterators that do not know how many items they have: what calls of generators give, filters and
chains. Nothing here runs when a derivative does.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call, attr-defined"

from __future__ import annotations

from autodiff.lower.recipes.iterators import Iterator, opened, source_of


class Generator(Iterator):
    """What a call of a generator gives: its body runs where its items are asked for."""

    counted = False


class Stepwise(Generator):
    """One that is asked for items at several places. advance: runs it to its next `yield`."""

    def __init__(self, advance):
        self.advance, self.begun, self.ended, self.place = advance, False, False, 0

    def over(self, items):
        """What a loop of its body goes over, and where it is; at is None of an iterator."""
        return opened(items)

    def begun_over(self, items):
        """What `yield from` goes over."""
        return source_of(items)

    def has(self, items, at):
        """Whether a loop of its body has one more item."""
        return items.more() if at is None else at < len(items)

    def nth(self, items, at):
        """The next item of a loop of its body."""
        return items.take() if at is None else items[at]

    def after(self, at):
        """Where that leaves it."""
        return None if at is None else at + 1

    def more(self):
        return self.advance(self)

    def each(self):
        while self.advance(self):
            yield self.item


class Foreign(Iterator):
    """Over an iterator of a class of the user's."""

    counted = False

    def __init__(self, source):
        self.source = source

    def more(self):
        try:
            self.item = next(self.source)
        except StopIteration:
            return False
        return True

    def each(self):
        yield from self.source


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
