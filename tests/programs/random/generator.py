"""Random programs: assignments, branches, loops, calls and returns over numbers and small arrays.

`generate(seed)` gives the text of a module with a function `f` and the arguments to call it with.
Reuse is drawn on purpose: names overwritten in loops and used after them, defined on one branch,
aliased, swapped, carried through nonlinear updates, or dead.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from tests.programs.random.expressions import SHAPES, Expressions, Scope, Shape

Lines = list[str]


@dataclass(frozen=True, slots=True)
class RandomProgram:
    """The text of a module that defines `f`, and arguments for it."""

    seed: int
    text: str
    args: tuple[Any, ...]


def generate(seed: int) -> RandomProgram:
    """The program of a seed."""
    writer = Writer(random.Random(seed))
    text, shapes = writer.module()
    return RandomProgram(seed, text, arguments(shapes, seed))


def arguments(shapes: list[Shape], seed: int) -> tuple[Any, ...]:
    """Distinct arguments of order one, one per shape; a number for the shape ()."""
    stream = np.random.default_rng(seed)
    drawn = [stream.uniform(-1.3, 1.3, shape) for shape in shapes]
    return tuple(a if a.ndim else float(a) for a in drawn)


def indented(lines: Lines) -> Lines:
    return ["    " + line for line in lines] or ["    pass"]


class Writer:
    """Writes statements, keeping track of which names are certainly defined."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.draw = Expressions(rng)
        self.count = 0
        self.budget = rng.randint(4, 11)

    def fresh(self, stem: str) -> str:
        self.count += 1
        return f"{stem}{self.count}"

    def module(self) -> tuple[str, list[Shape]]:
        lines = ["import numpy as np", ""]
        for _ in range(self.rng.choice([0, 0, 1, 1, 2])):
            lines += ["", *self.helper(), ""]
        shapes: list[Shape] = [()]
        shapes += [self.rng.choice(SHAPES) for _ in range(self.rng.randint(1, 2))]
        scope: Scope = dict(zip("xyz", shapes))
        lines += ["", f"def f({', '.join(scope)}):"]
        for name in ("s", "t"):
            lines.append(f"    {name} = {self.draw.expression(scope, (), 1)}")
            scope[name] = ()
        lines.append(f"    v = {self.draw.expression(scope, (3,), 2)}")
        scope["v"] = (3,)
        if self.rng.random() < 0.25:
            lines += indented(self.nested_function(scope))
        while self.budget > 0:
            lines += indented(self.statement(scope, in_loop=False, depth=0))
        live = list(scope.items())
        used = live[:6] + self.rng.sample(live[6:], min(4, len(live[6:])))
        terms = [name if shape == () else f"np.sum({name})" for name, shape in used]
        lines.append(f"    return {' + '.join(f'{self.draw.number()} * {t}' for t in terms)}")
        return "\n".join(lines) + "\n", shapes

    def helper(self) -> Lines:
        """An elementwise helper, with control flow that does not depend on shapes."""
        name = self.fresh("helper")
        scope: Scope = {"a": (), "b": ()} if self.rng.random() < 0.6 else {"a": ()}
        small = Expressions(self.rng)
        kind = self.rng.randrange(3)
        lines = [f"def {name}({', '.join(scope)}):"]

        def smooth() -> str:
            first, last = list(scope)[0], list(scope)[-1]
            return self.rng.choice(
                [
                    f"np.sin({first}) * {last}",
                    f"np.tanh({first} - 0.5 * {last})",
                    f"0.5 * {first} * {last} + {small.number()} * {last}",
                    f"{first} / (1 + {last} ** 2)",
                ]
            )

        lines.append(f"    c = {smooth()}")
        scope["c"] = ()
        if kind == 1:
            lines += ["    for k in range(3):", f"        c = np.tanh({smooth()}) + 0.3 * k"]
            lines += [f"        a = 0.5 * a + np.tanh({smooth()})"]
        if kind == 2:
            lines += [f"    if np.sum(c) > {small.number()}:", f"        return {smooth()}"]
            lines += [f"    a = a * c + {small.number()}"]
        lines.append(f"    return {smooth()}")
        self.draw.functions[name] = 2 if "b" in scope else 1
        return lines

    def nested_function(self, scope: Scope) -> Lines:
        """A closure over what is defined so far."""
        name = self.fresh("inner")
        captured = self.draw.leaf({k: v for k, v in scope.items() if v == ()}, ())
        form = self.rng.choice([f"np.sin(p * {captured})", f"0.5 * p - {captured} * p ** 2 / 4"])
        self.draw.functions[name] = 1
        return [f"def {name}(p):", f"    return np.tanh({form})"]

    def statement(self, scope: Scope, in_loop: bool, depth: int) -> Lines:
        self.budget -= 1
        simple: list[Callable[[Scope], Lines]] = [
            *[self.assignment] * 5,
            *[self.overwrite] * 4,
            *[self.augmented] * 2,
            self.swap,
            self.alias,
            self.packed,
            self.grown_list,
            self.flagged,
            self.dead,
        ]
        if depth < 3 and self.budget > 0 and self.rng.random() < 0.45:
            compound = [self.branch, self.branch, self.for_loop, self.for_loop, self.while_loop]
            return self.rng.choice([*compound, self.protected])(scope, in_loop, depth)
        return self.rng.choice(simple)(scope)

    def block(self, scope: Scope, in_loop: bool, depth: int) -> Lines:
        lines: Lines = []
        for _ in range(self.rng.choice([1, 1, 2, 2, 3])):
            lines += self.statement(scope, in_loop, depth + 1)
        return lines

    def assignment(self, scope: Scope) -> Lines:
        shape = self.rng.choice([(), (), (3,), (3,), (3, 1), (1, 3), (2, 3)])
        name = self.fresh("u")
        lines = [f"{name} = {self.draw.expression(scope, shape, 2)}"]
        scope[name] = shape
        return lines

    def overwrite(self, scope: Scope) -> Lines:
        name = self.rng.choice(list(scope))
        value = self.draw.expression(scope, scope[name], 2)
        if self.rng.random() < 0.5:
            return [f"{name} = 0.6 * {name} + 0.5 * {value}"]
        return [f"{name} = {value}"]

    def augmented(self, scope: Scope) -> Lines:
        names = [name for name, shape in scope.items() if shape == ()]
        target = self.rng.choice(names)
        value = self.draw.expression(scope, (), 2)
        op = self.rng.choice([f"+= 0.2 * ({value})", f"-= 0.2 * ({value})", f"*= np.cos({value})"])
        return [f"{target} {op}"]

    def swap(self, scope: Scope) -> Lines:
        name = self.rng.choice(list(scope))
        same = [other for other, shape in scope.items() if shape == scope[name]]
        other = self.rng.choice(same)
        if other == name:
            return self.overwrite(scope)
        second = self.rng.choice([name, self.draw.expression(scope, scope[name], 1)])
        return [f"{name}, {other} = {other}, {second}"]

    def alias(self, scope: Scope) -> Lines:
        name = self.rng.choice(list(scope))
        other = self.fresh("alias")
        lines = [f"{other} = {name}"]
        scope[other] = scope[name]
        if self.rng.random() < 0.5:
            lines += [f"{name} = {self.draw.expression(scope, scope[name], 1)}"]
        return lines

    def packed(self, scope: Scope) -> Lines:
        a, b = self.rng.choice(list(scope)), self.rng.choice(list(scope))
        pair, first, second = self.fresh("pair"), self.fresh("p"), self.fresh("q")
        kind = self.rng.randrange(3)
        if kind == 0:
            lines = [
                f"{pair} = ({a}, {self.draw.expression(scope, scope[b], 1)})",
                f"{first}, {second} = {pair}",
            ]
        elif kind == 1:
            lines = [f"{pair} = [{a}, {b}]", f"{first} = {pair}[0]", f"{second} = {pair}[-1]"]
        else:
            lines = [
                f"{pair} = {{'a': {a}, 'b': {b}}}",
                f"{first} = {pair}['a'] * 0.5",
                f"{second} = {pair}['b']",
            ]
        scope[first], scope[second] = scope[a], scope[b]
        return lines

    def grown_list(self, scope: Scope) -> Lines:
        items, total = self.fresh("items"), self.fresh("total")
        value = self.draw.expression(scope, (), 2)
        lines = [f"{items} = [{self.draw.leaf(scope, ())}]", "for k in range(3):"]
        with self.draw.counter("k"):
            lines += [f"    {items}.append(np.sin({items}[-1] + {value}) - 0.2 * k)"]
        lines += [f"{total} = 0.0", f"for item in {items}:"]
        lines += [f"    {total} = 0.7 * {total} + item * {items}[0]"]
        scope[total] = ()
        return lines

    def flagged(self, scope: Scope) -> Lines:
        """A name that is defined on one branch only and used under the same condition."""
        flag, name = self.fresh("flag"), self.fresh("only")
        shape = self.rng.choice([(), (3,)])
        target = self.rng.choice([n for n, found in scope.items() if found == shape] or ["s"])
        shape = scope[target]
        lines = [f"{flag} = {self.draw.condition(scope)}", f"if {flag}:"]
        lines += [f"    {name} = {self.draw.expression(scope, shape, 2)}"]
        if self.rng.random() < 0.5:
            lines += self.overwrite(scope)
        lines += [f"if {flag}:", f"    {target} = np.tanh({name} * {target} + 0.2)"]
        return lines

    def dead(self, scope: Scope) -> Lines:
        name = self.fresh("dead")
        lines = [f"{name} = {self.draw.expression(scope, (3,), 2)}"]
        if self.rng.random() < 0.5:
            lines += [f"{name} = {self.draw.expression(scope, (), 2)}"]
            scope[name] = ()
        return lines

    def branch(self, scope: Scope, in_loop: bool, depth: int) -> Lines:
        lines = [f"if {self.draw.condition(scope)}:"]
        yes, no = dict(scope), dict(scope)
        lines += indented(self.block(yes, in_loop, depth))
        leaves = self.leave(yes, in_loop) if self.rng.random() < 0.3 else []
        lines += indented(leaves) if leaves else []
        if self.rng.random() < 0.3:
            lines += [f"elif {self.draw.condition(scope)}:"]
            lines += indented(self.block(dict(scope), in_loop, depth))
        elif self.rng.random() < 0.6:
            lines += ["else:", *indented(self.block(no, in_loop, depth))]
            scope.update(no if leaves else {k: v for k, v in no.items() if yes.get(k) == v})
        return lines

    def leave(self, scope: Scope, in_loop: bool) -> Lines:
        if in_loop and self.rng.random() < 0.75:
            return [self.rng.choice(["break", "continue"])]
        return [f"return {self.draw.expression(scope, (), 2)}"]

    def for_loop(self, scope: Scope, in_loop: bool, depth: int) -> Lines:
        vectors = [name for name, shape in scope.items() if shape == (3,)]
        vector, other = self.rng.choice(vectors), self.rng.choice(vectors)
        k, item = self.fresh("k"), self.fresh("item")
        inner = dict(scope)
        kind = self.rng.randrange(6)
        n = self.rng.randint(1, 4)
        counted = True
        if kind == 0:
            head = f"for {k}, {item} in enumerate({vector}):"
            inner[item] = ()
        elif kind == 1:
            head = f"for {item}, {k} in zip({vector}, range(3)):"
            inner[item] = ()
        elif kind == 2:
            head, counted = f"for {item}, {k} in zip({vector}, {other}):", False
            inner[item] = inner[k] = ()
        elif kind == 3:
            matrices = [name for name, shape in scope.items() if shape == (2, 3)]
            if matrices:
                head, counted = f"for {item} in {self.rng.choice(matrices)}:", False
                inner[item] = (3,)
            else:
                head = f"for {k} in reversed(range({n})):"
        else:
            head = f"for {k} in range({n}):"
        if counted:
            with self.draw.counter(k):
                lines = [head, *indented(self.block(inner, True, depth))]
        else:
            lines = [head, *indented(self.block(inner, True, depth))]
        if self.rng.random() < 0.15:
            lines += ["else:", *indented(self.overwrite(scope))]
        return lines + self.after_loop(scope, inner, lines)

    def after_loop(self, scope: Scope, inner: Scope, lines: Lines) -> Lines:
        """Names of the body stay defined after it, unless it could be left before them."""
        jumps = any(line.strip() in ("break", "continue") for line in lines)
        if not jumps and self.rng.random() < 0.8:
            scope.update(inner)
        return []

    def while_loop(self, scope: Scope, in_loop: bool, depth: int) -> Lines:
        n = self.fresh("n")
        limit = self.rng.randint(1, 4)
        also = f" and {self.draw.condition(scope)}" if self.rng.random() < 0.5 else ""
        inner = dict(scope)
        with self.draw.counter(n):
            body = self.block(inner, True, depth)
        lines = [f"{n} = 0", f"while {n} < {limit}{also}:", f"    {n} += 1", *indented(body)]
        if not also:
            self.after_loop(scope, inner, lines)
        return lines

    def protected(self, scope: Scope, in_loop: bool, depth: int) -> Lines:
        return ["with np.errstate(all='ignore'):", *indented(self.block(scope, in_loop, depth))]
