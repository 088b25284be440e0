"""What rules for SciPy's functions that are given functions have in common."""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"
from __future__ import annotations

from autodiff.rules.taking import add_recipes
from autodiff.runtime import counted


class Found:
    """What a solver gives: what has a derivative, and what else it says."""

    def __init__(self, found, x=None, root=None, fun=None, cost=None, t=None, y=None):
        self.found = found
        if x is not None:
            self.x = x
        if root is not None:
            self.root = root
        if fun is not None:
            self.fun = fun
        if cost is not None:
            self.cost = cost
        if y is not None:
            self.t, self.y = t, y

    def __getattr__(self, name):
        return counted(self.found, name)

    def __getitem__(self, key):
        return getattr(self, key)


def tupled(args):
    """`args=` as SciPy takes it."""
    return args if isinstance(args, tuple) else (args,)


def alone(f, args, told=None):
    """A function of one argument. told: whether it gives its derivative, too; or that."""
    if isinstance(told, (bool, int)) and told:
        return lambda x: f(x, *args)[0]
    return lambda x: f(x, *args)


for _part in (
    "boundary_values",
    "callbacks",
    "constraints",
    "fits",
    "linear_fits",
    "linear_programs",
    "minima",
    "optimize",
    "paths",
    "quadrature",
):
    add_recipes(f"{__package__}.{_part}")
