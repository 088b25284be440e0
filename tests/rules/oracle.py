"""A rule applied to values, by evaluating its template; and what it must agree with."""

import ast
import inspect
from functools import lru_cache

import gast
import numpy as np

from autodiff.rules import registry
from autodiff.runtime import unbroadcast


class Seed:
    """`d` inside a template: only the adjoint of the result is ever read."""

    def __init__(self, value):
        self.value = value

    def __getitem__(self, primal):
        return self.value


class Lowered:
    """NumPy as the compiler writes it for Python numbers: with math, conditional expressions."""

    def __getattr__(self, name):
        function = getattr(np, name)
        if not isinstance(function, np.ufunc):
            return function

        def lowered(*args):
            numbers = all(type(v) in (bool, int, float, complex) for v in args)
            return function(*args).item() if numbers else function(*args)

        return lowered

    @staticmethod
    def where(condition, x, y):
        if all(isinstance(v, (bool, int, float, complex)) for v in (condition, x, y)):
            return x if condition else y
        return np.where(condition, x, y)


@lru_cache(maxsize=None)
def compiled(place):
    """The locals and adjoints of the rule at a place, as code objects."""
    rule = _rules[place]
    steps = []
    for statement in rule.locals:
        steps.append((statement.targets[0].id, _code(statement.value)))
    return steps, {name: _code(value) for name, value in rule.adjoints.items()}


_rules = {}


def _code(expression):
    tree = gast.gast_to_ast(gast.Expression(body=expression))
    return compile(ast.fix_missing_locations(tree), "<template>", "eval")


def bind(rule, args, kwargs):
    """The values of the rule's parameters."""
    bound = inspect.Signature(list(rule.parameters)).bind(*args, **kwargs)
    bound.apply_defaults()
    return bound.arguments


def contributions(rule, result, args, kwargs, seed, wanted=None):
    """What the template gives each parameter, before shapes and dtypes are put right."""
    place = (rule.file, rule.line)
    _rules[place] = rule
    steps, adjoints = compiled(place)
    values = bind(rule, args, kwargs)
    involved = [*values.values(), *leaves(result)]
    any_complex = any(np.iscomplexobj(value) for value in involved if is_numeric(value))
    flip = rule.elementwise and rule.holomorphic and any_complex
    # Comprehensions look names up in globals only, so the scope is one dict of globals.
    scope = dict(vars(rule.module))
    scope.update({name: rule.lookup(name) for name in rule.cells})
    scope.update(values)
    scope[rule.result] = result
    scope["np"] = Lowered()
    scope["d"] = Seed(np.conj(seed) if flip else seed)
    for name, code in steps:
        scope[name] = eval(code, scope)
    found = {}
    for name, code in adjoints.items():
        if wanted is None or name in wanted:
            value = eval(code, scope)
            found[name] = np.conj(value) if flip else value
    return values, found


def adjoints_of(primitive, args, kwargs, seed, wanted=None):
    """The result of a primitive and the adjoints of its parameters, by name."""
    rule = registry.rule_for(primitive, len(args))
    result = primitive(*args, **kwargs)
    values, found = contributions(rule, result, args, kwargs, seed, wanted)
    for name in found:
        found[name] = finished(found[name], values[name])
    return result, found


def finished(g, like):
    """What is done around every template: the structure, shape and dtype of the primal."""
    if isinstance(like, np.ndarray):
        return unbroadcast(np.asarray(g), like)
    if isinstance(like, (list, tuple)):
        return type(like)([finished(g[k], item) for k, item in enumerate(like)])
    if isinstance(like, dict):
        return {key: finished(g[key], item) for key, item in like.items()}
    if is_numeric(like):
        return unbroadcast(g, like)
    return g


def is_numeric(x):
    return isinstance(x, (int, float, complex, np.ndarray, np.generic))


def is_inexact(x):
    """Whether a leaf is differentiated."""
    return isinstance(x, (float, complex)) or getattr(getattr(x, "dtype", None), "kind", "") in (
        "f",
        "c",
    )


def leaves(x):
    """The numbers and arrays of a structure, in order."""
    if isinstance(x, (list, tuple)):
        return [leaf for item in x for leaf in leaves(item)]
    if isinstance(x, dict):
        return [leaf for item in x.values() for leaf in leaves(item)]
    return [x]


def rebuilt(x, new):
    """The structure `x` with its leaves taken from the iterator `new`."""
    if isinstance(x, (list, tuple)):
        items = [rebuilt(item, new) for item in x]
        return type(x)._make(items) if hasattr(x, "_make") else type(x)(items)
    if isinstance(x, dict):
        return {key: rebuilt(item, new) for key, item in x.items()}
    return next(new)


def mapped(function, *structures):
    """`function` applied to the leaves of structures of one form."""
    columns = [leaves(x) for x in structures]
    return rebuilt(structures[0], iter([function(*row) for row in zip(*columns)]))


def random_like(x, rng, small=False):
    """Random numbers where `x` has floats; zeros elsewhere."""

    def draw(leaf):
        if not is_inexact(leaf):
            return 0.0 if not isinstance(leaf, np.ndarray) else np.zeros(leaf.shape)
        shape = np.shape(leaf)
        value = rng.uniform(-1, 1, shape)
        if np.iscomplexobj(leaf):
            value = value + 1j * rng.uniform(-1, 1, shape)
        if isinstance(leaf, (np.ndarray, np.generic)):
            value = np.asarray(value, leaf.dtype)
            return value if isinstance(leaf, np.ndarray) else value[()]
        return complex(value) if isinstance(leaf, complex) else float(value)

    return mapped(draw, x)


def inner(a, b):
    """The real inner product of two structures, over their inexact leaves."""
    total = 0.0
    for p, q in zip(leaves(a), leaves(b), strict=True):
        if is_inexact(p) and is_inexact(q):
            p, q = np.asarray(p), np.asarray(q)
            wide = np.result_type(p, q, np.float64)
            total += float(np.real(np.sum(np.conj(p.astype(wide)) * q.astype(wide))))
    return total


def directional(function, x, v, h=1e-4):
    """The derivative of `function` along `v`, by central differences of fourth order."""

    def moved(p, q):
        if isinstance(p, np.ndarray) and is_inexact(p):
            return np.add(p, q, out=np.empty_like(p))  # keeps the layout of p
        return p + q if is_inexact(p) else p

    def at(step):
        return function(mapped(moved, x, mapped(lambda q: step * q, v)))

    near, far = (at(h), at(-h)), (at(2 * h), at(-2 * h))

    def combine(p, q, r, s):
        if not is_inexact(p):
            return p
        return (8 * (np.asarray(p) - q) - (np.asarray(r) - s)) / (12 * h)

    return mapped(combine, *near, *far)


def frozen(x):
    """A copy of a structure whose arrays cannot be written to."""

    def freeze(leaf):
        if isinstance(leaf, np.ndarray):
            leaf = leaf.copy(order="K")
            leaf.flags.writeable = False
        return leaf

    return mapped(freeze, x)
