"""Random expressions of a wanted shape, smooth and bounded so that values stay of order one."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager

Shape = tuple[int, ...]
Scope = dict[str, Shape]

SHAPES: tuple[Shape, ...] = ((), (3,), (3, 1), (1, 3), (2, 3))
BROADCASTS: dict[Shape, tuple[Shape, ...]] = {
    (): ((),),
    (3,): ((), (3,)),
    (3, 1): ((), (3, 1)),
    (1, 3): ((), (3,), (1, 3)),
    (2, 3): ((), (3,), (1, 3), (2, 3)),
}


class Expressions:
    """Draws expressions over the names of a scope.

    An expression has exactly the shape asked for. Coefficients keep values of order one however
    often a statement is repeated.
    """

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.integers: list[str] = []
        """Names of integers in scope: loop counters."""
        self.functions: dict[str, int] = {}
        """Names of elementwise helper functions, with their number of parameters."""

    @contextmanager
    def counter(self, name: str) -> Iterator[None]:
        """Let expressions mention a loop counter."""
        self.integers.append(name)
        yield
        self.integers.remove(name)

    def number(self, low: float = -1.2, high: float = 1.2) -> str:
        value = round(self.rng.uniform(low, high), 2)
        return repr(value if abs(value) > 0.05 else 0.37)

    def expression(self, scope: Scope, shape: Shape, depth: int = 2) -> str:
        if depth <= 0 or self.rng.random() < 0.15:
            return self.leaf(scope, shape)
        forms: list[Callable[[Scope, Shape, int], str]] = [
            *[self.binary] * 5,
            *[self.unary] * 4,
            self.choice,
            self.reuse,
            *([self.helper] * 3 if self.functions else []),
            *[self.reduction if shape == () else self.rearranged] * 3,
        ]
        return self.rng.choice(forms)(scope, shape, depth - 1)

    def leaf(self, scope: Scope, shape: Shape) -> str:
        names = [name for name, found in scope.items() if found == shape]
        if names and self.rng.random() < 0.9:
            # Recent names first, so that values are passed on rather than forgotten.
            return self.rng.choice(names[-4:] if self.rng.random() < 0.6 else names)
        if shape == ():
            if self.integers and self.rng.random() < 0.4:
                return f"0.3 * {self.rng.choice(self.integers)}"
            return self.number()
        if self.rng.random() < 0.1:
            return f"np.full({shape}, {self.leaf(scope, ())})"
        return f"({self.leaf(scope, ())} * np.ones({shape}))"

    def narrower(self, scope: Scope, shape: Shape, depth: int) -> str:
        return self.expression(scope, self.rng.choice(BROADCASTS[shape]), depth)

    def binary(self, scope: Scope, shape: Shape, depth: int) -> str:
        a = self.expression(scope, shape, depth)
        b = self.narrower(scope, shape, depth)
        forms = [
            f"({a}) * ({b})",
            f"0.6 * ({a}) - {self.number()} * ({b})",
            f"({a} + {b}) / 2",
            f"({b}) / (1.5 + ({a}) ** 2)",
            f"({a} - ({b})) * 0.5",
            f"np.maximum({a}, {b})",
            f"np.arctan2({a}, 2 + ({b}) ** 2)",
        ]
        if shape == ():
            forms += [f"max({a}, {b})", f"min({a}, {b})"]
        return f"np.tanh({self.rng.choice(forms)})" if depth else self.rng.choice(forms)

    def unary(self, scope: Scope, shape: Shape, depth: int) -> str:
        a = self.expression(scope, shape, depth)
        return self.rng.choice(
            [
                f"np.sin({a})",
                f"np.cos({a})",
                f"np.tanh({a})",
                f"np.exp(-({a}) ** 2)",
                f"np.sqrt(1 + ({a}) ** 2)",
                f"-({a})",
                f"0.4 * ({a}) ** 3",
                f"abs({a})",
                f"1 / (2 + np.sin({a}))",
            ]
        )

    def choice(self, scope: Scope, shape: Shape, depth: int) -> str:
        a, b = self.expression(scope, shape, depth), self.narrower(scope, shape, depth)
        if shape == () or self.rng.random() < 0.4:
            b = self.expression(scope, shape, depth)
            return f"({a} if {self.condition(scope)} else {b})"
        test = f"{self.leaf(scope, shape)} > {self.number(-0.5, 0.5)}"
        return f"np.where({test}, {a}, {b})"

    def reuse(self, scope: Scope, shape: Shape, depth: int) -> str:
        name = self.leaf(scope, shape)
        return f"({name} * {name} - 0.5 * {name})"

    def helper(self, scope: Scope, shape: Shape, depth: int) -> str:
        name = self.rng.choice(sorted(self.functions))
        rest = [self.narrower(scope, shape, depth - 1) for _ in range(self.functions[name] - 1)]
        return f"{name}({', '.join([self.expression(scope, shape, depth), *rest])})"

    def reduction(self, scope: Scope, shape: Shape, depth: int) -> str:
        of = self.rng.choice(SHAPES[1:])
        a = self.expression(scope, of, depth)
        item = ", ".join(str(self.rng.randrange(-n, n)) for n in of)
        forms = [f"0.3 * np.sum({a})", f"({a}).mean()", f"({a})[{item}]", f"np.max({a})"]
        if of == (3,):
            forms += [f"0.4 * (({a}) @ ({self.expression(scope, of, depth)}))"]
            forms += [f"({a})[{k} % 3]" for k in self.integers]
            forms += [f"0.3 * sum([v * v for v in {a}])"]
        return self.rng.choice(forms)

    def rearranged(self, scope: Scope, shape: Shape, depth: int) -> str:
        def vector() -> str:
            return self.expression(scope, (3,), depth)

        def matrix() -> str:
            return self.expression(scope, (2, 3), depth)

        def scalar() -> str:
            return self.expression(scope, (), depth)

        column = self.expression(scope, (3, 1), depth - 1)
        row = self.expression(scope, (1, 3), depth - 1)
        forms = {
            (3,): [
                f"({vector()})[::-1]",
                f"({vector()})[np.array([2, 0, 0])]",
                f"np.concatenate([({vector()})[1:], ({vector()})[:1]])",
                f"({matrix()})[{self.rng.randrange(2)}]",
                f"0.5 * np.sum({matrix()}, axis=0)",
                f"0.5 * np.sum(({column}) * ({row}), axis={self.rng.randrange(2)})",
                f"({column}).ravel()",
                f"np.array([{scalar()}, {scalar()}, {scalar()}])",
                f"({column})[:, 0]",
            ],
            (3, 1): [
                f"({vector()})[:, None]",
                f"({vector()}).reshape(3, 1)",
                f"({row}).T",
                f"0.4 * np.sum(({column}) * ({row}), axis=1, keepdims=True)",
            ],
            (1, 3): [
                f"({vector()})[None, :]",
                f"np.sum({matrix()}, axis=0, keepdims=True)",
                f"({column}).T",
                f"({matrix()})[1:]",
            ],
            (2, 3): [
                f"np.stack([{vector()}, {vector()}])",
                f"({matrix()})[::-1]",
                f"0.3 * ({matrix()}) @ (({column}) * ({row}))",
                f"np.concatenate([{row}, {row}])",
            ],
        }
        return self.rng.choice(forms[shape])

    def condition(self, scope: Scope) -> str:
        tests = [
            f"{self.leaf(scope, ())} > {self.number(-0.6, 0.6)}",
            f"{self.leaf(scope, ())} < {self.expression(scope, (), 1)}",
            f"np.sum({self.leaf(scope, (3,))}) > {self.number(-0.6, 0.6)}",
            *[f"{k} % 2 == {self.rng.randrange(2)}" for k in self.integers],
            *[f"{k} > 0" for k in self.integers],
        ]
        first = self.rng.choice(tests)
        if self.rng.random() < 0.2:
            second = self.rng.choice(tests)
            return self.rng.choice([f"({first} and {second})", f"({first} or not {second})"])
        return first
