"""Reading templates: what is refused, and where the message points."""

import functools
import math
import operator

import gast
import numpy as np
import pytest

from autodiff.errors import TemplateError
from autodiff.rules import adjoint, d, elementwise, linear, nondifferentiable, registry
from autodiff.runtime import unbroadcast


def f(x, y=1.0, n=2):
    return x * y


def test_a_rule_holds_what_the_template_says():
    @adjoint(f)
    def f_adjoint(z, x, y=1.0):
        """Linear in each."""
        g = d[z] * 2
        d[x] = g * y
        d[y] = unbroadcast(g, like=y) * x

    rule = registry.rule_for(f)
    assert (rule.name, rule.result) == ("f_adjoint", "z")
    assert [p.name for p in rule.parameters] == ["x", "y"]
    assert rule.parameters[1].default == 1.0
    assert [gast.unparse(s).strip(" \n()") for s in rule.locals] == ["g = d[z] * 2"]
    assert list(rule.adjoints) == ["x", "y"]
    assert not rule.elementwise and not rule.linear
    assert rule.lookup("np") is np and rule.lookup("len") is len
    assert rule.file == __file__
    with open(__file__) as file:
        assert "@adjoint(f)" in file.readlines()[rule.line - 1]


def test_closures_are_looked_up():
    factor = 3.0

    @elementwise(f)
    def f_adjoint(z, x):
        d[x] = d[z] * factor

    assert registry.rule_for(f).lookup("factor") == 3.0


def body_error(template):
    with pytest.raises(TemplateError) as caught:
        adjoint(f)(template)
    return caught.value


def test_an_affine_body_is_refused():
    def template(z, x):
        d[x] = d[z] + 1.0

    error = body_error(template)
    assert "not linear" in str(error)
    assert 'test_templates.py", line' in str(error)
    assert "d[x] = d[z] + 1.0" in str(error)
    assert "^^^^^^^^^^" in str(error)


def test_a_square_is_refused():
    def template(z, x):
        d[x] = d[z] * d[z]

    assert "not linear" in str(body_error(template))


def test_division_by_the_adjoint_is_refused():
    def template(z, x):
        d[x] = x / d[z]

    assert "not linear" in str(body_error(template))


def test_a_function_of_the_adjoint_is_refused():
    def template(z, x):
        d[x] = np.sin(d[z])

    assert "not linear" in str(body_error(template))


def test_a_test_on_the_adjoint_is_refused():
    def template(z, x):
        d[x] = d[z] if d[z] > 0 else 0.0

    assert "not linear" in str(body_error(template))


def test_a_local_carries_the_adjoint():
    def template(z, x):
        g = np.exp(x) * d[z]
        d[x] = g * g

    assert "not linear" in str(body_error(template))


def test_a_body_without_the_adjoint_is_refused():
    def template(z, x):
        d[x] = 2 * x

    assert "does not depend on d[z]" in str(body_error(template))


def test_zero_is_a_body():
    @adjoint(f)
    def template(z, x, y):
        d[x] = d[z]
        d[y] = 0.0

    assert list(registry.rule_for(f).adjoints) == ["x", "y"]


def test_the_adjoint_of_an_input_is_only_written():
    def template(z, x, y):
        d[x] = d[z]
        d[y] = d[x]

    assert "only d[z]" in str(body_error(template))


def test_the_adjoint_of_the_result_is_only_read():
    def template(z, x):
        d[z] = d[z]

    assert "it is the result" in str(body_error(template))


def test_an_unknown_parameter_is_refused():
    def template(z, x):
        d[w] = d[z]  # noqa: F821

    assert "not a parameter" in str(body_error(template))


def test_each_input_is_assigned_once():
    def template(z, x):
        d[x] = d[z]
        d[x] = d[z]

    assert "assigned twice" in str(body_error(template))


def test_accumulating_is_refused():
    def template(z, x):
        d[x] += d[z]

    assert "straight-line" in str(body_error(template))


