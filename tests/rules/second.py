"""A rule inside a program that is differentiated twice."""

import importlib.util
import sys

import numpy as np

from autodiff import grad
from autodiff.rules import registry
from tests.rules.oracle import directional, inner, is_inexact, random_like
from tests.rules.test_compiled import written


def second_order(primitive, sample, folder):
    """The derivative, along a direction, of a weighted sum of the generated gradient; expected too.

    The gradient is differentiated as the generated function that it is, helpers and all.
    """
    text, arguments, scope = written(0, sample, registry.rule_for(primitive, len(sample.args)))
    scope |= {"primitive": primitive, "np": np}
    result = primitive(*sample.args, **sample.kwargs)
    given = ", ".join(arguments)
    text += f"\n\ndef value({given}):\n    y = call_0({given})\n    return "
    text += weighted({"y": result}, scope, registry.is_uncertain(primitive)) + "\n"
    first = grad(loaded(folder, "first", text, scope).value, tuple(arguments))
    bars = dict(zip([f"{own}_bar" for own in arguments], first(*arguments.values())))
    scope = {"np": np, "first": first._last.function}
    text = f"def second({given}):\n    {', '.join(bars)}, = first({given})\n    return "
    second = loaded(folder, "second", text + weighted(bars, scope) + "\n", scope).second
    found = grad(second, tuple(arguments))(*arguments.values())
    rng = np.random.default_rng(7)
    x = list(arguments.values())
    v = [random_like(own, rng) for own in x]
    expected = directional(lambda moved: second(*moved), x, v)
    return sum(map(inner, found, v)), expected


def weighted(values, scope, uncertain=False):
    """The text of a weighted sum of all that is inexact in the values; the weights go to scope.

    uncertain: the compiler does not know whether values that are real might be complex.
    """
    terms = ["0.0"]
    for name, value in values.items():
        for place, leaf in _places(value):
            if is_inexact(leaf):
                weight = f"w_{len(scope)}"
                scope[weight] = random_like(leaf, np.random.default_rng(len(scope)))
                product = f"{weight} * {name}{place}"
                real = f"np.real({product})" if uncertain or np.iscomplexobj(leaf) else product
                terms.append(f"np.sum({real})")
    return " + ".join(terms[1:] or terms)


def _places(value, place=""):
    if isinstance(value, (list, tuple)):
        return [p for k, item in enumerate(value) for p in _places(item, f"{place}[{k}]")]
    return [(place, value)]


def loaded(folder, name, text, scope):
    """A module of this text, with these globals."""
    path = folder / f"{name}.py"
    path.write_text(text)
    spec = importlib.util.spec_from_file_location(f"{name}_{id(scope)}", path)
    module = importlib.util.module_from_spec(spec)
    vars(module).update(scope)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module
