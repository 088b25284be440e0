"""Templates of elementwise rules are programs too: their own derivatives, against differences."""

import gast
import numpy as np
import pytest

from autodiff import grad
from autodiff.errors import MissingRuleError, NonDifferentiableError
from autodiff.instantiate.absence import is_seed
from autodiff.rules import registry
from autodiff.rules.home import home
from autodiff.syntax.walk import map_children
from tests.rules.oracle import bind, directional, is_inexact, leaves
from tests.rules.samples import SAMPLES

pytestmark = pytest.mark.heavy  # a sweep


def is_plain(sample):
    """Whether a sample has real numbers and arrays only, without keywords."""
    arrays = [leaf for value in sample.args for leaf in leaves(value)]
    real = all(isinstance(a, (int, float, np.ndarray)) and not np.iscomplexobj(a) for a in arrays)
    return real and not sample.kwargs and not any(isinstance(a, (list, tuple)) for a in sample.args)


CASES = {
    ".".join(map(str, home(primitive))): (primitive, next(filter(is_plain, samples)))
    for primitive, samples in SAMPLES.items()
    if any(map(is_plain, samples)) and registry.rule_for(primitive).elementwise
}
CASES = {
    name: (primitive, sample)
    for name, (primitive, sample) in CASES.items()
    if isinstance(value := primitive(*sample.args), (float, np.ndarray))
    and np.isrealobj(value)
}

def program(primitive, rule, names, given):
    """The weighted sum of what the template gives to `names`, as the text of a function."""

    def seeded(node):
        if isinstance(node, gast.Subscript) and is_seed(node):
            return gast.Name("seed", gast.Load(), None, None)
        return map_children(seeded, node)

    lines = [f"def first({', '.join(given)}, seed, weight):"]
    lines.append(f"    {rule.result} = primitive({', '.join(given)})")
    for statement in rule.locals:
        lines.append("    " + gast.unparse(seeded(statement)).strip())
    terms = [f"np.sum(weight * ({gast.unparse(seeded(rule.adjoints[n])).strip()}))" for n in names]
    lines.append(f"    return {' + '.join(terms)}")
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("name", CASES)
def test_the_adjoint_of_the_adjoint_agrees_with_differences(name, tmp_path):
    primitive, sample = CASES[name]
    rule = registry.rule_for(primitive, len(sample.args))
    values = bind(rule, sample.args, {})
    given = [p.name for p in rule.parameters][: len(sample.args)]
    names = [n for n in rule.adjoints if n in given and is_inexact(values[n])]
    text = program(primitive, rule, names, given)
    file = tmp_path / "first.py"
    file.write_text(text)
    scope = {**vars(rule.module), "primitive": primitive, "np": np}
    scope.update({cell: rule.lookup(cell) for cell in rule.cells})
    scope.update({p.name: p.default for p in rule.parameters[len(given) :]})
    exec(compile(text, str(file), "exec"), scope)
    first = scope["first"]
    rng = np.random.default_rng(3)
    result = primitive(*sample.args)
    seed, weight = rng.uniform(0.5, 1.5, np.shape(result)), rng.uniform(0.5, 1.5, np.shape(result))
    args = [values[n] for n in given]
    with np.errstate(all="ignore"):
        for position, own in enumerate(given):
            if own not in names:
                continue
            try:
                found = grad(first, position)(*args, seed, weight)
            except (MissingRuleError, NonDifferentiableError) as error:
                pytest.skip(str(error).splitlines()[0])
            v = rng.uniform(-1, 1, np.shape(values[own]))

            def along(x):
                return first(*args[:position], x, *args[position + 1 :], seed, weight)

            expected = directional(along, values[own], v)
            np.testing.assert_allclose(np.sum(found * v), expected, rtol=1e-5, atol=1e-6)
