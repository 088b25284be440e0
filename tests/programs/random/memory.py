"""Random programs with mutable memory: stores, views, aliases, buffers, helpers, containers.

`generate_memory(seed)` gives the text of a module with a function `f` and the arguments to call it
with. The result combines all memory that is alive at the end with distinct weights, so that one
wrong adjoint anywhere shows. Programs that fail, overflow or read memory never written are drawn
again; `complex_step` says how a program is run on complex numbers.
"""

from __future__ import annotations

import functools
import math
import random
import types
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from tests.language import oracle
from tests.programs.random.callees import Callee, Callees
from tests.programs.random.containers import Containers
from tests.programs.random.expressions import Scope, Shape
from tests.programs.random.generator import RandomProgram
from tests.programs.random.parts import Lines, indented
from tests.programs.random.stores import Stores
from tests.programs.random.values import Values
from tests.programs.random.views import Views

LARGEST = 30.0
ARRAYS: tuple[Shape, ...] = ((3,), (4,), (4,), (4,), (3, 4), (3, 4))


def generate_memory(seed: int) -> RandomProgram:
    """The program of a seed."""
    for attempt in range(100):
        writer = MemoryWriter(random.Random(f"{seed}, {attempt}"))
        text, args = writer.program(seed)
        if sound(text, args):
            return RandomProgram(seed, text, args)
    raise AssertionError(f"no sound program for seed {seed}")


