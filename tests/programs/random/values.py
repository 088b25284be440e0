"""Random expressions over places (`x`, `items[0]`, `state['u']`, `model.u`) of any shape."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager

from tests.programs.random.expressions import Scope, Shape
from tests.programs.random.regions import Region, regions_of


class Values:
    """Draws values, places and parts of places; what it draws stays of order one."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.integers: list[str] = []
        """Loop counters in scope."""
        self.limits: dict[str, int] = {}
        """What a counter of `range` is below."""
        self.fixed: set[str] = set()
        """Places that cannot be assigned: items of tuples."""

    @contextmanager
    def counter(self, name: str, limit: int | None = None) -> Iterator[None]:
        """Let expressions mention a loop counter."""
        self.integers.append(name)
        if limit is not None:
            self.limits[name] = limit
        yield
        self.integers.remove(name)

    def number(self, low: float = -1.2, high: float = 1.2) -> str:
        value = round(self.rng.uniform(low, high), 2)
        return repr(value if abs(value) > 0.05 else 0.37)

    def threshold(self) -> str:
        """A number that no value equals: two digits are for values, three for comparisons."""
        return repr(round(self.rng.randrange(-50, 50) / 100 + 0.007, 3))

    def array(
        self, scope: Scope, shape: Shape | None = None, ndim: int | None = None
    ) -> str | None:
        """A place that holds an array, recent ones more likely; None if there is none."""
        found = [
            place
            for place, held in scope.items()
            if held != () and held == (shape or held) and len(held) == (ndim or len(held))
        ]
        if not found:
            return None
        return self.rng.choice(found[-4:] if self.rng.random() < 0.5 else found)

    def some_array(self, scope: Scope) -> str:
        place = self.array(scope)
        assert place is not None, "every function has an array"
        return place

    def region(self, shape: Shape, **wanted: bool | Shape) -> Region | None:
        """A subscript of an array of a shape, see `regions_of`."""
        groups = regions_of(shape, **wanted)  # type: ignore[arg-type]
        return self.rng.choice(self.rng.choice(groups)) if groups else None

    def part(self, scope: Scope, shape: Shape, views: bool = False) -> str | None:
        """A part of some place that has a shape."""
        places = [place for place, held in scope.items() if regions_of(held, shape, views)]
        if not places:
            return None
        place = self.rng.choice(places[-5:] if self.rng.random() < 0.5 else places)
        region = self.region(scope[place], wanted=shape, views=views)
        return None if region is None else place + region.text

    def counted(self, shape: Shape) -> tuple[str, Shape] | None:
        """A subscript by a loop counter: one element, row, column or window."""
        if not self.integers or not shape:
            return None
        k = self.rng.choice(self.integers)
        n, limit = shape[0], self.limits.get(k, 99)
        found = [(f"[{k} % {n}]", shape[1:])]
        if limit <= n:
            found += [(f"[{k}]", shape[1:]), (f"[-{k} - 1]", shape[1:])]
        if limit < n:
            found += [(f"[{k}:{k} + 2]", (2, *shape[1:]))]
        if len(shape) == 2:
            found += [(f"[:, {k} % {shape[1]}]", shape[:1])]
            found += [(f"[{k} % {n}, {k} % {shape[1]}]", ()), (f"[{k} % {n}, 1:]", (shape[1] - 1,))]
        return self.rng.choice([one for one in found if 0 not in one[1]])

    def leaf(self, scope: Scope, shape: Shape) -> str:
        names = [place for place, held in scope.items() if held == shape]
        if names and self.rng.random() < 0.65:
            return self.rng.choice(names[-4:] if self.rng.random() < 0.6 else names)
        if self.integers and self.rng.random() < 0.3:
            place = self.some_array(scope)
            counted = self.counted(scope[place])
            if counted is not None and counted[1] == shape:
                return place + counted[0]
        part = self.part(scope, shape)
        if part is not None and self.rng.random() < 0.9:
            return part
        if shape == ():
            if self.integers and self.rng.random() < 0.4:
                return f"0.3 * {self.rng.choice(self.integers)}"
            return self.number()
        return f"({self.leaf(scope, ())} * np.ones({shape}))"

    def narrower(self, scope: Scope, shape: Shape, depth: int) -> str:
        """A value that broadcasts to a shape."""
        draw = self.rng.random()
        if draw < 0.35 or shape == ():
            return self.expression(scope, (), depth)
        others = [shape[1:]] if len(shape) == 2 else []
        others += [(1, *shape[1:]), (*shape[:-1], 1)]
        found = [other for other in others if other != shape]
        if draw < 0.55 and found:
            part = self.part(scope, self.rng.choice(found))
            if part is not None:
                return part
        return self.expression(scope, shape, depth)

    def expression(self, scope: Scope, shape: Shape, depth: int = 1) -> str:
        """An expression of exactly a shape."""
        if depth <= 0 or self.rng.random() < 0.15:
            return self.leaf(scope, shape)
        a, b = self.leaf(scope, shape), self.narrower(scope, shape, depth - 1)
        deep = self.expression(scope, shape, depth - 1)
        forms = [
            f"np.tanh({a} * {b})",
            f"np.sin({a} + {b})",
            f"0.6 * {a} - {self.number()} * ({b})",
            f"({deep}) * ({b}) / 2",
            f"({b}) / (1.5 + ({a}) ** 2)",
            f"np.cos({deep}) * {a}",
            f"np.exp(-({a}) ** 2)",
            f"0.5 * {a} * {a}",
            f"{self.number()} * {a}",
        ]
        if shape == ():
            forms += self.reductions(scope)
        elif self.rng.random() < 0.4:
            forms += self.arrangements(scope, shape, a, b)
        return self.rng.choice(forms)

    def reductions(self, scope: Scope) -> list[str]:
        place = self.some_array(scope)
        a = self.leaf(scope, scope[place])
        forms = [f"0.3 * np.sum({place})", f"0.3 * np.sum({place} * {a})", f"({place}).mean()"]
        vector = self.array(scope, ndim=1)
        if vector is not None:
            forms.append(f"0.3 * {vector} @ {self.leaf(scope, scope[vector])}")
        return forms * 2

    def arrangements(self, scope: Scope, shape: Shape, a: str, b: str) -> list[str]:
        forms = [
            f"np.where({a} > {self.threshold()}, {a}, 0.5 * ({b}))",
            f"np.maximum({a}, {self.threshold()})",
            f"({a}).copy()",
            f"np.abs({a} + 0.213)",
            f"np.concatenate([({a})[1:], ({a})[:1]])",
        ]
        if len(shape) == 2:
            forms.append(f"np.outer({self.leaf(scope, shape[:1])}, {self.leaf(scope, shape[1:])})")
            forms.append(f"({self.leaf(scope, shape[::-1])}).T")
        else:
            matrix = self.array(scope, ndim=2)
            if matrix is not None:
                n, m = scope[matrix]
                if (n,) == shape:
                    forms.append(f"0.4 * {matrix} @ {self.leaf(scope, (m,))}")
                if (m,) == shape:
                    forms.append(f"0.4 * np.sum({matrix}, axis=0)")
        return forms

    def condition(self, scope: Scope) -> str:
        place = self.some_array(scope)
        corner = ", 0" if len(scope[place]) == 2 else ""
        tests = [
            f"{self.leaf(scope, ())} > {self.threshold()}",
            f"np.sum({place}) > {self.threshold()}",
            f"{place}[{self.rng.choice(['0', '-1'])}{corner}] < {self.threshold()}",
            *[f"{k} % 2 == {self.rng.randrange(2)}" for k in self.integers * 2],
            *[f"{k} > 0" for k in self.integers],
        ]
        first = self.rng.choice(tests)
        if self.rng.random() < 0.15:
            return f"({first} {self.rng.choice(['and', 'or'])} {self.rng.choice(tests)})"
        return first
