"""Statements with lists, tuples, dicts of arrays whose items are changed."""

from __future__ import annotations

from tests.programs.random.expressions import Scope, Shape
from tests.programs.random.parts import Lines, Part, indented


class Containers(Part):
    """Containers, and statements that use what they hold."""

    lists: dict[str, Shape]
    """Lists of arrays of one shape, at least one."""
    dicts: dict[str, Shape]
    """Dicts of arrays of one shape, with the key 'u'."""

    def container_statement(self, scope: Scope) -> Lines:
        forms = [self.new_list, self.new_list, self.new_tuple, self.new_dict, self.new_dict]
        known = [name for name in self.lists if f"{name}[0]" in scope]
        if known and self.rng.random() < 0.7:
            forms = [self.append, self.append, self.pop, self.loop_over, self.fold, self.replace]
            forms += [self.grow_in_loop]
        elif any(f"{name}['u']" in scope for name in self.dicts) and self.rng.random() < 0.6:
            forms = [self.dict_item, self.dict_item, self.dict_loop]
        return self.rng.choice(forms)(scope)

    def item(self, scope: Scope, shape: Shape) -> str:
        """An array for a container: memory that has a name, a view or new memory."""
        named = [place for place, held in scope.items() if held == shape]
        draw = self.rng.random()
        if named and draw < 0.45:
            return self.rng.choice(named)
        part = self.draw.part(scope, shape, views=True)
        if part is not None and draw < 0.65:
            return part
        forms = [self.draw.expression(scope, shape, 1), f"np.zeros({shape})"]
        return self.rng.choice([*forms, f"{self.rng.choice(named)}.copy()"] if named else forms)

    def new_list(self, scope: Scope) -> Lines:
        name = self.fresh("items")
        shape = scope[self.draw.some_array(scope)]
        items = [self.item(scope, shape) for _ in range(self.rng.choice([1, 2, 2, 3]))]
        scope[f"{name}[0]"] = scope[f"{name}[-1]"] = shape
        self.lists[name] = shape
        if len(items) > 1:
            scope[f"{name}[1]"] = shape
        elif self.rng.random() < 0.3:
            return [f"{name} = [{items[0]} for _ in range(2)]"]
        return [f"{name} = [{', '.join(items)}]"]

    def new_tuple(self, scope: Scope) -> Lines:
        name, lines = self.fresh("pair"), []
        one, other = (scope[self.draw.some_array(scope)] for _ in range(2))
        lines = [f"{name} = ({self.item(scope, one)}, {self.item(scope, other)})"]
        if self.rng.random() < 0.5:
            a, b = self.fresh("p"), self.fresh("q")
            lines += [f"{a}, {b} = {name}"]
            scope[a], scope[b] = one, other
        for place, shape in ((f"{name}[0]", one), (f"{name}[1]", other)):
            scope[place] = shape
            self.draw.fixed.add(place)
        return lines

    def new_dict(self, scope: Scope) -> Lines:
        name = self.fresh("state")
        shape = scope[self.draw.some_array(scope)]
        keys = self.rng.choice([["u"], ["u", "w"], ["u", "w"]])
        items = [f"'{key}': {self.item(scope, shape)}" for key in keys]
        self.dicts[name] = shape
        for key in keys:
            scope[f"{name}['{key}']"] = shape
        return [f"{name} = {{{', '.join(items)}}}"]

    def known_list(self, scope: Scope) -> tuple[str, Shape]:
        name = self.rng.choice([name for name in self.lists if f"{name}[0]" in scope])
        return name, self.lists[name]

    def append(self, scope: Scope) -> Lines:
        name, shape = self.known_list(scope)
        scope[f"{name}[1]"] = shape
        return [f"{name}.append({self.item(scope, shape)})"]

    def pop(self, scope: Scope) -> Lines:
        """An item added and taken out again, perhaps another one."""
        name, shape = self.known_list(scope)
        taken = self.fresh("last")
        lines = [f"{name}.append({self.item(scope, shape)})"]
        if self.rng.random() < 0.5:
            lines += self.store_statement(scope)
        lines += [f"{taken} = {name}.pop({self.rng.choice(['', '', '0'])})"]
        scope[taken] = shape
        return lines

    def grow_in_loop(self, scope: Scope) -> Lines:
        """States kept in a list: copies, or the same memory again and again."""
        name, shape = self.known_list(scope)
        place = self.draw.array(scope, shape=shape)
        assert place is not None
        kept = self.rng.choice([f"{place}.copy()", f"{place}.copy()", place, f"{name}[-1] * 0.5"])
        k = self.fresh("k")
        with self.draw.counter(k, 3):
            change = [f"{place}[:] = {self.draw.expression(scope, shape, 1)}"]
            if self.rng.random() < 0.5:
                change = self.store_statement(scope)
        body = [*change, f"{name}.append({kept})"]
        if self.rng.random() < 0.3:
            body.reverse()
            body = [f"{name}.append({kept})", *change]
        scope[f"{name}[1]"] = shape
        return [f"for {k} in range(3):", *indented(body)]

    def loop_over(self, scope: Scope) -> Lines:
        """The items of a list changed in a loop."""
        name, shape = self.known_list(scope)
        item = self.fresh("item")
        inner = {**scope, item: shape}
        change = self.rng.choice(
            [
                f"{item} *= {self.draw.narrower(scope, shape, 1)}",
                f"{item}[0] = {self.draw.narrower(inner, shape[1:], 1)}",
                f"{item}[1:] += 0.5 * {item}[:-1]",
                f"{item} = np.sin({item})",
            ]
        )
        if self.rng.random() < 0.4:
            k = self.fresh("k")
            change = self.rng.choice(
                [
                    f"{name}[{k}] = 0.5 * {item} + {self.draw.narrower(scope, shape, 1)}",
                    f"{name}[{k}][0] += {self.draw.narrower(scope, shape[1:], 1)}",
                    f"{item} += 0.2 * {k}",
                ]
            )
            return [f"for {k}, {item} in enumerate({name}):", f"    {change}"]
        return [f"for {item} in {name}:", f"    {change}"]

    def fold(self, scope: Scope) -> Lines:
        name, shape = self.known_list(scope)
        total, item = self.fresh("s"), self.fresh("item")
        weight = self.rng.choice([f"{name}[0]", self.draw.leaf(scope, shape)])
        scope[total] = ()
        use = f"{total} = 0.6 * {total} + 0.4 * np.sum(np.sin({item}) * {weight})"
        return [f"{total} = 0.0", f"for {item} in {name}:", f"    {use}"]

    def replace(self, scope: Scope) -> Lines:
        name, shape = self.known_list(scope)
        index = self.rng.choice(["0", "-1", *(["1"] if f"{name}[1]" in scope else [])])
        return [f"{name}[{index}] = {self.item(scope, shape)}"]

    def known_dict(self, scope: Scope) -> tuple[str, Shape]:
        name = self.rng.choice([name for name in self.dicts if f"{name}['u']" in scope])
        return name, self.dicts[name]

    def dict_item(self, scope: Scope) -> Lines:
        name, shape = self.known_dict(scope)
        key = self.rng.choice(["u", "w", "v"])
        value = self.item(scope, shape)
        scope[f"{name}['{key}']"] = shape
        return [f"{name}['{key}'] = {value}"]

    def dict_loop(self, scope: Scope) -> Lines:
        name, shape = self.known_dict(scope)
        key, item = self.fresh("key"), self.fresh("item")
        value = self.draw.narrower(scope, shape, 1)
        return self.rng.choice(
            [
                [f"for {item} in {name}.values():", f"    {item} *= 0.5 + ({value}) ** 2"],
                [f"for {key} in {name}:", f"    {name}[{key}][0] *= 0.8"],
                [f"for {key}, {item} in {name}.items():", f"    {item}[-1] = {item}[0] * 0.7"],
                [f"for {key} in {name}:", f"    {name}[{key}] = np.tanh({name}[{key}])"],
            ]
        )