def sound(text: str, args: tuple[Any, ...]) -> bool:
    """Whether the program runs, with every value written before it is read, and stays small."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("error")
        try:
            value = complex(complex_step(text)(*oracle.copied(args)))
            defined(text)(*oracle.copied(args))
        except Exception:
            return False
    return math.isfinite(value.real) and abs(value) < LARGEST


def defined(text: str, numpy: Any = np) -> Callable[..., Any]:
    """The function of a program, with a module in place of NumPy."""
    namespace: dict[str, Any] = {"__name__": "random_program"}
    exec(compile(text, "<random program>", "exec"), namespace)
    namespace["np"] = numpy
    function: Callable[..., Any] = namespace["f"]
    return function


def complex_step(text: str) -> Callable[..., Any]:
    """The function on complex numbers: its arguments, and all memory that it makes.

    Memory of `np.empty` is filled with NaN. Comparisons order by the real part, so every program
    that `MemoryWriter` writes is analytic around almost every point.
    """
    function = defined(text, _complex_numpy())

    @functools.wraps(function)
    def analytic(*args: Any) -> Any:
        made = [
            leaf.astype(complex) if isinstance(leaf, np.ndarray) else np.complex128(leaf)
            for leaf in oracle.leaves(args)
        ]
        return np.complex128(function(*oracle.rebuild(args, iter(made))))

    return analytic


@functools.cache
def _complex_numpy() -> types.ModuleType:
    module = types.ModuleType("numpy")
    module.__dict__.update(np.__dict__)

    def widened(function: Callable[..., Any], empty: bool) -> Callable[..., Any]:
        def make(*args: Any, **keywords: Any) -> Any:
            made = np.asarray(function(*args, **keywords))
            made = made.astype(complex) if made.dtype == float else made
            return np.full_like(made, np.nan) if empty else made

        return make

    names = "array empty empty_like full full_like linspace ones ones_like zeros zeros_like"
    for name in names.split():
        setattr(module, name, widened(getattr(np, name), name.startswith("empty")))
    module.abs = lambda x: np.where(np.real(x) < 0, -x, x)  # type: ignore[attr-defined]
    return module


class MemoryWriter(Stores, Views, Containers, Callees):
    """Writes programs; names, items and attributes are all places with a fixed shape."""

    def __init__(self, rng: random.Random) -> None:
        super().__init__(rng)
        self.draw = Values(rng)
        self.budget = rng.choice([1, 2, 3, 4, 5, 6, 7, 8])
        self.lists: dict[str, Shape] = {}
        self.dicts: dict[str, Shape] = {}
        self.callees: list[Callee] = []
        self.methods: dict[str, str] = {}
        self.shapes: dict[str, Shape] = {}

    def program(self, seed: int) -> tuple[str, tuple[Any, ...]]:
        """The text of the module, and arguments."""
        lines = ["import numpy as np", ""]
        for _ in range(self.rng.choice([0, 0, 0, 1, 1, 2])):
            lines += ["", *self.helper_function(), ""]
        if self.rng.random() < 0.15:
            lines += ["", *self.helper_class(), ""]
        args, scope = self.parameters(np.random.default_rng(seed))
        lines += ["", f"def f({', '.join(args)}):"]
        start = scope if self.rng.random() < 0.6 else {}
        if start is scope:
            lines += indented([f"s = {self.draw.expression(scope, (), 1)}"])
            scope["s"] = ()
        while self.budget > 0:
            lines += indented(self.statement(scope, in_loop=False, depth=0))
        lines += indented(self.result(scope))
        return "\n".join(map(str.rstrip, lines)) + "\n", tuple(args.values())

    def parameters(self, stream: np.random.Generator) -> tuple[dict[str, Any], Scope]:
        """Arguments by name, and the places they bring."""
        args: dict[str, Any] = {}
        scope: Scope = {}
        for name in "xyz"[: self.rng.choice([1, 2, 2, 3])]:
            scope[name] = self.rng.choice(ARRAYS)
            args[name] = stream.uniform(-1.2, 1.2, scope[name])
        if self.rng.random() < 0.5:
            args["t"], scope["t"] = float(stream.uniform(-1.0, 1.0)), ()
        kind = self.rng.random()
        if kind < 0.06:
            args["parts"] = [stream.uniform(-1.0, 1.0, 4), stream.uniform(-1.0, 1.0, 4)]
            scope.update({"parts[0]": (4,), "parts[1]": (4,), "parts[-1]": (4,)})
            self.lists["parts"] = (4,)
        elif kind < 0.12:
            args["init"] = {"u": stream.uniform(-1.0, 1.0, 3), "w": stream.uniform(-1.0, 1.0, 3)}
            scope.update({"init['u']": (3,), "init['w']": (3,)})
            self.dicts["init"] = (3,)
        return args, scope

    def result(self, scope: Scope) -> Lines:
        """All that is alive, with distinct weights."""
        terms = []
        for k, (place, shape) in enumerate(list(scope.items())[:14]):
            low = f"{0.3 + 0.07 * k:.2f}"
            if shape == ():
                terms.append(f"{low} * {place}")
            elif len(shape) == 1:
                terms.append(f"{place} @ np.linspace({low}, 1.1, {shape[0]})")
            else:
                weights = f"np.linspace({low}, 1.1, {shape[0] * shape[1]}).reshape{shape}"
                terms.append(f"np.sum({place} * {weights})")
        return [f"r{k} = {term}" for k, term in enumerate(terms)] + [
            f"return {' + '.join(f'r{k}' for k in range(len(terms)))}"
        ]

    def statement(self, scope: Scope, in_loop: bool, depth: int) -> Lines:
        self.budget -= 1
        if depth < 3 and self.budget > 0 and self.rng.random() < 0.3:
            forms = [self.branch, self.branch, self.for_loop, self.for_loop, self.for_loop]
            return self.rng.choice([*forms, self.while_loop])(scope, in_loop, depth)
        groups = [
            *[self.store_statement] * 9,
            *[self.view_statement] * 5,
            *[self.number_statement] * 2,
            *[self.container_statement] * 2,
            *[self.call_statement] * (3 if self.callees or self.shapes else 1),
        ]
        return self.rng.choice(groups)(scope)

    def number_statement(self, scope: Scope) -> Lines:
        numbers = [place for place, shape in scope.items() if shape == ()]
        value = self.draw.expression(scope, (), 2)
        if numbers and self.rng.random() < 0.7:
            op = self.rng.choice(["=", "+= 0.3 *", "*="])
            return [f"{self.rng.choice(numbers)} {op} {value}"]
        name = self.fresh("s")
        scope[name] = ()
        return [f"{name} = {value}"]

    def for_loop(self, scope: Scope, in_loop: bool, depth: int) -> Lines:
        inner, k = dict(scope), self.fresh("k")
        n = self.rng.randint(1, 3)
        limit: int | None = n
        kind = self.rng.randrange(6)
        if kind == 0:
            head = f"for {k} in reversed(range({n})):"
        elif kind == 1:
            array = self.draw.some_array(scope)
            item, limit = self.fresh("item"), scope[array][0]
            head = f"for {k}, {item} in enumerate({array}):"
            inner[item] = scope[array][1:]
        elif kind == 2:
            one, other = self.draw.some_array(scope), self.draw.some_array(scope)
            a, b = self.fresh("a"), self.fresh("b")
            head, limit = f"for {a}, {b}, {k} in zip({one}, {other}, range(3)):", 3
            inner[a], inner[b] = scope[one][1:], scope[other][1:]
        else:
            head = f"for {k} in range({n}):"
        with self.draw.counter(k, limit):
            lines = [head, *indented(self.block(inner, True, depth))]
        return lines + self.after_loop(scope, inner, lines)
