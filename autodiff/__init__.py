"""Derivatives of plain Python and NumPy functions, written out as Python source."""

from autodiff.api import (
    elementwise_grad,
    grad,
    hessian,
    hvp,
    jacfwd,
    jacobian,
    jacrev,
    value_and_grad,
    vjp,
)
from autodiff.backward import Parameter, backward
from autodiff.check import check_grads
from autodiff.errors import (
    AutodiffError,
    InternalError,
    MissingRuleError,
    NativeError,
    NonDifferentiableError,
    SourceNotFoundError,
    TemplateError,
    UnsupportedSyntaxError,
)
from autodiff.primitives import stop_gradient
from autodiff.rules import adjoint, d, elementwise, linear, multilinear, nondifferentiable
from autodiff.sparse import sparse_hessian, sparse_jacobian
from autodiff.tangents import jvp, linearize

__all__ = [
    "AutodiffError",
    "InternalError",
    "MissingRuleError",
    "NativeError",
    "NonDifferentiableError",
    "Parameter",
    "SourceNotFoundError",
    "TemplateError",
    "UnsupportedSyntaxError",
    "adjoint",
    "backward",
    "check_grads",
    "d",
    "elementwise",
    "elementwise_grad",
    "grad",
    "hessian",
    "hvp",
    "jacfwd",
    "jacobian",
    "jacrev",
    "jvp",
    "linear",
    "linearize",
    "multilinear",
    "nondifferentiable",
    "sparse_hessian",
    "sparse_jacobian",
    "stop_gradient",
    "value_and_grad",
    "vjp",
]
