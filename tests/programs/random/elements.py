"""Random loops over elements: recurrences, sweeps, relaxations, filters, element by element.

`generate_elements(seed)` gives a program as `generate_memory` does. They are dense in what decides
whether a number is kept, put back or read again: elements that are read before and after they are
stored, twice in one statement, under computed indices, through a second name, in several sweeps.
"""

from __future__ import annotations

import random

import numpy as np

from tests.programs.random.generator import RandomProgram
from tests.programs.random.memory import sound

SIZE = 5
OFFSETS = ["", "", "", " - 1", " + 1"]
RANGES = ["range(1, 4)", "range(3, 0, -1)", "reversed(range(1, 4))", "range(1, 4, 2)"]
RANGES += ["range(1, len(x) - 1)"]
FUNCTIONS = ["np.sin({})", "np.exp(0.3 * {})", "np.tanh({})", "{} ** 2", "1.0 / (2.5 + {})"]


def generate_elements(seed: int) -> RandomProgram:
    """The program of a seed."""
    for attempt in range(300):
        writer = _Elements(random.Random(f"elements {seed}, {attempt}"))
        text = writer.program()
        stream = np.random.default_rng([seed, attempt])
        args = (stream.uniform(-1.0, 1.0, SIZE), stream.uniform(0.3, 0.9, SIZE), 0.7)
        if sound(text, args):
            return RandomProgram(seed, text, args)
    raise AssertionError(f"no sound program for seed {seed}")


class _Elements:
    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.count = 0
        self.arrays = ["x", "y", "u"]
        self.counters: list[str] = []
        self.numbers = ["c"]

    def program(self) -> str:
        lines = [self.rng.choice(["u = x.copy()", "u = x * y", "u = np.zeros(5)"])]
        if self.rng.random() < 0.5:
            lines.append(self.rng.choice(["w = np.zeros_like(x)", "w = y.copy()"]))
            self.arrays.append("w")
        if self.rng.random() < 0.25:
            lines.append("v = u[1:]" if self.rng.random() < 0.6 else "v = u")
        self.views = [line[0] for line in lines if line.startswith("v")]
        for _ in range(self.rng.randint(1, 2)):
            lines += self.sweeps()
        ends = [f"np.sum({name})" for name in self.arrays[2:]]
        ends.append(self.rng.choice(["np.sum(u * x)", "u[2] * y[1]", "np.sum(u ** 2)"]))
        lines.append(f"return {' + '.join(ends)}")
        body = "\n".join("    " + line for line in lines)
        return f"import numpy as np\n\n\ndef f(x, y, c):\n{body}\n"

    def sweeps(self) -> list[str]:
        """A loop over elements, maybe several times."""
        inner = self.loop()
        if self.rng.random() < 0.5:
            inner = [f"for k in range({self.rng.randint(2, 3)}):", *_indented(inner)]
            if len(self.arrays) > 3 and self.rng.random() < 0.3:
                inner.append("    u, w = w, u")
        return inner

    def loop(self) -> list[str]:
        counter = self.rng.choice(["i", "i", "j"])
        self.counters.append(counter)
        numbers = list(self.numbers)
        inside = [line for _ in range(self.rng.randint(1, 4)) for line in self.statement()]
        if not any("[" in line.split("=")[0] for line in inside):
            inside.append(self.store())
        self.counters.pop()
        self.numbers = numbers
        return [f"for {counter} in {self.rng.choice(RANGES)}:", *_indented(inside)]

    def statement(self) -> list[str]:
        draw = self.rng.random()
        if draw < 0.25:
            name = self.rng.choice([*self.numbers[1:], self.fresh()])
            line = f"{name} = {self.value()}"
            if name not in self.numbers:
                self.numbers.append(name)
            return [line]
        if draw < 0.32:
            return [f"{self.counters[-1]}2 = {self.counters[-1]} - 1", self.store()]
        if draw < 0.42:
            test = self.rng.choice([f"{self.counters[-1]} % 2 == 0", f"{self.element()} > 0.4"])
            return [f"if {test}:", *_indented([self.store()])]
        if draw < 0.47:
            return [f"u = {self.rng.choice(['u * 1.0', 'u.copy()', 'u + y'])}", self.store()]
        return [self.store()]

    def fresh(self) -> str:
        self.count += 1
        return f"t{self.count}"

    def store(self) -> str:
        name = self.rng.choice(["u", "u", "u", *self.arrays[2:], *self.views])
        operator = self.rng.choice(["=", "=", "=", "=", "+=", "*=", "-="])
        offset = "" if self.rng.random() < 0.7 else self.rng.choice(OFFSETS)
        return f"{name}[{self.index(offset)}] {operator} {self.value()}"

    def index(self, offset: str) -> str:
        return self.counters[-1] + offset

    def element(self) -> str:
        name = self.rng.choice(["u", "u", "u", *self.arrays, *self.views])
        return f"{name}[{self.index(self.rng.choice(OFFSETS))}]"

    def number(self) -> str:
        if self.rng.random() < 0.3:
            return self.rng.choice(self.numbers)
        return self.element()

    def value(self) -> str:
        one, two, three = (self.number() for _ in range(3))
        forms = [
            f"{one} * {two}",
            f"c * {one} * {two}",
            f"{one} * (1.0 - {one})",
            f"{one} - 0.3 * {two} * ({two} - {three})",
            f"({one} + {two}) * {three}",
            self.rng.choice(FUNCTIONS).format(one),
            f"{self.rng.choice(FUNCTIONS).format(one)} * {two} + {three}",
            f"0.5 * ({one} + {two})",
            f"{one} / (2.0 + {two} ** 2)",
        ]
        return self.rng.choice(forms)


def _indented(lines: list[str]) -> list[str]:
    return ["    " + line for line in lines]
