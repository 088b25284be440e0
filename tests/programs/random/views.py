"""Statements that give memory another name: views, aliases, buffers, swaps."""

from __future__ import annotations

from tests.programs.random.expressions import Scope, Shape
from tests.programs.random.parts import Lines, Part, indented


class Views(Part):
    """Names for memory that exists, and new memory."""

    def view_statement(self, scope: Scope) -> Lines:
        forms = [
            *[self.view] * 5,
            *[self.rearranged_view] * 3,
            *[self.alias] * 2,
            *[self.branch_alias] * 2,
            *[self.swap_arrays] * 2,
            *[self.buffer] * 3,
            *[self.rebind] * 2,
            self.double_buffer,
            self.work_buffer,
            self.rows,
            self.unpacked,
            self.view_in_loop,
        ]
        return self.rng.choice(forms)(scope)

    def viewed(self, scope: Scope, shape: Shape | None = None) -> tuple[str, Shape] | None:
        """An expression for a view of some place, or the place itself."""
        if shape is not None:
            text = self.draw.part(scope, shape, views=True)
            return None if text is None else (text, shape)
        place = self.draw.some_array(scope)
        counted = self.draw.counted(scope[place])
        if counted is not None and counted[1] != () and self.rng.random() < 0.5:
            return place + counted[0], counted[1]
        region = self.draw.region(scope[place], views=True)
        assert region is not None
        return place + region.text, region.shape

    def view(self, scope: Scope) -> Lines:
        made = self.viewed(scope)
        assert made is not None
        lines = self.named(scope, *made, "v")
        if self.rng.random() < 0.4:
            lines += self.store_statement(scope)
        return lines

    def named(self, scope: Scope, value: str, shape: Shape, stem: str) -> Lines:
        """Assign to a new name, or to one of the same shape."""
        same = [place for place in self.assignable(scope) if scope[place] == shape]
        if same and self.rng.random() < 0.3:
            return [f"{self.rng.choice(same)} = {value}"]
        name = self.fresh(stem)
        scope[name] = shape
        return [f"{name} = {value}"]

    def rearranged_view(self, scope: Scope) -> Lines:
        place = self.draw.some_array(scope)
        shape = scope[place]
        size = shape[0] * (shape[1] if len(shape) == 2 else 1)
        forms: list[tuple[str, Shape]] = [
            (f"{place}.reshape(-1)", (size,)),
            (f"{place}.ravel()", (size,)),
            (f"np.ravel({place})", (size,)),
            (f"np.asarray({place})", shape),
            (f"{place}.T", shape[::-1]),
        ]
        if len(shape) == 2:
            forms += [
                (f"{place}.T", shape[::-1]),
                (f"{place}.swapaxes(0, 1)", shape[::-1]),
                (f"np.transpose({place})", shape[::-1]),
                (f"{place}.T[1:]", (shape[1] - 1, shape[0])),
                (f"{place}[:, ::-1].T", shape[::-1]),
            ]
        elif size == 4:
            forms += [(f"{place}.reshape(2, 2)", (2, 2)), (f"{place}.reshape((2, -1)).T", (2, 2))]
        if 0 in forms[-1][1]:
            return self.view(scope)
        return self.named(scope, *self.rng.choice(forms), "v")

    def alias(self, scope: Scope) -> Lines:
        place = self.draw.some_array(scope)
        return self.named(scope, place, scope[place], "z")

    def branch_alias(self, scope: Scope) -> Lines:
        """A name for one of two arrays, depending on a condition."""
        one = self.viewed(scope)
        assert one is not None
        text, shape = one
        other = self.viewed(scope, shape)
        if other is None or self.rng.random() < 0.2:
            other = (self.draw.expression(scope, shape, 1), shape)
        same = [place for place in self.assignable(scope) if scope[place] == shape]
        test = self.draw.condition(scope)
        if same and self.rng.random() < 0.5:
            return [f"if {test}:", f"    {self.rng.choice(same)} = {text}"]
        name = self.fresh("w")
        scope[name] = shape
        if self.rng.random() < 0.3:
            return [f"{name} = {text} if {test} else {other[0]}"]
        return [f"if {test}:", f"    {name} = {text}", "else:", f"    {name} = {other[0]}"]

    def swap_arrays(self, scope: Scope) -> Lines:
        places = self.assignable(scope)
        if not places:
            return self.alias(scope)
        one = self.rng.choice(places)
        same = [place for place in places if scope[place] == scope[one] and place != one]
        if not same:
            return self.rebind(scope)
        other = self.rng.choice(same)
        third = self.rng.choice([one, one, self.draw.leaf(scope, scope[one])])
        return [f"{one}, {other} = {other}, {third}"]

    def rebind(self, scope: Scope) -> Lines:
        places = self.assignable(scope)
        if not places:
            return self.alias(scope)
        place = self.rng.choice(places)
        value = self.draw.expression(scope, scope[place], 2)
        return [f"{place} = {self.rng.choice([f'{place}.copy()', f'np.copy({place})', value])}"]

    def buffer(self, scope: Scope) -> Lines:
        """New memory; what `np.empty` gives is written before it is read."""
        place = self.draw.some_array(scope)
        name, shape = self.fresh("b"), scope[place]
        value = self.draw.narrower(scope, shape, 1)
        full = self.rng.choice([f"{name}[:] = {value}", f"{name}[...] = {value}"])
        kind = self.rng.randrange(7)
        if kind == 0:
            lines = [f"{name} = np.zeros_like({place})"]
        elif kind == 1:
            lines = [f"{name} = np.zeros({shape})"]
        elif kind == 2:
            lines = [f"{name} = np.full({shape}, {self.draw.expression(scope, (), 1)})"]
        elif kind == 3:
            lines = [f"{name} = np.empty_like({place})", full]
        elif kind == 4:
            k = self.fresh("k")
            with self.draw.counter(k):
                value = self.draw.narrower(scope, shape[1:], 1)
            lines = [f"{name} = np.empty({shape})"]
            lines += [f"for {k} in range({shape[0]}):", f"    {name}[{k}] = {value}"]
        elif kind == 5:
            lines = [f"{name} = np.empty({shape})", f"np.multiply({place}, {value}, out={name})"]
        else:
            numbers = [float(self.draw.number()) for _ in range(4)]
            name, shape = self.fresh("b"), (4,)
            lines = [f"{name} = np.array({numbers})"]
        scope[name] = shape
        if kind in (0, 1, 6) and self.rng.random() < 0.7:
            region = self.draw.region(shape, unique=True)
            assert region is not None
            lines += [f"{name}{region.text} = {self.draw.narrower(scope, region.shape, 1)}"]
        return lines

    def double_buffer(self, scope: Scope) -> Lines:
        places = [place for place in self.assignable(scope) if len(scope[place]) == 1]
        places = [place for place in places if scope[place][0] > 2]
        if not places:
            return self.buffer(scope)
        old, new, k = self.rng.choice(places), self.fresh("next"), self.fresh("k")
        shape = scope[old]
        step = self.rng.choice(
            [
                f"{new}[1:-1] = 0.4 * ({old}[2:] - {old}[:-2]) + np.sin({old}[1:-1])",
                f"{new}[1:-1] = {old}[1:-1] * (1 - 0.3 * {old}[:-2]) + 0.2 * {old}[2:]",
            ]
        )
        ends = self.rng.choice(
            [
                [f"{new}[0] = {old}[-1]", f"{new}[-1] = np.cos({old}[0])"],
                [f"{new}[[0, -1]] = {old}[[0, -1]]"],
                [f"{new}[0] = {new}[-1] = {self.draw.number()}"],
            ]
        )
        turn = self.rng.choice([f"{old}, {new} = {new}, {old}", f"{old}[:] = {new}"])
        make = self.rng.choice([f"np.empty_like({old})", f"np.zeros({shape})", f"{old}.copy()"])
        scope[new] = shape
        loop = f"for {k} in range({self.rng.randint(2, 4)}):"
        return [f"{new} = {make}", loop, *indented([step, *ends, turn])]

    def work_buffer(self, scope: Scope) -> Lines:
        """Memory reused with and without a derivative between nonlinear uses of its content."""
        place = self.draw.some_array(scope)
        buffer, total, k = self.fresh("work"), self.fresh("s"), self.fresh("k")
        shape = scope[place]
        with self.draw.counter(k):
            value = self.draw.expression(scope, shape, 1)
            first = self.rng.choice([f"0.3 * {k} + 0.5", f"{self.draw.number()}", value])
            second = self.draw.narrower(scope, shape, 1)
        use = f"{total} = {total} + np.sum({place} * {buffer}) * 0.4"
        if self.rng.random() < 0.4:
            use = f"{total} += 0.3 * np.sum(np.sin({buffer}) * {place})"
        again = [f"{buffer}[:] = {second}", use] if self.rng.random() < 0.5 else []
        if self.rng.random() < 0.3:
            again = [f"{buffer} *= {place}", use]
        body = [f"{buffer}[:] = {first}", use, *again]
        lines = [f"{buffer} = np.zeros({shape})", f"{total} = 0.0"]
        scope[buffer], scope[total] = shape, ()
        return [*lines, f"for {k} in range(3):", *indented(body)]

    def rows(self, scope: Scope) -> Lines:
        """A loop over the rows of a matrix, changing them."""
        place = self.draw.array(scope, ndim=2)
        if place is None:
            return self.view(scope)
        row, inner = self.fresh("row"), dict(scope)
        inner[row] = scope[place][1:]
        of = self.rng.choice([place, place, f"{place}.T", f"{place}[::-1]"])
        if of.endswith(".T"):
            inner[row] = scope[place][:1]
        change = self.rng.choice(
            [
                f"{row} *= {self.draw.narrower(inner, inner[row], 1)}",
                f"{row}[1:] += 0.5 * {row}[:-1]",
                f"{row}[:] = {self.draw.expression(inner, inner[row], 1)}",
                f"{row}[0] = {self.draw.expression(inner, (), 1)}",
            ]
        )
        return [f"for {row} in {of}:", f"    {change}"]

    def unpacked(self, scope: Scope) -> Lines:
        """Rows of a matrix by unpacking."""
        place = self.draw.array(scope, ndim=2)
        if place is None:
            return self.alias(scope)
        names = [self.fresh("line") for _ in range(scope[place][0])]
        scope.update(dict.fromkeys(names, scope[place][1:]))
        return [f"{', '.join(names)}{',' if len(names) == 1 else ''} = {place}"]

    def view_in_loop(self, scope: Scope) -> Lines:
        """A view made before a loop, used in it while its base changes, and the reverse."""
        made = self.viewed(scope)
        assert made is not None
        name, k = self.fresh("v"), self.fresh("k")
        lines = [f"{name} = {made[0]}"]
        scope[name] = made[1]
        n = self.rng.randint(2, 3)
        with self.draw.counter(k, n):
            body = self.store_statement(scope) + self.store_statement(scope)
            body += [f"{name} *= {self.draw.narrower(scope, made[1], 1)}"]
        return [*lines, f"for {k} in range({n}):", *indented(body)]
