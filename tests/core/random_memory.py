"""Random programs with memory, judged: `python -m tests.core.random_memory 0 1000` (seeds).

In-place windows, element stores, updates, swaps, aliases, views that outlive, helpers that mutate,
lend, return views and call each other, nested loops and branches, numbers and memory carried.
A seed is right, unsteady, not yet (by reason), wrong, or a crash; for the last two the smallest
program that still shows it is printed.
"""

from __future__ import annotations

import collections
import copy
import importlib.util
import random
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from tests.core.judge import MODES, Verdict, judge
from tests.core.shrink import shrunk

HELPERS = """import numpy as np


def mutate(v, s):
    v[1:] += s * v[:-1] * v[1:]


def smooth(v, s):
    w = v * s
    w[0] = v[1] * v[0]
    return np.sin(w)


def same(v, s):
    v[0] *= s
    return v


def tail(v):
    return v[1:]


def mix(v, w):
    v[1] = w[0] * v[2]
    w[2] += 0.1 * v[1] * v[0]
    return v[0] * w[1]


def deep(v, s):
    mutate(v, s)
    q = v * s
    mutate(q, 0.1)
    mutate(q, 0.2 * s)
    return q


def both(v, s):
    v *= s
    return v[0] * s, v * s


def early(p, v):
    if p > 0.3:
        return p * v[0]
    v[2] = p * v[1]
    return v[2] * 0.5


def swept(v, s, n):
    w = np.zeros(3)
    for i in range(n):
        w[i] = s * v[i]
        v[i] = w[i - 1] + s
        s = s * v[0]
    return w


class State:
    def __init__(self, v, s):
        self.v, self.s = v, s

    def step(self, h):
        self.v[1:] += h * self.v[:-1] * self.s
        self.s = self.s + self.v[2] * h


def scal(p, q):
    return p * np.sin(q) + p * p * 0.1


"""
HEAD = "def f(x, y, a, b, m, n):"
PARAMETERS = {"number": ["x", "y"], "vector": ["a", "b"], "matrix": ["m"], "pair": []}
INDICES = ("0", "1", "2", "-1", "1")
SPANS = ("1:", ":-1", "1:", ":-1", "1:", ":-1", ":2", "::2")
RANGES = ("3", "n", "n", "2, -1, -1", "1, 3", "n - 1", "len(a)", "1", "0, 3, 2")

EXPRESSIONS: dict[str, list[str]] = {
    "number": [
        "{vector}[{index}]",
        "{vector}[{index}]",
        "{matrix}[{index}, {index}]",
        "{pair}[{half}]",
        "np.sum({vector:e})",
        "np.sin({number:e})",
        "scal({number:e}, {number:e})",
        "({number:e} * {number:e})",
        "({number:e} + {number:e})",
        "({number:e} - {number:e})",
        "({vector} @ {vector})",
        "early({number:e}, {vector})",
        "np.sum({pair:e})",
        "np.sum({matrix:e})",
        "float(n)",
        "{vector:e}.sum()",
    ],
    "vector": [
        "np.tanh({vector:e})",
        "smooth({vector}, {number:e})",
        "({number:e} * {vector:e})",
        "({vector:e} + {vector:e})",
        "({vector:e} - {vector:e})",
        "({vector:e} * {vector:e})",
        "{matrix}[{index}]",
        "{matrix}[:, {index}]",
        "({matrix} @ {vector})",
        "{vector}.copy()",
        "same({vector}, {number:e})",
        "deep({vector}, {number:e})",
        "-{vector:e}",
        "swept({vector}, {number:e}, n)",
    ],
    "matrix": [
        "np.sin({matrix:e})",
        "({number:e} * {matrix:e})",
        "({matrix:e} * {matrix:e})",
        "{matrix}.T",
        "np.outer({vector:e}, {vector:e})",
        "({matrix:e} + {vector:e})",
        "{matrix}.copy()",
    ],
    "pair": [
        "{vector}[1:]",
        "{vector}[:-1]",
        "{vector}[:2]",
        "({number:e} * {pair:e})",
        "({pair:e} * {pair:e})",
        "tail({vector})",
        "np.cos({pair:e})",
        "{matrix}[{index}, 1:]",
    ],
}
"""{vector} is a variable of that form, {vector:e} an expression."""

