"""`zip(xs, ys, strict=True)`."""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"

from __future__ import annotations

from autodiff.lower.recipes.iterators import Zipped


class Matched(Zipped):
    """Each in turn; all have to end together. leading: the place of the one that is asked first, as
    of what is a generator only its body says when it ends.
    """

    counted = False

    def __init__(self, leading, *sources):
        super().__init__(*sources)
        self.leading = leading

    def more(self):
        taken = []
        for k, source in enumerate(self.sources):
            if source.more():
                taken.append(source.take())
            if len(taken) not in (0, k + 1):
                raise ValueError("zip() arguments are not equally long")
        self.taken = tuple(taken)
        return len(taken) > 0

    def each(self):
        for item in self.sources[self.leading]:
            taken = []
            for k, source in enumerate(self.sources):
                if k == self.leading:
                    taken.append(item)
                elif source.more():
                    taken.append(source.take())
                else:
                    raise ValueError("zip() arguments are not equally long")
            yield tuple(taken)
        for k, source in enumerate(self.sources):
            if k != self.leading and source.more():
                raise ValueError("zip() arguments are not equally long")
