"""The smallest program that still behaves like a given one."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from functools import partial

Where = list[ast.stmt]


def shrunk(text: str, alike: Callable[[str], bool], entry: str = "f") -> str:
    """The smallest module found whose function `entry` is judged alike; only what it needs of the
    rest.
    """
    tree = ast.parse(text)
    changed = True
    while changed:
        changed = False
        for undo in candidates(tree, entry):
            smaller = kept(tree, entry)
            if len(smaller) < len(text) and is_program(smaller) and alike(smaller):
                text, changed = smaller, True
                break
            undo()
    return text


def is_program(text: str) -> bool:
    """Whether a text is Python at all."""
    try:
        compile(text, "program", "exec")
    except SyntaxError:
        return False
    return True


def kept(tree: ast.Module, entry: str) -> str:
    """The functions that are called from `entry`, and it."""
    kinds = (ast.FunctionDef, ast.ClassDef)
    functions = {node.name: node for node in tree.body if isinstance(node, kinds)}
    wanted, todo = {entry}, [entry]
    while todo:
        for node in ast.walk(functions[todo.pop()]):
            if isinstance(node, ast.Name) and node.id in functions and node.id not in wanted:
                wanted.add(node.id)
                todo.append(node.id)
    body = [n for n in tree.body if not isinstance(n, kinds) or n.name in wanted]
    return ast.unparse(ast.Module(body=body, type_ignores=[])) + "\n"


def candidates(tree: ast.Module, entry: str) -> Iterator[Callable[[], None]]:
    """Makes the tree smaller in one way after the other; each gives what undoes it."""
    functions = [n for n in tree.body if isinstance(n, ast.FunctionDef)]
    functions.sort(key=lambda n: n.name != entry)
    for function in functions:
        for body in bodies(function):
            for k in range(len(body) - 1, -1, -1):
                for pieces in replacements(body[k]):
                    before = list(body)
                    body[k : k + 1] = pieces
                    yield partial(body.__setitem__, slice(None), before)
        for node in list(ast.walk(function)):
            for field, old in list(ast.iter_fields(node)):
                if isinstance(old, ast.expr):
                    for part in parts(old):
                        setattr(node, field, part)
                        yield partial(setattr, node, field, old)
                elif isinstance(old, list) and field in ("elts", "args"):
                    for k, item in enumerate(list(old)):
                        for part in parts(item):
                            old[k] = part
                            yield partial(old.__setitem__, k, item)


def bodies(node: ast.AST) -> Iterator[Where]:
    """All lists of statements."""
    for inner in ast.walk(node):
        for field in ("body", "orelse"):
            found = getattr(inner, field, None)
            if isinstance(found, list):
                yield found


def replacements(statement: ast.stmt) -> Iterator[Where]:
    """What may stand for a statement: nothing, or what is in it."""
    if not isinstance(statement, ast.Return):
        yield []
    if isinstance(statement, (ast.For, ast.If)):
        yield statement.body
        if statement.orelse:
            yield statement.orelse


def parts(node: ast.expr) -> Iterator[ast.expr]:
    """What may stand for an expression."""
    if isinstance(node, (ast.Name, ast.Constant, ast.Slice)):
        return
    if isinstance(getattr(node, "ctx", None), ast.Store):
        return
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.expr) and not isinstance(child, ast.Slice):
            yield child
    yield ast.Constant(value=0.5)
