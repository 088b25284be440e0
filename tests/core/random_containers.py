"""Random programs with containers, judged: `python -m tests.core.random_containers 0 1000` (seeds).

Lists of lists, of arrays, of objects, of pairs; dicts by keys that are known or found at run time;
rows that are shared, replaced, swapped, appended, popped; objects chosen by path or by iteration.
"""

from __future__ import annotations

import collections
import random
import sys
import tempfile
from pathlib import Path

import numpy as np

from tests.core.judge import Verdict
from tests.core.random_memory import verdict
from tests.core.shrink import shrunk

HEAD = """import numpy as np


class P:
    def __init__(self, u, w):
        self.u, self.w = u, w

    def push(self, f):
        self.u = self.u + 0.3 * f
        self.w[0] *= f

    def twin(self):
        return P(self.u * 0.7, self.w)


def first(rows):
    return rows[0]


def replaced(rows, k, v):
    rows[k] = [v, rows[k][0]]
    return rows[k]


"""
POINTS = [(0.7, np.array([0.5, 0.3, -0.6]), 2), (0.4, np.array([-0.2, 0.9, 0.8]), 0)]


class Program:
    """One program. `t`: rows of numbers; `m`: arrays; `d`: numbers by key; `ps`: objects; `q`:
    pairs; `r`, `p`, `b`: a row, an object, an array that some container holds too.
    """

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.lines: list[str] = []
        self.loops: list[str] = []

    def pick(self, *choices: str) -> str:
        return self.random.choice(choices)

    def index(self) -> str:
        known = str(self.random.randrange(2))
        return self.pick(
            known, *(f"{i} % 2" for i in self.loops), *(f"({i} + 1) % 2" for i in self.loops)
        )

    def number(self) -> str:
        k, j = self.index(), self.index()
        return self.pick(
            *(
                "x",
                "s",
                f"a[{k}]",
                f"t[{k}][{j}]",
                f"t[{k}][-1]",
                f"m[{k}][{j}]",
                f"d[{k}]",
                'e["v"]',
            ),
            *(f"ps[{k}].u", f"ps[{k}].w[{j}]", f"q[{k}][0]", f"q[{k}][1][{j}]", f"r[{j}]", "p.u"),
            *(f"p.w[{j}]", f"b[{j}]", "0.5", f"np.sum(m[{k}])", f"first(t)[{j}]"),
        )

    def value(self) -> str:
        one, two = self.number(), self.number()
        return self.pick(one, f"{one} * {two}", f"{one} + 0.3 * {two}", f"np.tanh({one}) - {two}")

    def array(self) -> str:
        k = self.index()
        return self.pick("a", f"m[{k}]", f"ps[{k}].w", f"q[{k}][1]", "b", "p.w")

    def statement(self, depth: int) -> None:
        put = "    " * (len(self.loops_and_ifs) + 1)
        k, j, v = self.index(), self.index(), self.value()
        choices = [
            *(f"t[{k}][{j}] = {v}", f"t[{k}].append({v})", f"r[{j}] = r[{j}] * {self.number()}"),
            *(
                f"r = t[{k}]",
                f"t[{k}] = [{v}, {self.number()}]",
                f"t[{k}] = r",
                "t[0], t[1] = t[1], t[0]",
            ),
            *(f"m[{k}] = {self.array()} * {self.number()}", f"m[{k}][{j}] = {v}", f"b = m[{k}]"),
            *(
                f"m[{k}] = b",
                f"b[1:] *= {self.number()}",
                f"d[{k}] = {v}",
                f"d[{k} + 2] = {v}",
                f'e["v"] = {v}',
            ),
            *(
                f"ps[{k}].u = {v}",
                f"ps[{k}].w[{j}] += {v}",
                f"ps[{k}].push({self.number()})",
                f"p = ps[{k}]",
            ),
            *(
                "p = p.twin()",
                f"ps[{k}] = p",
                f"ps[{k}] = P({v}, {self.array()} * 1.0)",
                f"p.w = {self.array()}",
            ),
            *(
                f"q[{k}] = ({v}, {self.array()})",
                f"q[{k}][1][{j}] = {v}",
                f"s = s + {v}",
                f"s = s * 0.5 + {v}",
            ),
            *(f"r = replaced(t, {k}, {v})", f'e = {{"v": {v}, "k": 1.0}}', f"s += sum(t[{k}])"),
            *(
                f"s += len(t[{k}]) * {self.number()}",
                f"ps[{k}].w = b",
                f"r = [{v}, {v}]",
                f"p = P({v}, b)",
            ),
        ]
        kind = self.random.random()
        if depth < 2 and kind < 0.12:
            name = "ijkl"[len(self.loops)]
            over = self.pick("range(3)", "range(n)", "range(2)")
            self.lines.append(f"{put}for {name} in {over}:")
            self.loops.append(name)
            self.loops_and_ifs.append(name)
            for _ in range(self.random.randrange(1, 4)):
                self.statement(depth + 1)
            self.loops.pop()
            self.loops_and_ifs.pop()
        elif depth < 2 and kind < 0.22:
            self.lines.append(f"{put}if {self.number()} > {self.pick('0.1', '0.4', 's')}:")
            self.loops_and_ifs.append("")
            self.statement(depth + 1)
            self.loops_and_ifs.pop()
            if self.random.random() < 0.5:
                self.lines.append(f"{put}else:")
                self.loops_and_ifs.append("")
                self.statement(depth + 1)
                self.loops_and_ifs.pop()
        else:
            self.lines.append(put + self.random.choice(choices))

    def text(self) -> str:
        self.loops_and_ifs: list[str] = []
        for _ in range(self.random.randrange(5, 11)):
            self.statement(0)
        for _ in range(2):
            self.lines.append(f"    s = s + {self.value()}")
        start = [
            "def f(x, a, n):",
            "    s = x * a[1]",
            "    t = [[x, a[0]], [a[2], x * x]]",
            "    m = [a * x, a + 1.0]",
            "    d = {0: x, 1: a[0], 2: a[1], 3: x * 2.0}",
            '    e = {"v": x, "k": 2.0}',
            "    ps = [P(x, a * 2.0), P(a[0], a * x)]",
            "    q = [(x, a * 3.0), (a[1], a - x)]",
            "    r, p, b = t[0], ps[1], m[0]",
        ]
        return HEAD + "\n".join([*start, *self.lines, "    return s"]) + "\n"


def judged(seed: int, folder: Path) -> Verdict:
    """What becomes of the program of a seed."""
    return verdict(Program(seed).text(), "xa", folder, POINTS)


def main(low: str, high: str) -> None:
    """The verdicts of seeds; faults with the smallest programs that show them."""
    tally: collections.Counter[str] = collections.Counter()
    reasons: collections.Counter[str] = collections.Counter()
    with tempfile.TemporaryDirectory() as name, np.errstate(all="ignore"):
        folder = Path(name)
        for seed in range(int(low), int(high)):
            found = judged(seed, folder)
            tally[found.what] += 1
            if found.what == "not yet":
                reasons[found.why] += 1
            elif found.what in ("wrong", "crash"):
                print(seed, found, flush=True)

                def shows(text: str, what: str = found.what) -> bool:
                    return verdict(text, "xa", folder, POINTS).what == what

                print(shrunk(Program(seed).text(), shows), flush=True)
    print(dict(tally))
    for reason, count in reasons.most_common():
        print(f"{count:5} {reason}")


if __name__ == "__main__":
    main(*sys.argv[1:3])
