"""Random programs in which lists and dicts of numbers change: by item, by key, under other names.

`generate_changing(seed)` gives a program as `generate_memory` does. Statements are written without
much regard to lengths: a program that fails is drawn again.
"""

from __future__ import annotations

import random
from typing import Any

import numpy as np

from tests.programs.random.expressions import Scope
from tests.programs.random.generator import RandomProgram
from tests.programs.random.memory import MemoryWriter, sound
from tests.programs.random.parts import Lines, indented

HELPERS = [
    "def push(xs, v):",
    "    xs.append(v * v)",
    "    return xs",
    "",
    "",
    "def scale(xs, c):",
    "    for i in range(len(xs)):",
    "        xs[i] = xs[i] * c",
    "",
    "",
    "def moved(table, k, v):",
    "    table[k] = table.get(k, 0.3) * v",
    "",
]


def generate_changing(seed: int) -> RandomProgram:
    """The program of a seed."""
    for attempt in range(200):
        writer = ChangingWriter(random.Random(f"changing {seed}, {attempt}"))
        text, args = writer.program(seed)
        if writer.numbers and sound(text, args):
            return RandomProgram(seed, text, args)
    raise AssertionError(f"no sound program for seed {seed}")


class ChangingWriter(MemoryWriter):
    """Writes programs over lists of numbers, lists of such lists, and dicts."""

    def __init__(self, rng: random.Random) -> None:
        super().__init__(rng)
        self.budget = rng.choice([4, 5, 6, 7, 8, 10])
        self.numbers: list[str] = []
        self.rows: list[str] = []
        self.tables: list[str] = []
        self.groups: list[str] = []
        self.counters: list[str] = []

    def program(self, seed: int) -> tuple[str, tuple[Any, ...]]:
        text, args = super().program(seed)
        head, tail = text.split("import numpy as np\n", 1)
        return "\n".join([head + "import numpy as np", "", "", *HELPERS]) + tail, args

    def parameters(self, stream: np.random.Generator) -> tuple[dict[str, Any], Scope]:
        args: dict[str, Any] = {"x": stream.uniform(-1.2, 1.2, 4)}
        args["t"] = float(stream.uniform(-1, 1))
        scope: Scope = {"x": (4,), "t": ()}
        draw = self.rng.random()
        if draw < 0.3:
            args["given"] = [float(v) for v in stream.uniform(-1, 1, 3)]
            self.numbers.append("given")
        elif draw < 0.4:
            args["given"] = [[float(v) for v in stream.uniform(-1, 1, 2)] for _ in range(2)]
            self.rows.append("given")
        elif draw < 0.5:
            args["table"] = {k: float(v) for k, v in enumerate(stream.uniform(-1, 1, 3))}
            self.tables.append("table")
        return args, scope

    def statement(self, scope: Scope, in_loop: bool, depth: int) -> Lines:
        self.budget -= 1
        if depth < 3 and self.budget > 0 and self.rng.random() < 0.25:
            forms = [self.branch, self.for_loop, self.for_loop]
            return self.kept(scope, self.rng.choice(forms), in_loop, depth)
        if self.rng.random() < 0.12:
            return self.rng.choice([self.number_statement, self.store_statement])(scope)
        return self.changing(scope)

    def kept(self, scope: Scope, form: Any, in_loop: bool, depth: int) -> Lines:
        """Containers made in a block are not there after it."""
        names = (self.numbers, self.rows, self.tables, self.groups)
        before = [list(part) for part in names]
        lines: Lines = form(scope, in_loop, depth)
        for part, old in zip(names, before):
            if self.rng.random() < 0.8:
                part[:] = old
        return lines

    def changing(self, scope: Scope) -> Lines:
        forms: list[Any] = [self.new_numbers, self.new_table]
        if self.numbers:
            forms += [self.by_item] * 5 + [self.by_method] * 6 + [self.by_name] * 3
            forms += [self.walked] * 3 + [self.used] * 3 + [self.new_rows]
        if self.rows:
            forms += [self.in_row] * 4
        if self.tables:
            forms += [self.by_key] * 6 + [self.over_table] * 2
        if self.groups:
            forms += [self.in_group] * 3
        elif self.tables:
            forms += [self.new_group]
        return self.rng.choice(forms)(scope)

    # Values

    def number(self, scope: Scope) -> str:
        """A number: an expression, an item, a constant."""
        draw = self.rng.random()
        if draw < 0.12:
            return self.rng.choice(["0.5", "1.0", "0.0"])
        if self.numbers and draw < 0.45:
            item = f"{self.rng.choice(self.numbers)}[{self.place()}]"
            return self.rng.choice([item, f"0.6 * {item}", f"np.sin({item})", f"{item} * t"])
        if self.tables and draw < 0.6:
            table = self.rng.choice(self.tables)
            return self.rng.choice([f"{table}[{self.key()}]", f"{table}.get({self.key()}, t)"])
        return self.rng.choice([self.draw.expression(scope, (), 1), f"x[{self.place()}]", "t * t"])

    def place(self) -> str:
        """An index, perhaps one that is known at run time."""
        loops = [f"{k} % 2" for k in self.draw.integers]
        return self.rng.choice(["0", "1", "-1", "-2", "2", *loops, *loops])

    def key(self) -> str:
        return self.rng.choice(["0", "1", "2", "len(x) % 3", self.place()])

    # Statements

    def new_numbers(self, scope: Scope) -> Lines:
        values = [self.number(scope) for _ in range(self.rng.choice([2, 3, 3]))]
        name = self.fresh("xs")
        forms = [
            f"[{', '.join(values)}]",
            f"[{values[0]} for _ in range(3)]",
            "[v * v for v in x]",
            f"[{values[0]}] * 3",
            "[0.0] * 3",
            "list(x)",
        ]
        line = f"{name} = {self.rng.choice(forms)}"
        self.numbers.append(name)
        return [line]

    def by_item(self, scope: Scope) -> Lines:
        name, value = self.rng.choice(self.numbers), self.number(scope)
        i, j = self.place(), self.place()
        forms = [
            [f"{name}[{i}] = {value}"],
            [f"{name}[{i}] = {value}"],
            [f"{name}[{i}] += {value}"],
            [f"{name}[{i}] *= 0.5 + {value}"],
            [f"{name}[{i}] -= {name}[{j}]"],
            [f"{name}[{i}], {name}[{j}] = {name}[{j}], {value}"],
            [f"{name}[1:] = [{value}, {self.number(scope)}]"],
            [f"del {name}[{i}]"],
        ]
        return self.rng.choice(forms)

    def by_method(self, scope: Scope) -> Lines:
        name, value = self.rng.choice(self.numbers), self.number(scope)
        taken = self.fresh("v")
        other = self.rng.choice(self.numbers)
        forms = [
            [f"{name}.append({value})"],
            [f"{name}.append({value})"],
            [f"{name}.extend([{value}, {self.number(scope)}])"],
            [f"{name}.extend({other})"],
            [f"{name} += [{value}]"],
            [f"{name}.insert({self.place()}, {value})"],
            [f"{taken} = {name}.pop({self.rng.choice(['', '0', '1'])})"],
            [f"{taken} = {name}.pop({self.rng.choice(['', '0', '1'])})"],
            [f"{name}.reverse()"],
            [f"{name}.sort(key=lambda v: np.real(v))"],
            [f"{name}.sort(key=lambda v: -np.real(v), reverse=True)"],
            [f"push({name}, {value})"],
            [f"scale({name}, {value})"],
        ]
        lines = self.rng.choice(forms)
        if lines[0].startswith(taken):
            scope[taken] = ()
        return lines

    def by_name(self, scope: Scope) -> Lines:
        """Other names for a list, and new lists of what it holds."""
        name, other = self.rng.choice(self.numbers), self.rng.choice(self.numbers)
        own = self.fresh("ys")
        forms = [
            f"{name}",
            f"{name}",
            f"list({name})",
            f"{name}[:]",
            f"{name}[1:]",
            f"{name}.copy()",
            f"{name}[::-1]",
            f"{name} + {other}",
            f"sorted({name}, key=lambda v: np.real(v))",
            f"push({name}, t)",
            f"{name} if np.sum(x) > 0 else {other}",
        ]
        line = f"{own} = {self.rng.choice(forms)}"
        self.numbers.append(own)
        if self.rng.random() < 0.2:
            return [line, f"{name}, {own} = {own}, {name}"]
        return [line]

    def walked(self, scope: Scope) -> Lines:
        """A loop over a list that may change it."""
        name, k = self.rng.choice(self.numbers), self.fresh("k")
        total = self.fresh("s")
        forms = [
            [f"for {k} in range(1, len({name})):", f"    {name}[{k}] *= {name}[{k} - 1]"],
            [f"for {k} in range(len({name})):", f"    {name}[{k}] += {name}[-{k} - 1] * 0.3"],
            [f"while len({name}) > 2:", f"    {name}.append({name}.pop() * {name}.pop(0))"],
            [f"{total} = 0.0", f"while {name}:", f"    {total} = 0.6 * {total} + {name}.pop()"],
            [f"for {k}, v in enumerate({name}):", f"    {name}[{k}] = np.sin(v) * t"],
            [f"{total} = 0.0", f"for v in {name}:", f"    {total} = 0.6 * {total} * v + v"],
        ]
        lines = self.rng.choice(forms)
        if lines[0].startswith(total):
            scope[total] = ()
        if lines[1].startswith("while"):
            lines.append(f"{name}.append({total})")
        return lines

    def used(self, scope: Scope) -> Lines:
        """A list used whole, between its changes."""
        name, own = self.rng.choice(self.numbers), self.fresh("s")
        scope[own] = ()
        uses = [f"sum({name})", f"np.sum(np.array({name}) ** 2)", f"{name}[0] * {name}[-1]"]
        uses += [f"np.mean({name})", f"sum(v * v for v in {name})", f"np.prod(np.stack({name}))"]
        return [f"{own} = 0.3 * {self.rng.choice(uses)}"]

    def new_rows(self, scope: Scope) -> Lines:
        name, value = self.fresh("rows"), self.number(scope)
        one, other = self.rng.choice(self.numbers), self.rng.choice(self.numbers)
        forms = [
            f"[[{value}, {self.number(scope)}], [{self.number(scope)}]]",
            f"[{one}, {other}]",
            f"[[{value}, t] for _ in range(2)]",
            f"[[{value}] * 2] * 2",
        ]
        line = f"{name} = {self.rng.choice(forms)}"
        self.rows.append(name)
        return [line]

    def in_row(self, scope: Scope) -> Lines:
        name, value = self.rng.choice(self.rows), self.number(scope)
        i, j, own = self.place(), self.place(), self.fresh("row")
        forms = [
            [f"{name}[{i}][{j}] = {value}"],
            [f"{name}[{i}][{j}] += {value}"],
            [f"{name}[{i}].append({value})"],
            [f"{name}.append({name}[{i}])"],
            [f"{name}.append([{value}, t])"],
            [f"{name}[{i}] = {self.rng.choice([*self.numbers, f'[{value}, t]'])}"],
            [f"for {own} in {name}:", f"    {own}[0] = {own}[-1] * 0.7"],
            [f"for {own} in {name}:", f"    scale({own}, {value})"],
            [f"{own} = {name}[{i}]"],
            [f"{own} = {name}.pop()", f"{name}.append({own})"],
        ]
        lines = self.rng.choice(forms)
        if lines[0].startswith(own):
            self.numbers.append(own)
        return lines

    def new_table(self, scope: Scope) -> Lines:
        name, value, k = self.fresh("table"), self.number(scope), self.fresh("k")
        self.tables.append(name)
        forms = [
            [f"{name} = {{{k}: {value} for {k} in range(3)}}"],
            [f"{name} = {{}}", f"for {k} in range(3):", f"    {name}[{k}] = {value} * {k}"],
            [f"{name} = {{0: {value}, 1: t}}", f"{name}[len({name})] = {self.number(scope)}"],
            [f"{name} = dict(zip(range(3), x))"],
        ]
        return self.rng.choice(forms)

    def by_key(self, scope: Scope) -> Lines:
        name, value = self.rng.choice(self.tables), self.number(scope)
        k, own = self.key(), self.fresh("v")
        forms = [
            [f"{name}[{k}] = {value}"],
            [f"{name}[{k}] = {value}"],
            [f"{name}[{k}] += {value}"],
            [f"{name}[{k}] *= {value}"],
            [f"{own} = {name}.setdefault({k} + 1, {value})"],
            [f"{own} = {name}.pop({k}, {value})"],
            [f"{own} = {name}.get({k}, {value})"],
            [f"{name}.update({{{k}: {value}}})"],
            [f"moved({name}, {k}, {value})"],
            [f"del {name}[{k}]"],
        ]
        lines = self.rng.choice(forms)
        if lines[0].startswith(own):
            scope[own] = ()
        return lines

    def over_table(self, scope: Scope) -> Lines:
        name, k, total = self.rng.choice(self.tables), self.fresh("k"), self.fresh("s")
        own = self.fresh("table")
        forms = [
            [f"for {k} in {name}:", f"    {name}[{k}] = {name}[{k}] * t"],
            [f"{total} = 0.0", f"for {k}, v in {name}.items():", f"    {total} += v * v * {k}"],
            [f"{total} = sum({name}.values())"],
            [f"{own} = {name}"],
            [f"{own} = dict({name})"],
            [f"{own} = {name}.copy()"],
            [f"{own} = {{**{name}, 1: t}}"],
        ]
        lines = self.rng.choice(forms)
        if lines[0].startswith(total):
            scope[total] = ()
        elif lines[0].startswith(own):
            self.tables.append(own)
        return lines

    def new_group(self, scope: Scope) -> Lines:
        name, k = self.fresh("groups"), self.fresh("k")
        self.groups.append(name)
        forms = [
            [f"{name}.setdefault({k} % 2, []).append({self.number(scope)})"],
            [f"if {k} % 2 not in {name}:", f"    {name}[{k} % 2] = []"]
            + [f"{name}[{k} % 2].append({self.number(scope)} * {k})"],
        ]
        return [f"{name} = {{}}", f"for {k} in range(3):", *indented(self.rng.choice(forms))]

    def in_group(self, scope: Scope) -> Lines:
        name, value, own = self.rng.choice(self.groups), self.number(scope), self.fresh("ys")
        forms = [
            [f"{name}[{self.rng.choice('01')}].append({value})"],
            [f"{name}[0][0] = {value}"],
            [f"{own} = {name}[{self.rng.choice('01')}]"],
            [f"for {own} in {name}.values():", f"    {own}.append({own}[0] * t)"],
            [f"{name}[1] = {name}[0]"],
        ]
        lines = self.rng.choice(forms)
        if lines[0].startswith(own):
            self.numbers.append(own)
        return lines

    def result(self, scope: Scope) -> Lines:
        """All that is alive: the items of all containers, too."""
        lines = ["total = 0.0"]
        for name in self.numbers:
            lines += [f"for v in {name}:", "    total = 0.7 * total + v"]
        for name in self.rows:
            lines += [f"for row in {name}:", "    for v in row:", "        total = 0.8 * total + v"]
        for name in self.tables:
            lines += [f"for k in sorted({name}):", f"    total = 0.6 * total + {name}[k]"]
        for name in self.groups:
            lines += [f"for row in {name}.values():", "    total = 0.7 * total + sum(row) * row[0]"]
        *rest, last = super().result(scope)
        return [*lines, *rest, f"{last} + total" if "r0" in last else "return total"]