STATEMENTS = [
    "{number} = 0.5 * {number:e}",
    "{number} += 0.3 * {number:e}",
    "{number} *= {number:e}",
    "{number} = {vector}[{index}]",
    "{number} = {number}",
    "{vector}[{index}] = 0.5 * {number:e}",
    "{vector}[{index}] = 0.5 * {number:e}",
    "{vector}[{index}] += 0.5 * {number:e}",
    "{vector}[{index}] -= {number:e}",
    "{vector}[{index}] *= {number:e}",
    "{pair}[{half}] = {number:e}",
    "{pair}[{half}] *= {number:e}",
    "{vector}[{span}] = 0.5 * {vector}[{span2}]",
    "{vector}[{span}] += {number:e} * {vector}[{span2}]",
    "{vector}[{span}] -= 0.5 * {vector}[{span2}] * {pair:e}",
    "{vector}[{span}] *= {number:e}",
    "{vector}[:] = {vector:e}",
    "{vector}[...] = {number:e}",
    "{pair} += 0.4 * {pair:e}",
    "{vector} += 0.4 * {vector:e}",
    "{vector} -= {number:e} * {vector:e}",
    "{vector} *= {number:e}",
    "{vector} = {vector} * {number:e}",
    "{vector} = 0.5 * {vector:e}",
    "{vector} = {vector}",
    "{vector}, {vector2} = {vector2}, {vector}",
    "{number}, {number2} = {number2}, {number}",
    "{number}, {vector}[{index}] = {vector}[{index}], {number:e}",
    "{vector}[0], {vector}[1] = {vector}[1], {vector}[0]",
    "{number}, {vector} = both({vector}, {number:e})",
    "{number} += 0.2 * mix({vector}, {vector})",
    "mutate({vector}, 0.1 * {number:e})",
    "{vector} = same({vector}, {number:e})",
    "{matrix}[{index}] = {vector:e}",
    "{matrix}[:, {index}] += {vector:e}",
    "{matrix}[{index}] *= {number:e}",
    "{matrix}[{index}, {index}] = {number:e}",
    "{matrix}[1:] -= 0.5 * {matrix}[:-1]",
    "{matrix} = {matrix}.T",
    "{matrix} *= {vector:e}",
    "{matrix} += 0.3 * {matrix:e}",
    "{matrix}.T[{index}] = {vector:e}",
    "mutate({matrix}[{index}], {number:e})",
    "{matrix}[{index}, {span}] *= {number:e}",
    "{vector} = {vector}[::-1]",
    "{vector}.fill({number:e})",
    "keep = ({number}, {vector})\n{number2}, {vector2} = keep",
    "box = [{vector}, {vector}]\nbox[1][{index}] = {number:e}\n{vector} = box[0]",
    "box = [{number:e}, {vector}]\nbox[0] *= {number:e}\nbox[1] *= box[0]",
    "box = {{'v': {vector}, 's': {number:e}}}\nbox['v'][{index}] += box['s']",
    "{number} = {number:e} if {number:e} > 0.1 else {number:e}",
    "flag = {number:e} > 0.1\n{vector}[1] *= {number:e}\nif flag:\n    {vector}[0] = {number:e}",
    "def inner(h):\n    {vector}[{index}] *= h\n    return {number} * h\n"
    "{number} = inner({number:e})",
    "items = [{vector}, {vector}]\nitems.append({vector:e})\nitems[k][{half}] = {number:e}",
    "for item in [{vector}, {vector}]:\n    item[1] = 0.5 * item[0] * {number:e}",
    "np.transpose({matrix})[{index}] = {number:e}",
    "k = k + 1",
    "k = (k + 1) % 3",
    "{vector}[k] = {number:e}",
    "{vector}[k] *= {number:e}",
    "{number} = {vector}[k - 1]",
    "state = State({vector}, {number})\nstate.step({number:e})\n{number} = state.s",
]
CALM = [
    "{number} = {number:e}",
    "{number} += 0.3 * {number:e}",
    "{number} = {vector}[{index}]",
    "{vector} = {vector} * {number:e}",
    "{vector} = {vector:e}",
    "{vector} = {vector}",
    "{vector}, {vector2} = {vector2}, {vector}",
    "{number}, {number2} = {number2}, {number}",
    "{number} = {number:e} if {number:e} > 0.1 else {number:e}",
    "{matrix} = {matrix:e}",
    "{matrix} = {matrix}.T",
    "{vector} = {matrix}[{index}]",
    "{vector} = {matrix} @ {vector:e}",
    "{number} = {vector}[{index}] * {number:e} + {vector}[{index}] * {number}",
    "{number} += {pair}[{half}] * {matrix}[{index}, {index}]",
    "{vector} = smooth({vector}, {number})",
    "{number} = {number} + np.sum({pair:e}) * {vector}[{index}]",
    "k = (k + 1) % 3",
    "{vector} = np.append({vector}[1:], {number:e})",
    "{vector} = np.array([{number:e}, x, y])",
]
"""Statements after which all memory is as it was."""
_CHANGING = ("same(", "deep(", "early(", "swept(", "both(")
RESULTS = [
    "x + 2.0 * y + np.sum(a * b) + np.sum(np.sin(a))", "x * y + np.sum(a * b) + np.sum(m * m)",
    "a", "a * b", "(x + y, a * b)", "(a, m)", "(a, b)", "a[1:]", "(x, a, m.T)", "(a, a[1:])",
    "np.sum(m @ a) * x", "x * y + b[0] * a[2]", "m @ a", "y",
]  # fmt: skip


