"""Random functions of the form that the compiler generates: forward sweep, tape, reverse sweep.

They make no sense as derivatives, but obey the same rules: what is pushed in a block is popped in
the mirrored block, branches and loop counts are recorded, temporaries are assigned once.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from random import Random

SCALARS = ("s0", "s1", "s2", "s3")
ARRAYS = ("a0", "a1", "a2")
CONSTANTS = ("0.0", "1.0", "-1.0", "2.0", "0.5", "2", "1", "-1")


def assigns(lines: list[str], name: str) -> bool:
    """Whether one of the lines binds a name."""
    return any(re.match(rf"\s*([as]\d, )?{name}(, [as]\d)* [-+]?= ", line) for line in lines)


@dataclass
class Program:
    """A program under construction."""

    random: Random
    temporaries: set[str] = field(default_factory=set)
    sites: int = 0
    flags: int = 0
    calm: bool = False
    """Nothing is called for its effect, and no array that has a name of its own changes."""

    def text(self) -> str:
        form = self.random.random()
        self.calm = self.random.random() < 0.3
        if form < 0.15:
            forward, reverse = self.single()
        else:
            forward, reverse = self.alone() if form < 0.25 else self.sweeps(0, "    ")
        results = self.random.sample([*SCALARS, *ARRAYS], self.random.randint(1, 4))
        lines = ["def f(s0, s1, a0, a1, n, s5=0.125):", "    tape = Tape()"]
        lines += ["    s2 = 0.5", "    s3 = s0", "    a2 = np.zeros(3)", "    'Forward sweep'"]
        lines += forward
        if self.random.random() < 0.3:
            changed = [f"{n}={n}" for n in (*SCALARS, *ARRAYS) if assigns(reverse, n)]
            lines += [f"    def pullback({', '.join(['s9', *changed, 'tape=tape'])}):"]
            lines += ["        tape = Tape(tape)"]
            lines += [f"        {name}_bar = {name}" for name in self.names()]
            lines += ["    " + line for line in reverse]
            lines += [f"        return {self.bars(results)}", f"    return {results[0]}, pullback"]
        else:
            lines += [f"    {name}_bar = {name}" for name in self.names()]
            lines += ["    ''", "    'Reverse sweep'", *reverse]
            lines += [f"    return {self.bars(results)}"]
        return "\n".join(lines) + "\n"

    def names(self) -> list[str]:
        found = [*SCALARS, *ARRAYS]
        self.temporaries.update(f"{name}_bar" for name in found)
        return found

    def bars(self, results: list[str]) -> str:
        return "(" + ", ".join(f"{name}_bar" for name in results) + ",)"

    def sweeps(self, depth: int, indent: str) -> tuple[list[str], list[str]]:
        """The forward code of a block and the reverse code of its mirror image."""
        forward: list[str] = []
        reverse: list[str] = []
        for _ in range(self.random.randint(2, 6 if depth == 0 else 4)):
            ahead, back = self.statement(depth, indent)
            forward += ahead
            reverse = back + reverse
        return forward, reverse or [f"{indent}pass"]

    def single(self) -> tuple[list[str], list[str]]:
        """One loop that keeps one value."""
        inner, name = " " * 8, self.pick_from(SCALARS)
        push, pop = self.recorded(name, name, inner)
        forward = ["    for k0 in range(n):", *push, *self.assignment(inner, "")]
        return forward, [
            "    for k0 in reversed(range(n)):", *pop, *self.assignment(inner, "_bar")
        ]  # fmt: skip

    def statement(self, depth: int, indent: str) -> tuple[list[str], list[str]]:
        kind = self.random.random()
        if kind < 0.15 and depth < 3:
            return self.loop(depth, indent)
        if kind < 0.25 and depth < 3:
            return self.branch(depth, indent)
        if kind < 0.32 and depth < 2:
            return self.while_loop(depth, indent)
        if kind < 0.42:
            return self.repeated(indent)
        if kind < 0.47:
            return self.shared(indent)
        if kind < 0.52:
            return self.tested(indent)
        ahead = self.assignment(indent, "")
        back: list[str] = []
        if self.random.random() < 0.5:
            name = self.pick()
            values = [name]
            if self.random.random() < 0.3:
                values.append(self.pick(excluding=name))
            value = values[0] if len(values) == 1 else f"({', '.join(values)})"
            push, pop = self.recorded(value, ", ".join(values), indent)
            ahead = push + ahead if self.random.random() < 0.7 else ahead + push
            back = pop
        for _ in range(self.random.randint(0, 2)):
            back += self.assignment(indent, "_bar")
        if self.random.random() < 0.25:
            back += self.buffers(indent)
        if self.random.random() < 0.15:
            back += self.stretch(indent)
        if self.random.random() < 0.15:
            back += self.masked(indent)
        if self.random.random() < 0.2:
            back += self.display(indent)
        if self.random.random() < 0.3:
            back.insert(0, f"{indent}'# {self.random.randint(0, 99)}'")
        return ahead, back

    def shared(self, indent: str) -> tuple[list[str], list[str]]:
        """A branch of which both sides keep the same name, or almost."""
        self.flags += 1
        flag, inner, name = f"b{self.flags}", indent + "    ", self.pick_from(SCALARS)
        ahead, back = [f"{indent}{flag} = {self.scalar(2)} > 0.6"], []
        for head in (f"{indent}if {flag}:", f"{indent}else:"):
            if self.random.random() < 0.15:
                name = self.pick_from(SCALARS)
            self.sites += 1
            push, pop = f"tape.push({name}, {self.sites})", f"{name} = tape.pop({self.sites})"
            before = self.assignment(inner, "") if self.random.random() < 0.3 else []
            ahead += [head, *before, inner + push, f"{inner}{name} = {self.scalar()}"]
            early = self.assignment(inner, "_bar") if self.random.random() < 0.3 else []
            back += [head, *early, inner + pop, *self.assignment(inner, "_bar")]
        self.sites += 1
        ahead.append(f"{indent}tape.push({flag}, {self.sites})")
        return ahead, [f"{indent}{flag} = tape.pop({self.sites})", *back]

    def tested(self, indent: str) -> tuple[list[str], list[str]]:
        """A number and what a comparison says of it, or of another one."""
        self.flags += 1
        self.sites += 1
        flag, name = f"b{self.flags}", self.pick_from(SCALARS)
        other = self.random.choice([name, name, self.pick_from(SCALARS)])
        pair = self.random.choice([f"{name}, {flag}", f"{flag}, {name}"])
        ahead = [f"{indent}{flag} = {other} > {self.random.choice(['0.6', 'n', *SCALARS])}"]
        ahead += self.assignment(indent, "") if self.random.random() < 0.4 else []
        ahead += [f"{indent}tape.push(({pair}), {self.sites})", f"{indent}{name} = {self.scalar()}"]
        back = [f"{indent}{pair} = tape.pop({self.sites})", f"{indent}if {flag}:"]
        return ahead, [*back, f"{indent}    {name}_bar = {self.scalar()}"]

    def alone(self) -> tuple[list[str], list[str]]:
        """A loop whose iterations do not need each other, or hardly."""
        inner, one, two = " " * 8, self.temporary("s"), self.temporary("s")
        buffer = self.temporary("a")
        forms = ["np.sin({})", "{} * a0[k0]", "{} + s1", "a1[0] - {}"]
        values = [self.random.choice(forms).format(self.pick_from(SCALARS)) for _ in "12"]
        push, pop = self.recorded(f"({one}, {two})", f"{one}, {two}", inner)
        steps = [
            (1.0, f"{one} = {values[0]}"),
            (1.0, f"{two} = {values[1]} * {one}"),
            (0.3, "s2 = s2 + s0"),
            (0.1, f"a0[k0] = {one}"),
            (0.1, f"log({one})"),
        ]
        sums = [
            (0.8, f"s0_bar += {one} * {two}"),
            (0.8, f"{buffer}[k0] {self.random.choice(['-=', '='])} {two}"),
            (0.3, f"{buffer}[{self.random.choice(['k0', '0'])}] += a0[k0]"),
            (0.3, f"{one} = {values[0]}"),
            (0.1, "s1_bar = s1_bar * s0"),
            (0.1, f"s1_bar = {one}"),
            (0.1, f"a0[0] = {two}"),
        ]
        body = [inner + line for odds, line in steps if self.random.random() < odds]
        back = [inner + line for odds, line in sums if self.random.random() < odds]
        forward = ["    for k0 in range(3):", *body, *push]
        between = self.assignment("    ", "_bar") if self.random.random() < 0.3 else []
        between.append(f"    {buffer} = np.zeros(3)")
        after = f"    a0_bar = {buffer} + 0.0"
        return forward, [*between, "    for k0 in reversed(range(3)):", *pop, *back, after]

    def buffers(self, indent: str) -> list[str]:
        """Two adjoint buffers of which one is added to the other, and slots that are taken."""
        first, second, slot = self.temporary("a"), self.temporary("a"), self.temporary("a")
        index = self.random.choice(["0", "-1", "1:", ":-1", "1:2"])
        other = self.random.choice(["0", "1", "1:", ":2", "2:", index])
        pieces = [
            [f"{second}[{index}] += {self.scalar(2)}", f"{first}[{other}] -= {self.scalar(2)}"],
            [f"{slot} = {first}[{index}].copy()", f"{first}[{index}] = 0.0"],
            [self.random.choice([f"{second}[{index}] += {slot} * 0.5", f"{first}[2] += 0.25"])],
            [f"{first}[{other}] += 0.5", f"{second} -= {self.array(2)}"],
            [f"{self.pick_from(SCALARS)}_bar = {self.pick_from(SCALARS)} * {first}[0]"],
        ]
        lines = [f"{first} = {self.array(2)} * 2.0", f"{second} = np.zeros_like(a0)"]
        lines += [line for piece in pieces if self.random.random() < 0.6 for line in piece]
        if f"{slot} = {first}[{index}].copy()" not in lines:
            lines = [line for line in lines if slot not in line]
        elif self.random.random() < 0.6:
            lines.append(f"{first}[{index}] += {slot}")
        lines += [f"{first} += {second}", f"{self.pick_from(ARRAYS)}_bar = {first} + 0.0"]
        return [indent + line for line in lines]

    def masked(self, indent: str) -> list[str]:
        """An adjoint buffer that gets values where a mask says, and where another one says."""
        buffer, array = self.temporary("a"), self.pick_from(ARRAYS)
        mask = f"{array} > {self.random.choice(['0.0', '0.35'])}"
        other = self.random.choice([mask, f"{array} < 0.0"])
        sign = self.random.choice(["=", "+=", "-="])
        lines = [
            f"{buffer} = {self.array(2)} * 2.0",
            f"{buffer}[{mask}] {sign} 2.0 * {array}[{mask}]",
            f"{buffer}[{other}] += {array}[{other}] ** 2",
            f"{self.pick_from(ARRAYS)}_bar = {buffer} + 0.0",
        ]
        return [indent + line for line in lines]

    def stretch(self, indent: str) -> list[str]:
        """A buffer that is zero but between a sum in it and where it is taken."""
        buffer, first, taken = self.temporary("a"), self.temporary("a"), self.temporary("a")
        slot = f"{buffer}[0:3]"
        scalar = self.pick_from(SCALARS) + "_bar"
        chosen = [
            (1.0, f"{buffer} = np.zeros_like(a0)"),
            (1.0, f"{first} = {self.array(2)} * 2.0"),
            (0.95, f"{slot} {self.random.choice(['+=', '-='])} {first}"),
            (0.3, f"{slot} += {self.scalar(2)}"),
            (0.1, f"{buffer}[0] += 0.25"),
            (0.3, f"{scalar} = {scalar} * {slot}[0]"),
            (0.2, f"{first} += 0.5"),
            (1.0, f"{taken} = {slot}.copy()"),
            (0.2, f"{taken} += 0.25"),
            (0.9, f"{slot} = 0.0"),
            (0.2, f"{scalar} = {scalar} + {first}[1]"),
            (1.0, f"{scalar} = {scalar} + {taken}[0]"),
            (0.2, f"{scalar} = {scalar} + {buffer}[1]"),
        ]
        return [indent + line for odds, line in chosen if self.random.random() < odds]

    def repeated(self, indent: str) -> tuple[list[str], list[str]]:
        """A value that the reverse code computes again, from operands that may have changed."""
        kind = self.random.choice("sa")
        operand = self.pick_from(SCALARS if kind == "s" else ARRAYS)
        forms = ["np.sin({})", "{} / 2.0", "{} ** 2", "{} * {}", "(s0 - {})"]
        value = self.random.choice(forms).replace("{}", operand)
        holder = self.temporary(kind)
        target = self.pick_from(SCALARS if kind == "s" else ARRAYS)
        ahead = [f"{indent}{holder} = {value}", f"{indent}{target} = {holder} + 0.5"]
        uses = [f"{target}_bar = {target}_bar + {value} * 2.0"]
        uses += [f"{target}_bar = {target}_bar * {value}"]
        uses += [f"{target}_bar = {value} * 0.5 + {value}"]
        back = [indent + self.random.choice(uses)]
        if self.random.random() < 0.4:
            again = self.temporary(kind)
            back = [f"{indent}{again} = {value}", f"{indent}{target}_bar = {again} * 2.0"]
            change = f"{indent}{again} += 1.0", f"{indent}{holder} = {holder} * 2.0"
            back[1:1] = [self.random.choice(change)] if self.random.random() < 0.3 else []
        if self.random.random() < 0.3:
            back += self.assignment(indent, "_bar")
        if self.random.random() < 0.7:
            push, pop = self.recorded(f"({operand}, {holder})", f"{operand}, {holder}", indent)
            ahead[1:1] = push
            back = pop + back
        return ahead, back

    def recorded(self, value: str, target: str, indent: str) -> tuple[list[str], list[str]]:
        self.sites += 1
        if target in ARRAYS and self.random.random() < 0.4:
            value = f"{value} + 0.0"
        elif target in SCALARS and self.random.random() < 0.2:
            value = f"{value} * {self.pick_from(SCALARS)}"
        elif target in ARRAYS and self.random.random() < 0.3:
            index = self.random.randint(0, 2)
            value = target = f"{target}[{index}]"
        push = f"{indent}tape.push({value}, {self.sites})"
        return [push], [f"{indent}{target} = tape.pop({self.sites})"]

    def loop(self, depth: int, indent: str) -> tuple[list[str], list[str]]:
        forward, reverse = self.sweeps(depth + 1, indent + "    ")
        count = self.random.choice(["n", "2", "0", "len(a0)"])
        if self.random.random() < 0.3:
            return self.breaking(depth, indent, count, forward, reverse)
        ahead = [f"{indent}for k{depth} in range({count}):", *forward]
        return ahead, [f"{indent}for k{depth} in reversed(range({count})):", *reverse]

    def breaking(
        self, depth: int, indent: str, count: str, forward: list[str], reverse: list[str]
    ) -> tuple[list[str], list[str]]:
        self.flags += 1
        trips, flag, inner = f"n{self.flags}", f"b{self.flags}", indent + "    "
        ahead = [f"{indent}{trips} = 0", f"{indent}for k{depth} in range({count}):"]
        ahead += [*forward, f"{inner}{trips} = {trips} + 1"]
        ahead += [f"{inner}{flag} = {self.scalar()} > 0.7"]
        ahead += [f"{inner}if {flag}:", f"{inner}    break"]
        return self.counted(trips, depth, indent, ahead, reverse)

    def while_loop(self, depth: int, indent: str) -> tuple[list[str], list[str]]:
        forward, reverse = self.sweeps(depth + 1, indent + "    ")
        self.flags += 1
        trips = f"n{self.flags}"
        ahead = [f"{indent}{trips} = 0"]
        ahead += [f"{indent}while {trips} < 3 and {self.scalar()} < 2.0:", *forward]
        ahead += [f"{indent}    {trips} = {trips} + 1"]
        return self.counted(trips, depth, indent, ahead, reverse)

    def counted(
        self, trips: str, depth: int, indent: str, ahead: list[str], reverse: list[str]
    ) -> tuple[list[str], list[str]]:
        push, pop = self.recorded(trips, trips, indent) if depth else ([], [])
        return [*ahead, *push], [*pop, f"{indent}for k{depth} in range({trips}):", *reverse]

    def branch(self, depth: int, indent: str) -> tuple[list[str], list[str]]:
        self.flags += 1
        flag = f"b{self.flags}"
        test = self.random.choice([f"{self.scalar()} > {self.scalar()}", "2 > 1", "None is None"])
        forward, reverse = self.sweeps(depth + 1, indent + "    ")
        other, back = self.sweeps(depth + 1, indent + "    ")
        push, pop = self.recorded(flag, flag, indent) if depth else ([], [])
        ahead = [f"{indent}{flag} = {test}", f"{indent}if {flag}:", *forward]
        ahead += [f"{indent}else:", *other, *push]
        if "is" in test:
            return [f"{indent}if {test}:", *forward], [f"{indent}if {test}:", *reverse]
        return ahead, [*pop, f"{indent}if {flag}:", *reverse, f"{indent}else:", *back]

    def assignment(self, indent: str, suffix: str) -> list[str]:
        """A few statements that change one variable, with temporaries."""
        kind = self.random.random()
        while self.calm and (0.5 <= kind < 0.6 or 0.75 <= kind < 0.85):
            kind = self.random.random()
        before: list[str] = []
        if kind < 0.5:
            value = self.scalar(suffix=suffix)
            target = self.pick_from(SCALARS) + suffix
            before, value = self.split("s", value, indent)
            operator = self.random.choice(["=", "=", "+=", "-="])
            return [*before, f"{indent}{target} {operator} {value}"]
        if kind < 0.6:
            index, target = self.random.randint(0, 2), self.pick_from(ARRAYS) + suffix
            before, value = self.split("s", self.scalar(suffix=suffix), indent)
            return [*before, f"{indent}{target}[{index}] {self.random.choice(['=', '+='])} {value}"]
        if kind < 0.75:
            target = self.pick_from(ARRAYS) + suffix
            before, value = self.split("a", self.array(suffix=suffix), indent)
            operator = self.random.choice(["=", "=", "=" if self.calm else "+="])
            return [*before, f"{indent}{target} {operator} {value}"]
        if kind < 0.8:
            return [f"{indent}log({self.scalar(suffix=suffix)})"]
        if kind < 0.85:
            return [f"{indent}{self.pick_from(SCALARS)}{suffix} = bump({self.pick_from(ARRAYS)})"]
        if kind < 0.95:
            one, two = self.temporary("s"), self.temporary("a")
            copied = self.random.choice([*SCALARS, "1.0"])
            lines = [f"{indent}{one} = {copied}"]
            lines += [f"{indent}{two} = {self.pick_from(ARRAYS)}{suffix}"]
            lines += self.assignment(indent, suffix)
            if copied in SCALARS and self.random.random() < 0.3:
                lines.append(f"{indent}{copied} = {self.scalar(2)}")
            lines += [f"{indent}{self.pick_from(SCALARS)}{suffix} = {one} * {one} + {two}[0]"]
            return lines
        first, second = self.random.sample(SCALARS, 2)
        pair = self.temporary("_")
        lines = [f"{indent}{pair} = ({self.scalar(suffix=suffix)}, {self.scalar(suffix=suffix)})"]
        return [*lines, f"{indent}{first}{suffix}, {second}{suffix} = {pair}"]

    def display(self, indent: str) -> list[str]:
        """A list that is read item by item, at once or later, perhaps more than that."""
        pair, targets = self.temporary("_"), self.random.sample(SCALARS, 2)
        items = [self.scalar(self.random.randint(0, 3), "_bar") for _ in range(2)]
        keys = self.random.choice([(0, 1), (1, 0), (0, 0), (1, 1)])
        takers = [f"{own}_bar = {pair}[{key}]" for own, key in zip(targets, keys)]
        lines = [f"{indent}{pair} = [{', '.join(items)}]"]
        if self.random.random() < 0.4:
            lines += self.assignment(indent, "_bar")
        if self.random.random() < 0.2:
            takers.append(f"{pair}[0] = 0.25")
        if self.random.random() < 0.2:
            takers.append(f"{targets[0]}_bar = {pair}[0] * {pair}[1]")
        return [*lines, *(indent + taker for taker in takers)]

    def split(self, kind: str, value: str, indent: str) -> tuple[list[str], str]:
        """The value by way of temporaries."""
        lines: list[str] = []
        for _ in range(self.random.randint(0, 3)):
            name = self.temporary(kind)
            lines.append(f"{indent}{name} = {value}")
            if self.random.random() < 0.3 and not self.calm:
                between = (
                    f"log({self.pick_from(SCALARS)})",
                    f"{self.pick_from(ARRAYS)}[{self.random.randint(0, 2)}] += 0.125",
                    f"{self.pick_from(ARRAYS)} += 0.5",
                    f"bump({self.pick_from(ARRAYS)})",
                    f"{self.pick_from(SCALARS)} = {self.scalar(2)}",
                    f"{self.pick_from(ARRAYS)} = {self.array(2)}",
                )
                lines.append(indent + self.random.choice(between))
            other = self.scalar(2) if kind == "s" else self.array(2)
            name = f"({name} + {name})" if self.random.random() < 0.2 else name
            pieces = [f"{name} * {other}", f"{other} + {name}", f"np.sin({name})", f"-{name}", name]
            value = self.random.choice(pieces)
        return lines, value

    def temporary(self, kind: str) -> str:
        name = f"t{kind}{len(self.temporaries)}"
        self.temporaries.add(name)
        return name

    def scalar(self, depth: int = 0, suffix: str = "") -> str:
        choice = self.random.random()
        while self.calm and 0.35 <= choice < 0.43:
            choice = self.random.random()
        if depth > 2 or choice < 0.25:
            return self.pick_from(SCALARS) + self.random.choice(["", suffix])
        if choice < 0.35:
            return f"{self.pick_from(ARRAYS)}[{self.random.randint(0, 2)}]"
        if choice < 0.4:
            return f"log({self.scalar(depth + 1, suffix)})"
        if choice < 0.43:
            return f"bump({self.pick_from(ARRAYS)})"
        if choice < 0.47:
            return self.random.choice(["s5", "(s5 / 2)", "(0.5 * s5)", "(s5 * s5 - 1.0)"])
        return self.operation(self.scalar, depth, suffix)

    def array(self, depth: int = 0, suffix: str = "") -> str:
        choice = self.random.random()
        if depth > 2 or choice < 0.3:
            return self.pick_from(ARRAYS) + self.random.choice(["", suffix])
        if choice < 0.4:
            return f"{self.pick_from(ARRAYS)}[::-1]"
        if choice < 0.45:
            return f"np.zeros_like({self.pick_from(ARRAYS)})"
        if choice < 0.5:
            test = self.random.choice(["True", "2 == 1"])
            return f"np.where({test}, {self.pick_from(ARRAYS)}, 0.0)"
        return self.operation(self.array, depth, suffix)

    def operation(self, operand, depth: int, suffix: str) -> str:  # type: ignore[no-untyped-def]
        one = operand(depth + 1, suffix)
        two = operand(depth + 1, suffix)
        constant = self.pick_from(CONSTANTS)
        forms = [
            f"({one} + {two})",
            f"({one} - {two})",
            f"({one} * {two})",
            f"({constant} * {one})",
            f"({one} * {constant})",
            f"({one} / 1.0)",
            f"({one} ** (2 - 1))",
            f"({one} + -{two})",
            f"({one} + -{two} * {one})",
            f"(-{one} * {two})",
            f"np.sin({one})",
            f"(-(-{one}))",
            f"({one} if {self.pick_from(SCALARS)} > 0.3 else {two})",
            f"({one} if 2 - 2 == 0 else {two})",
        ]
        return self.random.choice(forms)

    def pick(self, excluding: str = "") -> str:
        return self.random.choice([n for n in (*SCALARS, *ARRAYS) if n != excluding])

    def pick_from(self, names: tuple[str, ...]) -> str:
        return self.random.choice(names)
