"""Functions, closures and methods that change their arguments, and calls of them."""

from __future__ import annotations

from dataclasses import dataclass

from tests.programs.random.expressions import Scope, Shape
from tests.programs.random.parts import Lines, Part, indented

LENGTHS: tuple[Shape, ...] = ((3,), (4,), (4,), (3, 4))


@dataclass(frozen=True, slots=True)
class Callee:
    """A helper: shapes of its parameters, of its result (None if it returns nothing)."""

    name: str
    parameters: tuple[Shape, ...]
    result: Shape | None


class Callees(Part):
    """Writes helpers and classes before `f`, and calls in it."""

    budget: int
    callees: list[Callee]
    methods: dict[str, str]
    """Which class an object is of, by its name."""
    shapes: dict[str, Shape]
    """The shape of `self.u`, by class."""

    def helper_function(self) -> Lines:
        """A function of one or two arrays and a number that changes them."""
        name = self.fresh("helper")
        parameters: list[Shape] = [self.rng.choice(LENGTHS)]
        if self.rng.random() < 0.6:
            parameters.append(self.rng.choice([parameters[0], self.rng.choice(LENGTHS)]))
        if self.rng.random() < 0.5:
            parameters.append(())
        scope: Scope = dict(zip("abc", parameters))
        kept, self.budget = self.budget, self.rng.randint(1, 3)
        body: Lines = []
        while self.budget > 0:
            body += self.block(scope, False, 2)
        self.budget = kept
        region = self.draw.region(parameters[0], views=True)
        assert region is not None
        results: list[tuple[str, Shape | None]] = [
            ("", None),
            ("", None),
            (f"a{region.text}", region.shape),
            ("a", parameters[0]),
            (self.draw.expression(scope, (), 1), ()),
            (self.draw.leaf(scope, parameters[0]), parameters[0]),
        ]
        text, result = self.rng.choice(results)
        self.callees.append(Callee(name, tuple(parameters), result))
        head = f"def {name}({', '.join(list('abc')[: len(parameters)])}):"
        return [head, *indented([*body, *([f"return {text}"] if text else [])])]

    def helper_class(self) -> Lines:
        """A class that keeps an array, with methods that change and replace it."""
        name = self.fresh("Model")
        shape = self.rng.choice(LENGTHS)
        self.shapes[name] = shape
        scope: Scope = {"self.u": shape, "e": ()}
        step = self.store_statement(scope)
        if self.rng.random() < 0.5:
            step += self.store_statement(scope)
        ends = ["return self.u[1:]", "self.u[0] = e", "return self", "self.e = self.e * e"]
        value = self.draw.expression(scope, shape, 1)
        return [
            f"class {name}:",
            *indented(["def __init__(self, u, e):", "    self.u = u", "    self.e = e", ""]),
            *indented(["def step(self, e):", *indented(step)]),
            *indented(indented([self.rng.choice([*ends, *ends[2:]])])),
            *indented(["", "def replace(self, e):", f"    self.u = {value}", ""]),
            *indented(["def part(self):", "    return self.u[::2]"]),
        ]

    def call_statement(self, scope: Scope) -> Lines:
        objects = [name for name in self.methods if f"{name}.u" in scope]
        forms = [self.call] * 3 if self.callees else []
        forms += [self.method] * 3 if objects else []
        forms += [self.new_object] * 2 if self.shapes else []
        return self.rng.choice(forms or [self.closure])(scope)

    def argument(self, scope: Scope, shape: Shape) -> str:
        """Memory with a name, a view of such, at times a value."""
        named = [place for place, held in scope.items() if held == shape]
        draw = self.rng.random()
        if shape != () and named and draw < 0.55:
            return self.rng.choice(named)
        part = self.draw.part(scope, shape, views=True) if shape != () else None
        if part is not None and draw < 0.95:
            return part
        return self.draw.expression(scope, shape, 1)

    def call(self, scope: Scope) -> Lines:
        callee = self.rng.choice(self.callees)
        given = [self.argument(scope, shape) for shape in callee.parameters]
        text = f"{callee.name}({', '.join(given)})"
        if callee.result is None or self.rng.random() < 0.15:
            return [text]
        if callee.result == ():
            name = self.fresh("s")
        else:
            same = [p for p in self.assignable(scope) if scope[p] == callee.result]
            reuse = bool(same) and self.rng.random() < 0.4
            name = self.rng.choice(same) if reuse else self.fresh("h")
        scope[name] = callee.result
        return [f"{name} = {text}"]

    def new_object(self, scope: Scope) -> Lines:
        kind = self.rng.choice(sorted(self.shapes))
        name = self.fresh("model")
        array = self.argument(scope, self.shapes[kind])
        line = f"{name} = {kind}({array}, {self.draw.leaf(scope, ())})"
        self.methods[name] = kind
        scope[f"{name}.u"], scope[f"{name}.e"] = self.shapes[kind], ()
        return [line]

    def method(self, scope: Scope) -> Lines:
        name = self.rng.choice([name for name in self.methods if f"{name}.u" in scope])
        n, *rest = self.shapes[self.methods[name]]
        value = self.draw.expression(scope, (), 1)
        kind = self.rng.randrange(5)
        if kind < 2:
            return [f"{name}.step({value})"]
        if kind == 2:
            return [f"{name}.replace({value})"]
        if kind == 3:
            return [f"{name}.e = {value}", f"{name}.u[1:] *= {name}.e"]
        view = self.fresh("v")
        scope[view] = ((n + 1) // 2, *rest)
        return [f"{view} = {name}.part()"]

    def closure(self, scope: Scope) -> Lines:
        """A nested function that changes an array of the function around it."""
        names = {place: shape for place, shape in scope.items() if place.isidentifier()}
        name, array = self.fresh("inner"), self.draw.array(names)
        if array is None:
            return self.store_statement(scope)
        region = self.draw.region(names[array], views=True)
        assert region is not None
        store = f"{array}{region.text} = 0.5 * {array}{region.text} + p"
        lines = [f"def {name}(p):", f"    {store}"]
        if self.rng.random() < 0.5:
            lines += [f"    return {array}"]
        return [*lines, f"{name}({self.draw.expression(scope, (), 1)})"]
