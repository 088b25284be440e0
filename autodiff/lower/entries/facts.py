"""What is known of tests where the code at hand is reached.

    f = np.sin if c else np.cos
    if c:
        y = f(x)              # here `f` is np.sin

`x is None and ...` and `not c` say something about the tests that they are made of, too.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from autodiff.core.value import Value
from autodiff.lower.entries.entry import Entry, Mixed

Fact = tuple[Value, bool]


class Facts:
    """true: tests that are decided here. implied: what else holds where a test has a value. exists:
    where variables hold something that hold nothing elsewhere. choices: values that are one of two
    constants.
    """

    def __init__(self) -> None:
        self.true: dict[Value, bool] = {}
        self.implied: dict[Fact, list[Fact]] = {}
        self.exists: dict[Value, Fact] = {}
        self.choices: dict[Value, Mixed] = {}

    def known(self, entry: Entry) -> Entry:
        """What a variable holds here, if that is decided."""
        while isinstance(entry, Mixed) and entry.test in self.true:
            entry = entry.one if self.true[entry.test] else entry.other
        return entry

    def exact(self, entry: Entry) -> Entry:
        """An entry whose constant is asked for: where it is one of two, both are looked at."""
        found = self.known(self.choices.get(entry, entry) if isinstance(entry, Value) else entry)
        if isinstance(found, Mixed):
            raise found.refusal()
        return found

    def imply(self, value: Value, truth: bool, *facts: Fact) -> None:
        """Where `value` is so, other tests are so as well."""
        self.implied.setdefault((value, truth), []).extend(facts)

    def assume(self, test: Value, truth: bool) -> None:
        """From here to the end of the block, a test is decided."""
        if test not in self.true:
            self.true[test] = truth
            for other, value in self.implied.get((test, truth), ()):
                self.assume(other, value)

    @contextlib.contextmanager
    def given(self, test: Value | None = None, truth: bool = True) -> Iterator[None]:
        """In a block that is reached where a test is so."""
        before = dict(self.true)
        if test is not None:
            self.assume(test, truth)
        try:
            yield
        finally:
            self.true = before
