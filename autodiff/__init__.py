"""Derivatives of plain Python and NumPy functions, written out as Python source."""

import os
from importlib import import_module
from typing import TYPE_CHECKING

# Installed, the templates are a folder of the package; in the source tree they lie beside it.
if not os.path.isdir(os.path.join(__path__[0], "templates")):
    __path__.append(os.path.dirname(__path__[0]))

if TYPE_CHECKING:  # what `__getattr__` gives; each is imported when it is first asked for
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
    from autodiff.declared.checkpointed_calls import checkpoint
    from autodiff.declared.implicit import implicit
    from autodiff.errors import (
        AutodiffError,
        CompileTimeoutError,
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
    from autodiff.rules import (
        adjoint,
        custom,
        d,
        elementwise,
        linear,
        multilinear,
        nondifferentiable,
    )
    from autodiff.runtime.checkpoints import checkpointed
    from autodiff.runtime.constant import insert_grad_of
    from autodiff.sparsity.sparse import sparse_hessian, sparse_jacobian
    from autodiff.transforms.backward import Parameter, backward
    from autodiff.transforms.tangents import jvp, linearize
    from autodiff.transforms.vmapped import vmap

__version__ = "0.1.0"

__all__ = [
    "AutodiffError",
    "CompileTimeoutError",
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
    "vmap",
]

_HOMES = {
    "checking.check": ("check_grads",),
    "declared.implicit": ("implicit",),
    "declared.checkpointed_calls": ("checkpoint",),
    "errors": tuple(name for name in __all__ if name.endswith("Error")),
    "identity": ("no_grad", "stop_gradient"),
    "inspection.questions": ("debug_nans", "report_kinks"),
    "rules": (
        *("adjoint", "custom", "d", "elementwise", "linear", "multilinear"),
        "nondifferentiable",
    ),
    "runtime.checkpoints": ("checkpointed",),
    "runtime.constant": ("insert_grad_of",),
    "sparsity.sparse": ("sparse_hessian", "sparse_jacobian"),
    "transforms.backward": ("Parameter", "backward"),
    "transforms.tangents": ("jvp", "linearize"),
    "transforms.vmapped": ("vmap",),
}
"""Where names are; all others are in `api`."""


def __getattr__(name: str) -> object:
    """A public name, from where it is (PEP 562): `import autodiff` alone imports nothing else."""
    if name in __all__:
        home = next((home for home, names in _HOMES.items() if name in names), "api")
        if home.split(".")[0] not in ("errors", "runtime"):
            import_module("autodiff.needed")
        value: object = getattr(import_module(f"autodiff.{home}"), name)
    elif name in ("api", "errors", "rules", "runtime"):
        return import_module(f"autodiff.{name}")
    else:
        raise AttributeError(f"module 'autodiff' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
