"""Python's iterators, written in Python and lowered like the user's code.

An iterator is an object with a position, so that two loops that share one take turns, also where
one of them is left early. `more` and `take` are the two halves of `next`. Those whose number of
items is known before they run (`counted`) are loops over a range: `start`, then `ahead(k)` for each
k of `range(left())`. Others say what they give by `each`.

Nothing here runs when a derivative does: `drawing` reads it.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call, attr-defined"

from __future__ import annotations

from typing import Any


def source_of(items: Any) -> Any:
    """An iterator of ours over items: `sourced.source`."""


class Iterator:
    """What all iterators have. counted: they are a loop over a range if what they draw from is.
    Who does not know whether there is one more item has it ready when asked.
    """

    counted = True

    def more(self):
        for item in self:
            self.item = item
            return True
        return False

    def take(self):
        return self.item

    def __iter__(self) -> Any:
        return self

    def __next__(self) -> Any:
        if not self.more():
            raise StopIteration
        return self.take()


class Span:
    """A range whose items are asked for by position."""

    def __init__(self, start, stop, step):
        self.first, self.stop, self.step = start, stop, step

    def __len__(self):
        if self.step == 1:
            return self.stop - self.first if self.first else self.stop
        return len(range(self.first, self.stop, self.step))

    def __getitem__(self, k):
        if self.step == 1:
            return self.first + k if self.first else k
        return self.first + k * self.step


class Items(Iterator):
    """Over what can be indexed: `iter(xs)`. base: the position where a loop began."""

    def __init__(self, items):
        self.items, self.at, self.base = items, 0, 0

    def more(self):
        return self.at < len(self.items)

    def take(self):
        self.at = self.at + 1
        return self.items[self.at - 1]

    def left(self):
        return len(self.items) - self.at if self.at else len(self.items)

    def start(self):
        self.base = self.at

    def ahead(self, k):
        place = self.base + k if self.base else k
        self.at = place + 1
        return self.items[place]


class OfDict(Items):
    """Over the keys, values or items of a dict, which nobody gives another key meanwhile."""

    def __init__(self, items, table):
        self.items, self.at, self.base = items, 0, 0
        self.table, self.size = table, len(table)

    def more(self):
        if len(self.table) != self.size:
            raise RuntimeError("dictionary changed size during iteration")
        return self.at < len(self.items)


class Backwards(Items):
    """`reversed(xs)`."""

    def take(self):
        self.at = self.at + 1
        return self.items[len(self.items) - self.at]

    def ahead(self, k):
        place = self.base + k if self.base else k
        self.at = place + 1
        return self.items[len(self.items) - 1 - place]


class Counting(Iterator):
    """`itertools.count(start, step)`: without end."""

    def __init__(self, start=0, step=1):
        self.following, self.step, self.base = start, step, start

    def more(self):
        return True

    def take(self):
        now = self.following
        self.following = now + self.step
        return now

    def left(self):
        return None

    def start(self):
        self.base = self.following

    def ahead(self, k):
        now = self.base + k * self.step
        self.following = now + self.step
        return now

    def each(self):
        while True:
            yield self.take()


class Repeating(Iterator):
    """`itertools.repeat(x)`: without end."""

    def __init__(self, item):
        self.item = item

    def more(self):
        return True

    def take(self):
        return self.item

    def left(self):
        return None

    def start(self):
        pass

    def ahead(self, k):
        return self.item

    def each(self):
        while True:
            yield self.item


class Mapped(Iterator):
    """`map(f, xs)`: the function is called when its item is asked for."""

    def __init__(self, function, source):
        self.function, self.source = function, source_of(source)

    def more(self):
        return self.source.more()

    def take(self):
        return self.function(self.source.take())

    def left(self):
        return self.source.left()

    def start(self):
        self.source.start()

    def ahead(self, k):
        return self.function(self.source.ahead(k))

    def each(self):
        for item in self.source:
            yield self.function(item)


class Spread(Mapped):
    """`itertools.starmap(f, rows)`, and `map` of several sources."""

    def take(self):
        return self.function(*self.source.take())

    def ahead(self, k):
        return self.function(*self.source.ahead(k))

    def each(self):
        for items in self.source:
            yield self.function(*items)


class Enumerated(Iterator):
    """`enumerate(xs, start)`."""

    def __init__(self, source, start=0):
        self.source, self.count, self.base = source_of(source), start, start

    def more(self):
        return self.source.more()

    def take(self):
        self.count = self.count + 1
        return self.count - 1, self.source.take()

    def left(self):
        return self.source.left()

    def start(self):
        self.base = self.count
        self.source.start()

    def ahead(self, k):
        count = self.base + k if self.base else k
        self.count = count + 1
        return count, self.source.ahead(k)

    def each(self):
        for item in self.source:
            self.count = self.count + 1
            yield self.count - 1, item


class Zipped(Iterator):
    """`zip(xs, ys, ...)`: each in turn; those before the first empty one lose an item."""

    def __init__(self, *sources):
        self.sources, self.taken = tuple([source_of(source) for source in sources]), ()

    def more(self):
        taken = []
        for source in self.sources:
            if not source.more():
                return False
            taken.append(source.take())
        self.taken = tuple(taken)
        return len(taken) > 0

    def take(self):
        return self.taken

    def start(self):
        for source in self.sources:
            source.start()

    def left(self):
        lefts = []
        for source in self.sources:
            left = source.left()
            if left is not None:
                lefts.append(left)
        return lefts[0] if len(lefts) == 1 else min(*lefts)

    def ahead(self, k):
        return tuple([source.ahead(k) for source in self.sources])

    def each(self):
        first, *others = self.sources
        for item in first:
            taken: tuple[Any, ...] = (item,)
            for source in others:
                if not source.more():
                    return
                taken = (*taken, source.take())
            yield taken
