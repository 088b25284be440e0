"""How autodiff works: a toy of the compiler in a page, from nothing but the standard library.

    python examples/how_it_works.py

It differentiates functions of numbers that are straight lines of assignments, each name assigned
once. Every step prints what it made. At the end the real compiler does the same, and more.
"""

from __future__ import annotations

import ast
import inspect
import math
from collections import defaultdict

from autodiff import grad

# ---------------------------------------------------------------- 0. What is to be differentiated


def wave(x, y):
    r = x * y + math.sin(x)
    return r * math.exp(r - y)


# ---------------------------------------------------------------- 1. Rules are code, never executed
# The result comes first, then the operands. `d[x]` stands for the adjoint of x: the derivative of
# the final result with respect to x.

d: dict = {}


def add(z, x, y):
    d[x] = d[z]
    d[y] = d[z]


def sub(z, x, y):
    d[x] = d[z]
    d[y] = -d[z]


def mult(z, x, y):
    d[x] = d[z] * y
    d[y] = d[z] * x


def sin(y, x):
    d[x] = d[y] * math.cos(x)


def exp(y, x):
    d[x] = d[y] * y


RULES = {rule.__name__: rule for rule in (add, sub, mult, sin, exp)}


def parse(function):
    """The syntax tree of a function."""
    return ast.parse(inspect.getsource(function)).body[0]


# ---------------------------------------------------------------- 2. One operation per statement


class Flatten(ast.NodeTransformer):
    """Puts the operations of an expression into `steps`, as (name, operation, operands, code)."""

    def __init__(self):
        self.steps = []
        self.count = defaultdict(int)

    def operation(self, operation, operands, node):
        self.count[operation] += 1
        name = f"{operation}_{self.count[operation]}"
        self.steps.append((name, operation, operands, node))
        return ast.Name(name, ast.Load())

    def visit_BinOp(self, node):
        node.left, node.right = self.visit(node.left), self.visit(node.right)
        return self.operation(type(node.op).__name__.lower(), [node.left, node.right], node)

    def visit_Call(self, node):  # math.sin(x): the operation is the attribute's name
        node.args = [self.visit(argument) for argument in node.args]
        return self.operation(node.func.attr, node.args, node)


def flatten(tree):
    """The steps that compute the result, and the result's name."""
    flat, known = Flatten(), {}

    class Resolve(ast.NodeTransformer):  # `r` becomes the step that computed it
        def visit_Name(self, node):
            return known.get(node.id, node)

    for statement in tree.body:
        value = flat.visit(Resolve().visit(statement.value))
        if isinstance(statement, ast.Return):
            return flat.steps, value.id
        known[statement.targets[0].id] = value
    raise SyntaxError("the function returns nothing")


# ---------------------------------------------------------------- 3. Fill in the rules, backwards


def instantiate(operation, result, operands):
    """The lines of a rule with real names: pairs (operand, code of its contribution)."""
    rule = parse(RULES[operation])
    names = dict(zip((a.arg for a in rule.args.args), [ast.Name(result), *operands]))

    class Fill(ast.NodeTransformer):
        def visit_Subscript(self, node):
            return ast.Name(names[node.slice.id].id + "_bar")

        def visit_Name(self, node):
            return names.get(node.id, node)

    for line in rule.body:
        operand = names[line.targets[0].slice.id]
        if isinstance(operand, ast.Name):  # a constant has no adjoint
            yield operand.id, ast.unparse(Fill().visit(line.value))


def reverse(steps, result):
    """The reverse sweep. The first contribution to an adjoint assigns, later ones add."""
    seen, lines = set(), [f"{result}_bar = 1.0"]
    for name, operation, operands, _ in reversed(steps):
        for operand, contribution in instantiate(operation, name, operands):
            lines.append(f"{operand}_bar {'+=' if operand in seen else '='} {contribution}")
            seen.add(operand)
    return lines


# ---------------------------------------------------------------- 4. Write it down and run it


def differentiate(function):
    tree = parse(function)
    arguments = [a.arg for a in tree.args.args]
    steps, result = flatten(tree)
    forward = [f"{name} = {ast.unparse(code)}" for name, _, _, code in steps]
    print("One operation per statement:\n", *forward, f"return {result}\n", sep="\n    ")

    lines = ["# Forward sweep", *forward, "# Reverse sweep", *reverse(steps, result)]
    lines.append("return " + ", ".join(f"{name}_bar" for name in arguments))
    head = f"def {function.__name__}_grad({', '.join(arguments)}):"
    text = "\n    ".join([head, *lines])
    print("The derivative:\n\n" + text + "\n")

    namespace = dict(function.__globals__)
    exec(compile(text, "<generated>", "exec"), namespace)
    return namespace[f"{function.__name__}_grad"]


def main():
    print("The function:\n\n" + inspect.getsource(wave))
    toy = differentiate(wave)
    real = grad(wave, wrt=("x", "y"))
    at = (0.5, 0.25)
    answer = real(*at)
    print("The same by autodiff:\n\n" + real.source)
    print(f"toy: {toy(*at)}")
    print(f"autodiff: {tuple(float(part) for part in answer)}")
    print(f"dwave/dx at {at}: {toy(*at)[0]:.6f} (expected {2.578653:.6f})")


if __name__ == "__main__":
    main()
