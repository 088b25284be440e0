"""Random time steppers: states, temporaries of them, histories, work buffers, changed in place.

`generate_stepping(seed)` gives a program as `generate_memory` does. They are dense in what decides
about recording: values computed from few arrays, temporaries that are stored into between their
uses, views, slots of histories by computed indices, counters of the same name, constants in loops.
"""

from __future__ import annotations

import random

import numpy as np

from tests.programs.random.generator import RandomProgram
from tests.programs.random.memory import sound

SIZE = 4
STEPS = 3
WINDOWS = ["[1:]", "[:-1]", "[1:-1]", "[0]", "[-1]", "[:]", "[::-1]", "[2:]", "[0:2]"]
LENGTHS = {"[1:]": 3, "[:-1]": 3, "[1:-1]": 2, "[:]": 4, "[::-1]": 4, "[2:]": 2, "[0:2]": 2}
OFFSETS = ["", " + 1", " - 1", " + 2"]
RANGES = ["range({n})", "range(1, {n})", "reversed(range({n}))", "range({n} - 1, -1, -1)"]
RANGES += ["range(-1, {n} - 1)", "range(0, {n}, 2)"]


def generate_stepping(seed: int) -> RandomProgram:
    """The program of a seed."""
    for attempt in range(300):
        writer = _Stepper(random.Random(f"stepping {seed}, {attempt}"))
        text = writer.program()
        stream = np.random.default_rng([seed, attempt])
        args = (stream.uniform(-1.0, 1.0, SIZE), stream.uniform(0.3, 0.9, SIZE), 0.7)
        if sound(text, args):
            return RandomProgram(seed, text, args)
    raise AssertionError(f"no sound program for seed {seed}")


