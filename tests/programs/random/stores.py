"""Statements that write into arrays."""

from __future__ import annotations

from tests.programs.random.expressions import Scope, Shape
from tests.programs.random.parts import Lines, Part


class Stores(Part):
    """Stores, augmented stores, `out=`, `np.add.at`, masks."""

    def store_statement(self, scope: Scope) -> Lines:
        forms = [
            *[self.store] * 4,
            *[self.augmented_store] * 4,
            *[self.overlapping] * 3,
            *[self.whole] * 3,
            *[self.whole_augmented] * 2,
            *[self.out] * 3,
            self.at,
            *[self.masked] * 2,
            self.power,
            self.inactive,
            self.exchange,
            self.recurrence,
            self.prefix,
            self.product,
        ]
        return self.rng.choice(forms)(scope)

    def target(self, scope: Scope, unique: bool) -> tuple[str, Shape, str]:
        """Place with subscript, its shape, and the place alone."""
        place = self.draw.some_array(scope)
        counted = self.draw.counted(scope[place]) if self.rng.random() < 0.6 else None
        if counted is not None:
            return place + counted[0], counted[1], place
        region = self.draw.region(scope[place], unique=unique)
        assert region is not None
        return place + region.text, region.shape, place

    def store(self, scope: Scope) -> Lines:
        target, shape, _ = self.target(scope, unique=True)
        if self.rng.random() < 0.1 and shape == ():
            number = self.fresh("c")
            lines = [f"{target} = {number} = {self.draw.expression(scope, (), 1)}"]
            scope[number] = ()
            return lines
        return [f"{target} = {self.draw.narrower(scope, shape, 2)}"]

    def operator(self, scope: Scope, shape: Shape) -> str:
        value = self.draw.narrower(scope, shape, 1)
        return self.rng.choice(
            [
                f"+= 0.4 * ({value})",
                f"+= {value}",
                f"-= 0.5 * ({value})",
                f"*= np.cos({value})",
                f"*= {value}",
                f"/= 1.5 + ({value}) ** 2",
            ]
        )

    def augmented_store(self, scope: Scope) -> Lines:
        target, shape, _ = self.target(scope, unique=self.rng.random() < 0.7)
        return [f"{target} {self.operator(scope, shape)}"]

    def whole_augmented(self, scope: Scope) -> Lines:
        place = self.draw.some_array(scope)
        if place in self.draw.fixed:
            return [f"{place}[:] {self.operator(scope, scope[place])}"]
        return [f"{place} {self.operator(scope, scope[place])}"]

    def overlapping(self, scope: Scope) -> Lines:
        """The right side reads other elements of the array that is written."""
        place = self.draw.some_array(scope)
        target = self.draw.region(scope[place], views=True)
        source = target and self.draw.region(scope[place], wanted=target.shape)
        if target is None or source is None:
            return self.store(scope)
        read = place + source.text
        also = self.draw.leaf(scope, target.shape)
        value = self.rng.choice(
            [
                f"0.5 * {read}",
                f"np.sin({read})",
                f"{read} * {also}",
                f"np.tanh({read}) - 0.3 * {also}",
            ]
        )
        op = self.rng.choice(["=", "=", "+=", "-=", "*="])
        return [f"{place}{target.text} {op} {value}"]

    def whole(self, scope: Scope) -> Lines:
        place = self.draw.some_array(scope)
        shape = scope[place]
        value = self.draw.narrower(scope, shape, 2)
        region = self.draw.region(shape, views=True)
        assert region is not None
        forms = [
            f"{place}[:] = {value}",
            f"{place}[...] = {value}",
            f"{place}.fill({self.draw.expression(scope, (), 1)})",
            f"np.copyto({place}, {value})",
            f"np.copyto({place}{region.text}, {self.draw.narrower(scope, region.shape, 1)})",
        ]
        return [self.rng.choice(forms)]

    def out(self, scope: Scope) -> Lines:
        place = self.draw.some_array(scope)
        shape, target = scope[place], place
        if self.rng.random() < 0.35:
            region = self.draw.region(shape, views=True)
            assert region is not None
            shape, target = region.shape, place + region.text
        a, b = self.draw.leaf(scope, shape), self.draw.narrower(scope, shape, 1)
        forms = [
            f"np.multiply({a}, {b}, out={target})",
            f"np.add({a}, 0.4 * ({b}), {target})",
            f"np.subtract({a}, {b}, out={target})",
            f"np.tanh({target}, out={target})",
            f"np.sin({a}, out={target})",
            f"np.multiply({target}, {b}, out={target})",
            f"np.divide({a}, 1.5 + ({b}) ** 2, out={target})",
        ]
        return [self.rng.choice(forms)]

    def at(self, scope: Scope) -> Lines:
        """Unbuffered addition, with indices that repeat."""
        place = self.draw.some_array(scope)
        n, *rest = scope[place]
        index = [self.rng.randrange(n) for _ in range(self.rng.choice([2, 3, 4]))]
        value = self.draw.narrower(scope, (len(index), *rest), 1)
        text = self.rng.choice([f"np.array({index})", f"{index}"])
        if self.rng.random() < 0.2:
            return [f"np.subtract.at({place}, {text}, 0.4 * ({value}))"]
        return [f"np.add.at({place}, {text}, {value})"]

    def masked(self, scope: Scope) -> Lines:
        place = self.draw.some_array(scope)
        other = self.draw.leaf(scope, scope[place])
        test = f"{other} {self.rng.choice('<>')} {self.draw.threshold()}"
        value = self.draw.expression(scope, (), 1)
        op = self.rng.choice(["=", "+=", "*=", "-="])
        kind = self.rng.randrange(4)
        if kind == 0:
            return [f"{place}[{test}] {op} {value}"]
        if kind == 1:
            return [
                f"np.copyto({place}, {self.draw.narrower(scope, scope[place], 1)}, where={test})"
            ]
        mask = self.fresh("mask")
        source = self.draw.leaf(scope, scope[place])
        return [f"{mask} = {test}", f"{place}[{mask}] {op} 0.7 * ({source})[{mask}]"]

    def power(self, scope: Scope) -> Lines:
        """A power of what was made positive."""
        target, shape, _ = self.target(scope, unique=True)
        exponent = self.rng.choice(["1.5", "2", "3", "0.5", f"np.cos({self.draw.leaf(scope, ())})"])
        first = f"{target} = 0.7 + 0.4 * np.sin({self.draw.leaf(scope, shape)})"
        return [first, f"{target} **= {exponent}"]

    def inactive(self, scope: Scope) -> Lines:
        """What was stored is overwritten by numbers on which no derivative depends."""
        target, shape, place = self.target(scope, unique=True)
        whole = self.rng.choice([f"{place}[:]", f"{place}[...]", target])
        number = self.draw.number()
        if self.draw.integers and self.rng.random() < 0.7:
            number = f"0.2 * {self.rng.choice(self.draw.integers)} + {number}"
        return [f"{whole} = {number}"]

    def exchange(self, scope: Scope) -> Lines:
        """Elements, rows or numbers swapped in place."""
        place = self.draw.some_array(scope)
        n = scope[place][0]
        i, j = self.rng.randrange(n), self.rng.randrange(n)
        numbers = [name for name, held in scope.items() if held == () and name.isidentifier()]
        forms = [f"{place}[[{i}, {j}]] = {place}[[{j}, {i}]]"] if i != j else []
        if len(scope[place]) == 1:
            forms += [f"{place}[{i}], {place}[{j}] = {place}[{j}], {place}[{i}]"]
            if numbers:
                number = self.rng.choice(numbers)
                forms += [f"{place}[{i}], {number} = {number}, {place}[{i}]"]
        else:
            forms += [f"{place}[{i}], {place}[{j}] = {place}[{j}].copy(), {place}[{i}].copy()"]
        return [self.rng.choice(forms)]

    def recurrence(self, scope: Scope) -> Lines:
        place = self.draw.some_array(scope)
        n, *rest = scope[place]
        k = self.fresh("k")
        before = f"{place}[{k} - 1]"
        with self.draw.counter(k):
            also = self.draw.narrower(scope, tuple(rest), 1)
        value = self.rng.choice([f"0.5 * {before} + {also}", f"np.sin({before}) * ({also})"])
        op = self.rng.choice(["=", "=", "+=", "*="])
        return [f"for {k} in range(1, {n}):", f"    {place}[{k}] {op} {value}"]

    def prefix(self, scope: Scope) -> Lines:
        """A part whose size depends on a counter, and may be empty."""
        if not self.draw.integers:
            return self.overlapping(scope)
        place, k = self.draw.some_array(scope), self.rng.choice(self.draw.integers)
        part = self.rng.choice([f"[:{k}]", f"[{k}:]", f"[:{k} + 1]", f"[{k}::2]"])
        return [f"{place}{part} {self.operator(scope, ())}"]

    def product(self, scope: Scope) -> Lines:
        place = self.draw.array(scope, ndim=2)
        if place is None or place in self.draw.fixed:
            return self.whole(scope)
        n = scope[place][1]
        factor = f"np.outer({self.draw.leaf(scope, (n,))}, {self.draw.leaf(scope, (n,))})"
        return [f"{place} @= 0.4 * {factor}"]
