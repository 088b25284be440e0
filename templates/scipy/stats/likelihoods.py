"""Parameters of the largest likelihood: a search for them is refused, closed forms are followed."""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"
from __future__ import annotations

from scipy import stats

from autodiff.rules import registry
from autodiff.rules.taking import add_recipes, add_solvers, refused

_CURE = "ask scipy.optimize.minimize, which has a rule, for the least -logpdf(data, ...).sum()"


def fit(self, data, *args, **named):
    refused(f"stats.{self.name}.fit", "it searches for the largest likelihood", _CURE)


def boxcox_normmax(x, *rest, **named):
    refused("stats.boxcox_normmax", "it searches for the largest likelihood", "give `lmbda`")


def yeojohnson_normmax(x, *rest, **named):
    refused("stats.yeojohnson_normmax", "it searches for the largest likelihood", "give `lmbda`")


SEARCHES = {
    stats.rv_continuous.fit: fit,
    stats.boxcox_normmax: boxcox_normmax,
    stats.yeojohnson_normmax: yeojohnson_normmax,
}
registry.add_written(SEARCHES)
add_solvers(SEARCHES)
add_recipes(__name__)
