"""Derivative rules: written as templates, kept in a registry."""

from autodiff.rules.custom import custom
from autodiff.rules.decorators import adjoint, elementwise, linear, multilinear, nondifferentiable
from autodiff.rules.installed import newer
from autodiff.rules.template import Rule, d

__all__ = [
    "Rule",
    "adjoint",
    "custom",
    "d",
    "elementwise",
    "linear",
    "multilinear",
    "newer",
    "nondifferentiable",
]