class _Stepper:
    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.count = 0
        self.arrays = ["x", "y"]
        self.histories: list[str] = []
        self.counters: list[str] = []

    def program(self) -> str:
        work = self.rng.choice(["w = np.zeros(4)", "w = y.copy()", "w = y * 0.5"])
        lines = ["u = x.copy()", work]
        self.arrays += ["u", "w"]
        for _ in range(self.rng.randint(0, 2)):
            history = self.fresh("h")
            starts = ["np.ones((6, 4)) * x", "np.zeros((6, 4))", "np.ones((6, 4)) * y"]
            start = self.rng.choice(starts)
            lines.append(f"{history} = {start}")
            if self.rng.random() < 0.6:
                lines.append(f"{history}[0] = x * c")
            self.histories.append(history)
        for _ in range(self.rng.randint(1, 2)):
            lines += self.loop(0)
        parts = [f"np.sum(u * {self.array()})", "np.sum(w)", *map(self.summed, self.histories)]
        lines.append(f"return {' + '.join(parts)}")
        body = "\n".join("    " + line for line in lines)
        return f"import numpy as np\n\n\ndef f(x, y, c):\n{body}\n"

    def summed(self, history: str) -> str:
        window = self.rng.choice(["", "[-1]", "[2]", "[:, 1]", "[1:3]"])
        return f"np.sum({history}{window} ** 2) * 0.1"

    def fresh(self, hint: str) -> str:
        self.count += 1
        return f"{hint}{self.count}"

    def loop(self, depth: int) -> list[str]:
        counter = self.rng.choice(["t", "t", f"t{depth}", "i"])
        header = self.rng.choice(RANGES).format(n=self.rng.choice(["3", "len(x) - 1", "4"]))
        outer = list(self.arrays)
        self.counters.append(counter)
        inside: list[str] = []
        for _ in range(self.rng.randint(3, 6)):
            inside += self.statement(depth)
        inside += [self.update()]
        self.counters.pop()
        if self.rng.random() < 0.7:
            self.arrays = outer
        return [f"for {counter} in {header}:", *("    " + line for line in inside)]

    def statement(self, depth: int) -> list[str]:
        draw = self.rng.random()
        if draw < 0.35:
            name = self.rng.choice([self.fresh("a"), self.fresh("a"), *self.arrays[4:]])
            line = f"{name} = {self.value()}"
            if name not in self.arrays:
                self.arrays.append(name)
            return [line]
        if draw < 0.42:
            name = self.fresh("q")
            value = self.rng.choice(["c / 2.0", "c * c", "1.0 / c", "-c", "c ** 2"])
            return [f"{name} = {value}", f"u = u * {name} + {self.array()}"]
        if draw < 0.62:
            return [self.change(self.rng.choice(self.arrays[2:]))]
        if draw < 0.7:
            view, base = self.fresh("v"), self.rng.choice(self.arrays[2:])
            lines = [f"{view} = {base}[1:]"]
            use = self.rng.choice([f"{view}[0] = c", f"{view} *= 0.5", f"w[1:] = {view} * {view}"])
            return [*lines, use]
        if draw < 0.86 and self.histories:
            return self.history(self.rng.choice(self.histories))
        if draw < 0.92 and depth < 1:
            return self.loop(depth + 1)
        if draw < 0.96:
            inner = [self.change(self.rng.choice(self.arrays[2:])), self.update()]
            return [f"if {self.counters[-1]} % 2 == 0:", *("    " + line for line in inner)]
        return ["u, w = w, u"]

    def history(self, name: str) -> list[str]:
        read, store = (self.slot() for _ in range(2))
        draw = self.rng.random()
        if draw < 0.5:
            return [f"{name}[{store}] = {self.nonlinear(f'{name}[{read}]')}"]
        if draw < 0.7:
            row = self.fresh("r")
            self.arrays.append(row)
            return [f"{row} = {name}[{read}]", f"{name}[{store}] = {row} * {self.array()}"]
        if draw < 0.85:
            return [f"{name}[{store}] *= {self.array()}"]
        return [f"u = {self.nonlinear(f'{name}[{read}]')}"]

    def slot(self) -> str:
        return self.rng.choice(self.counters) + self.rng.choice(OFFSETS)

    def change(self, name: str) -> str:
        window = self.rng.choice(WINDOWS)
        operator = self.rng.choice(["=", "=", "+=", "*=", "-="])
        if window in ("[0]", "[-1]"):
            other = self.rng.choice([f"{self.array()}[1]", "c", f"{self.array()}[2] * c"])
            return f"{name}{window} {operator} {other}"
        if self.rng.random() < 0.3:
            return f"{name}{window} {operator} {self.rng.choice(['c', '0.5', '0.0'])}"
        return f"{name}{window} {operator} 0.5 * {self.window(LENGTHS[window])}"

    def window(self, length: int) -> str:
        windows = [w for w, n in LENGTHS.items() if n == length]
        one, two = (f"{self.array()}{self.rng.choice(windows)}" for _ in range(2))
        return self.rng.choice([one, f"{one} * {two}", f"({one} - {two})", f"np.sin({one})"])

    def update(self) -> str:
        return self.rng.choice(
            [
                f"u = np.tanh({self.value()})",
                f"u[1:-1] = u[1:-1] + 0.1 * {self.window(2)} * {self.window(2)}",
                f"w[:] = np.tanh({self.value()})",
                f"u = u + 0.1 * {self.array()} * {self.array()}",
                f"w = w * 0.5 + {self.array()} * {self.array()} * 0.1",
            ]
        )

    def value(self) -> str:
        one, two = self.array(), self.array()
        number = self.rng.choice(["2.0", "0.5", "c"])
        return self.rng.choice(
            [
                f"{one} * {two}",
                f"{one} * {number}",
                f"{one} + {number}",
                f"{one} - {two}",
                f"{number} * {one} - {two} * {two}",
                f"{one} / (1.5 + {two} * {two})",
                f"-{one}",
                f"{one} ** 2",
                self.nonlinear(one),
            ]
        )

    def nonlinear(self, operand: str) -> str:
        return self.rng.choice(
            [f"np.sin({operand}) * {operand}", f"0.5 * {operand} * {operand}", f"np.cos({operand})"]
        )

    def array(self) -> str:
        return self.rng.choice(self.arrays)
