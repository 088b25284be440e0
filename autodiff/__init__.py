"""Derivatives of plain Python and NumPy functions, written out as Python source."""

import os

# Installed, the templates are a folder of the package; in the source tree they lie beside it.
if not os.path.isdir(os.path.join(__path__[0], "templates")):
    __path__.append(os.path.dirname(__path__[0]))

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
from autodiff.checking.check import check_grads
from autodiff.declared import functions_given as _functions_given  # noqa: F401
from autodiff.declared.implicit import implicit
from autodiff.declared.recomputed import checkpoint
from autodiff.errors import (
    AutodiffError,
    InternalError,
    MissingRuleError,
    NativeError,
    NonDifferentiableError,
    NonFiniteError,
    OptionError,
    SharedMemoryError,
    SourceNotFoundError,
    TemplateError,
    UnsupportedSyntaxError,
)
from autodiff.identity import no_grad, stop_gradient
from autodiff.inspection.questions import debug_nans, report_kinks
from autodiff.rules import adjoint, custom, d, elementwise, linear, multilinear, nondifferentiable
from autodiff.runtime.checkpoints import checkpointed
from autodiff.runtime.inserting import insert_grad_of
from autodiff.sparsity.sparse import sparse_hessian, sparse_jacobian
from autodiff.transforms.backward import Parameter, backward
from autodiff.transforms.tangents import jvp, linearize

__version__ = "0.1.0"

__all__ = [
    "AutodiffError",
    "InternalError",
    "MissingRuleError",
    "NativeError",
    "NonDifferentiableError",
    "NonFiniteError",
    "OptionError",
    "Parameter",
    "SharedMemoryError",
    "SourceNotFoundError",
    "TemplateError",
    "UnsupportedSyntaxError",
    "adjoint",
    "backward",
    "check_grads",
    "checkpoint",
    "checkpointed",
    "custom",
    "d",
    "debug_nans",
    "elementwise",
    "elementwise_grad",
    "grad",
    "hessian",
    "hvp",
    "implicit",
    "insert_grad_of",
    "jacfwd",
    "jacobian",
    "jacrev",
    "jvp",
    "linear",
    "linearize",
    "multilinear",
    "no_grad",
    "nondifferentiable",
    "report_kinks",
    "sparse_hessian",
    "sparse_jacobian",
    "stop_gradient",
    "value_and_grad",
    "vjp",
]