def test_control_flow_is_refused():
    def template(z, x):
        if x > 0:
            d[x] = d[z]

    assert "straight-line" in str(body_error(template))


def test_an_undefined_name_is_refused():
    def template(z, x):
        d[x] = d[z] * unheard_of  # noqa: F821

    assert "unheard_of is not defined" in str(body_error(template))


def test_a_template_without_a_result_is_refused():
    def template():
        d[x] = d[x]  # noqa: F821

    assert "no parameter for the result" in str(body_error(template))


def test_an_empty_template_is_refused():
    def template(z, x):
        """Nothing."""

    assert "assigns no d[...]" in str(body_error(template))


def test_keywords_collected_are_refused():
    def template(z, x, **rest):
        d[x] = d[z]

    assert "**keywords" in str(body_error(template))


def test_a_keyword_that_the_primitive_lacks_is_refused():
    def template(z, x, axis=None):
        d[x] = d[z]

    assert "f has no parameter axis" in str(body_error(template))


def test_too_few_operands_are_refused():
    def template(z, x):
        d[x] = d[z]

    with pytest.raises(TemplateError, match="2 operands"):
        elementwise(np.multiply)(template)


def test_locals_come_first():
    def template(z, x, y):
        d[x] = d[z]
        g = d[z]
        d[y] = g

    assert "come before" in str(body_error(template))


def test_parameters_are_not_overwritten():
    def template(z, x):
        x = d[z]
        d[x] = x

    assert "overwritten" in str(body_error(template))


def test_decorators_need_functions():
    with pytest.raises(TemplateError, match="names no function"):
        adjoint()(lambda y, x: None)
    with pytest.raises(TemplateError, match="not a function"):
        linear(3)


def test_d_has_no_value_at_run_time():
    with pytest.raises(TypeError, match="never run"):
        d["x"]
    with pytest.raises(TypeError, match="never run"):
        d["x"] = 1.0


def test_functions_without_derivative():
    @nondifferentiable
    def count(x):
        return len(x)

    assert registry.is_nondifferentiable(count) and registry.is_pure(count)
    assert registry.rule_for(count) is None
    nondifferentiable(math.gcd, count, pure=False)
    assert not registry.is_pure(count)


def test_questions_to_the_registry():
    registry.load()
    assert registry.rule_for(np.sin) is registry.rule_for(math.sin)
    assert registry.rule_for(operator.mul) is registry.rule_for(np.multiply)
    assert registry.is_nondifferentiable(np.argmax) and not registry.is_nondifferentiable(np.sin)
    assert registry.is_pure(np.sin) and registry.is_pure(np.argmax)
    assert not registry.is_pure(print) and registry.is_nondifferentiable(print)
    assert registry.rule_for([]) is None and not registry.is_pure({})
    assert not registry.is_nondifferentiable([])
    assert registry.rule_for(functools.partial) is None


def g(x):
    return x


def test_rules_by_the_number_of_operands():
    registry.load()
    assert registry.rule_for(max, 2).name == "larger"
    assert registry.rule_for(max, 1).name == registry.rule_for(max, 3).name == "extremum"
    assert registry.rule_for(max).name == "extremum"
    assert registry.rule_for(np.sin, 7) is registry.rule_for(np.sin)


def test_a_users_rule_takes_precedence():
    registry.load()
    original = registry._templates[np.cbrt]
    try:

        @elementwise(np.cbrt)
        def mine(y, x):
            d[x] = d[y]

        registry.add(original[0])
        assert registry.rule_for(np.cbrt).name == "mine"
        assert not registry.is_pure(np.cbrt)
    finally:
        registry._templates[np.cbrt] = original


def test_texts_at_the_margin_do_not_end_a_template():
    @adjoint(f)
    def f_adjoint(z, x):
        """What follows
stands at the margin.
        """
        d[x] = d[z]

    assert list(registry.rule_for(f).adjoints) == ["x"]