class Program:
    """One random function of two numbers, two vectors, a matrix and a count."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.known = {form: list(names) for form, names in PARAMETERS.items()}
        self.calm = self.random.random() < 0.25
        self.lines, self.counts = [HEAD, "    k = 0"], 0
        for _ in range(self.random.randrange(0, 4)):
            self.definition()
        for _ in range(self.random.randrange(2, 7)):
            self.statement(1, [])
        result = self.random.choice(RESULTS)
        extra = self.random.choice([n for names in self.known.values() for n in names])
        if result[0] == "(" and self.random.random() < 0.3:
            result = f"{result[:-1]}, {extra})"
        elif result.startswith("x ") and extra not in "xyabm":
            result += f" + np.sum({extra})"
        self.lines.append(f"    return {result}")
        names = "xyabm"
        self.wrt = names if self.random.random() < 0.6 else names[: self.random.randrange(1, 5)]
        if self.random.random() < 0.15:
            self.wrt = self.random.choice(names)

    @property
    def text(self) -> str:
        """The module."""
        return HELPERS + "\n".join(self.lines) + "\n"

    def filled(self, template: str, depth: int, loops: list[str]) -> str:
        """A template with variables, expressions and indices."""
        program = self

        class Slot(str):
            def __format__(self, what: str) -> str:
                form = str(self)
                return program.expression(form, depth + 1, loops) if what else program.name(form)

        class Index:
            def __format__(self, what: str) -> str:
                return program.index(loops)

        pick = self.random.choice
        slots: dict[str, object] = {form: Slot(form) for form in EXPRESSIONS}
        slots |= {"vector2": Slot("vector"), "number2": Slot("number"), "index": Index()}
        for form in ("vector", "number"):  # a name that occurs twice is one variable
            if f"{{{form}2}}" in template:
                slots[form], slots[f"{form}2"] = self.name(form), self.name(form)
        span, span2 = self.spans()
        slots["k"] = self.random.randrange(9)
        return template.format(**slots, half=pick(["0", "1", "-1"]), span=span, span2=span2)

    def name(self, form: str) -> str:
        """A variable of a form; where there is none, what stands for one."""
        names = self.known[form]
        if names:
            return self.random.choice(names)
        return self.filled(self.random.choice(["{vector}[1:]", "{vector}[:-1]"]), 9, [])

    def spans(self) -> tuple[str, str]:
        """Two windows of the same length, as far as we know; and often as the compiler knows."""
        one = self.random.choice(SPANS)
        return one, self.random.choice(SPANS[:2] if one in SPANS[:2] else SPANS[6:])

    def index(self, loops: list[str]) -> str:
        """An index of an axis of three."""
        if loops and self.random.random() < 0.6:
            loop = self.random.choice(loops)
            return self.random.choice([loop, loop, f"{loop} - 1", f"2 - {loop}"])
        return self.random.choice(INDICES)

    def expression(self, form: str, depth: int, loops: list[str]) -> str:
        """An expression of a form."""
        if depth > 2 or self.random.random() < 0.35:
            return "0.5" if form == "number" and self.random.random() < 0.1 else self.name(form)
        choices = EXPRESSIONS[form]
        if self.calm:
            choices = [each for each in choices if not any(word in each for word in _CHANGING)]
        return self.filled(self.random.choice(choices), depth, loops)

    def definition(self) -> None:
        """A further variable, from now on."""
        form = self.random.choice(["number", "vector", "pair", "pair", "matrix", "vector"])
        own = {"number": "p", "vector": "v", "pair": "w", "matrix": "q"}[form]
        own += str(sum(name[0] == own for name in self.known[form]))
        value = self.filled(self.random.choice(EXPRESSIONS[form]), 1, [])
        self.lines.append(f"    {own} = {value}")
        self.known[form].append(own)

    def statement(self, depth: int, loops: list[str]) -> None:
        """One statement, with what stands in it."""
        pad, chance = "    " * depth, self.random.random()
        if chance < 0.26 and depth < 4 and len(loops) < 3:
            variable = "ijl"[len(loops)]
            ranges = [*RANGES, *(f"{loops[-1]}, 3" for _ in loops), *(f"{i}" for i in loops)]
            self.lines.append(f"{pad}for {variable} in range({self.random.choice(ranges)}):")
            self.body(depth, [*loops, variable])
        elif chance < 0.263 and depth < 3:
            self.counts += 1
            count, bound = f"t{self.counts}", self.random.choice(["n", "2", "n + 1"])
            self.lines += [f"{pad}{count} = 0", f"{pad}while {count} < {bound}:"]
            self.lines += [f"{pad}    {count} += 1"]
            self.body(depth, loops)
        elif chance < 0.4 and depth < 4:
            test = self.expression("number", 1, loops)
            self.lines.append(f"{pad}if {test} > {self.random.choice(['0.2', '-0.1', 'y'])}:")
            self.body(depth, loops)
            if self.random.random() < 0.6:
                self.lines.append(f"{pad}else:")
                self.body(depth, loops)
        elif chance < 0.43 and loops:
            test = self.expression("number", 2, loops)
            jump = self.random.choice(["continue"] * 9 + ["break"])
            self.lines += [f"{pad}if {test} > 0.4:", f"{pad}    {jump}"]
        else:
            text = self.filled(self.random.choice(CALM if self.calm else STATEMENTS), 0, loops)
            self.lines += [pad + line for line in text.splitlines()]

    def body(self, depth: int, loops: list[str]) -> None:
        """The statements in a loop or a branch."""
        for _ in range(self.random.randrange(1, 4)):
            self.statement(depth + 1, loops)


def points(n: int = 2) -> list[tuple[object, ...]]:
    """Where programs are judged: also with a loop that does nothing."""
    matrix = np.array([[0.3, -0.2, 0.4], [0.6, 0.1, -0.5], [0.2, 0.7, -0.3]])
    first = (0.7, -0.4, np.array([0.5, 0.3, -0.6]), np.array([0.2, -0.7, 0.9]), matrix, n)
    second = (-0.3, 0.6, np.array([-0.4, 0.8, 0.35]), np.array([0.9, 0.15, -0.2]), 0.9 - matrix, 0)
    return [first, second]


def verdict(
    text: str,
    wrt: str,
    folder: Path,
    given: list[tuple[object, ...]] | None = None,
    modes: Sequence[str] = MODES,
) -> Verdict:
    """Writes a program down, and judges it, at points of its own if there are any."""
    given = points() if given is None else given
    path = folder / f"program_{len(list(folder.iterdir()))}.py"
    path.write_text(text)
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    with np.errstate(all="ignore"):
        try:
            module.f(*copy.deepcopy(given[0]))
        except Exception:  # the program itself makes no sense
            return Verdict("unsteady")
    return judge(module.f, given, tuple(wrt), modes)


def judged(seed: int, folder: Path) -> Verdict:
    """The verdict on a seed."""
    program = Program(seed)
    return verdict(program.text, program.wrt, folder)


def smallest(seed: int, folder: Path) -> tuple[str, str]:
    """The smallest program like that of a seed that is judged alike, and the parameters."""
    program = Program(seed)
    wanted = verdict(program.text, program.wrt, folder)

    def alike(text: str) -> bool:
        found = verdict(text, program.wrt, folder)
        return found.what == wanted.what and found.why.split()[:1] == wanted.why.split()[:1]

    return shrunk(program.text, alike), program.wrt


def main(low: str, high: str, shows: str = "") -> None:
    """Judges seeds, and prints what is wrong."""
    tally: collections.Counter[str] = collections.Counter()
    reasons: collections.Counter[str] = collections.Counter()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for seed in range(int(low), int(high)):
            found = judged(seed, folder)
            tally[found.what] += 1
            if found.what == "not yet":
                reasons[found.why] += 1
            if found.what in ("wrong", "crash") or shows and shows in found.why:
                print(seed, found.what, found.why, flush=True)
                text, wrt = smallest(seed, folder)
                print(f"wrt {wrt}\n{text}", flush=True)
    for reason, count in reasons.most_common():
        print(f"{count:5} {reason}")
    print(dict(tally))


if __name__ == "__main__":
    main(*sys.argv[1:])
