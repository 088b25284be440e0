"""Random nests of loops whose bounds and indices are made of the counters of the loops around.

`generate_nests(seed)` gives a program as `generate_memory` does. They are dense in what decides
whether a store may reach an element that was read: triangular loops, windows that end at a counter,
differences of counters, indices that count from the end, tests that tell indices apart.
"""

from __future__ import annotations

import random

import numpy as np

from tests.programs.random.generator import RandomProgram
from tests.programs.random.memory import sound

SIZE = 5
RANGES = ["range(n)", "range(1, n)", "range(n - 1)", "range(n - 1, -1, -1)", "range(n - 2, -1, -1)"]
RANGES += ["range(0, n, 2)", "range(3)", "reversed(range(n))"]
INNER = ["range({})", "range({} + 1)", "range({} + 1, n)", "range({}, n)", "range({} - 1, -1, -1)"]
INNER += ["range(max(0, {} - 2), {})", "range(1, {})", "range(n - 1, {}, -1)", "range(min({}, 2))"]
WINDOWS = [": {}", "{} + 1 :", "{} :", ": {} + 1", "{} - 1 : {} + 1", "1:-1"]
TESTS = ["{0} >= 0", "{0} > 0", "0 <= {0} < n", "{1} != {2}", "{1} == {2}", "{1} < {2}"]
TESTS += ["{0} >= 0 and {1} > 0", "{0} < 0 or {1} == 1"]
STARTS = ["x * y", "np.zeros_like(x)", "x.copy()"]


def generate_nests(seed: int) -> RandomProgram:
    """The program of a seed."""
    for attempt in range(300):
        text = _Nests(random.Random(f"nests {seed}, {attempt}")).program()
        stream = np.random.default_rng([seed, attempt])
        args = (stream.uniform(-0.9, 0.9, SIZE), stream.uniform(0.3, 0.9, SIZE))
        if sound(text, args):
            return RandomProgram(seed, text, args)
    raise AssertionError(f"no sound program for seed {seed}")


class _Nests:
    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.left = rng.randint(5, 12)
        """How many statements may still be written."""

    def program(self) -> str:
        lines = ["n = len(x)", f"a = {self.rng.choice(STARTS)}"]
        lines += ["m = 0.5 * x[:, None] * y", "s = 0.3 * x[0]"]
        lines += self.loop([])
        if self.rng.random() < 0.5:
            lines += self.loop([])
        lines.append("return np.sum(a * a) + 0.1 * np.sum(m**2) + s")
        body = "\n".join("    " + line for line in lines)
        return f"import numpy as np\n\n\ndef f(x, y):\n{body}\n"

    def loop(self, counters: list[str]) -> list[str]:
        counter = "ijk"[len(counters)] if self.rng.random() < 0.85 else self.rng.choice("ijk")
        ranges = RANGES + 2 * INNER if counters else RANGES
        header = self.rng.choice(ranges).replace("{}", self.counter(counters))
        inside = [*(own for own in counters if own != counter), counter]
        body = [line for _ in range(self.rng.randint(1, 3)) for line in self.statement(inside)]
        return [f"for {counter} in {header}:", *("    " + line for line in body)]

    def statement(self, counters: list[str]) -> list[str]:
        self.left -= 1
        draw = self.rng.random()
        if self.left <= 0 or draw < 0.35:
            factor = self.rng.choice(["0.3 * ", "0.5 * s * ", "x[1] * "])
            return [f"s = 0.4 * s + {factor}{self.read(counters)}{self.rng.choice(['', '**2'])}"]
        if draw < 0.6:
            value = self.rng.choice(["0.4 * s", "0.4 * s * y[2]", "0.3 * s + 0.1"])
            return [f"{self.slot(counters)} {self.rng.choice(['=', '=', '+=', '*='])} {value}"]
        if draw < 0.7:
            return [f"{self.element(counters)} = 0.5 * {self.read(counters)} ** 2 + 0.2 * s"]
        if draw < 0.82:
            pair = self.counter(counters), self.counter(counters)
            test = self.rng.choice(TESTS).format(self.index(counters), *pair)
            lines = [f"if {test}:", *("    " + line for line in self.statement(counters))]
            if self.rng.random() < 0.4:
                lines += ["else:", *("    " + line for line in self.statement(counters))]
            return lines
        return self.loop(counters) if len(counters) < 3 else ["s = 0.8 * s"]

    def counter(self, counters: list[str]) -> str:
        return self.rng.choice(counters) if counters else "1"

    def index(self, counters: list[str]) -> str:
        one, other = self.counter(counters), self.counter(counters)
        forms = [one, one, one, f"{one} - 1", f"{one} + 1", f"{one} - 2", f"{one} - {other}"]
        forms += [f"{one} - {other} - 1", f"{one} - {other} + 1", f"max({one} - 1, 0)"]
        forms += [f"min({one} + 1, n - 1)", str(self.rng.choice([0, 1, 2, -1, -2]))]
        return self.rng.choice(forms)

    def window(self, counters: list[str]) -> str:
        return self.rng.choice(WINDOWS).replace("{}", self.counter(counters))

    def element(self, counters: list[str]) -> str:
        if self.rng.random() < 0.7:
            return f"a[{self.index(counters)}]"
        return f"m[{self.index(counters)}, {self.index(counters)}]"

    def slot(self, counters: list[str]) -> str:
        draw = self.rng.random()
        if draw < 0.8:
            return self.element(counters)
        window = self.window(counters)
        return f"a[{window}]" if draw < 0.88 else f"m[{self.index(counters)}, {window}]"

    def read(self, counters: list[str]) -> str:
        slot = self.slot(counters)
        return f"np.sum({slot})" if ":" in slot else slot
