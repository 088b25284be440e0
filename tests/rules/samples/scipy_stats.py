"""scipy.stats: inside and outside of the support, with every parameter."""

import numpy as np
from scipy import stats

from tests.rules.sample import HALF, Numbers, call

x = Numbers(17)


def uniform(low, high, *shape):
    return x.rng.uniform(low, high, shape)


# Ranges of the argument, and of the shapes.
ANY, POSITIVE, UNIT, SHAPE = (-2.0, 2.0), (0.2, 3.0), (0.1, 0.9), (1.2, 4.0)
CONTINUOUS = {
    stats.norm: (ANY,),
    stats.cauchy: (ANY,),
    stats.laplace: (ANY,),
    stats.logistic: (ANY,),
    stats.gumbel_r: (ANY,),
    stats.gumbel_l: (ANY,),
    stats.t: (ANY, SHAPE),
    stats.skewnorm: (ANY, SHAPE),
    stats.vonmises: (ANY, SHAPE),
    stats.expon: (POSITIVE,),
    stats.halfnorm: (POSITIVE,),
    stats.rayleigh: (POSITIVE,),
    stats.gamma: (POSITIVE, SHAPE),
    stats.chi2: (POSITIVE, SHAPE),
    stats.invgamma: (POSITIVE, SHAPE),
    stats.lognorm: (POSITIVE, SHAPE),
    stats.weibull_min: (POSITIVE, SHAPE),
    stats.pareto: ((1.2, 3.0), SHAPE),
    stats.invgauss: (POSITIVE, UNIT),
    stats.f: (POSITIVE, SHAPE, SHAPE),
    stats.uniform: (UNIT,),
    stats.beta: (UNIT, SHAPE, SHAPE),
}
FUNCTIONS = ("cdf", "sf", "logcdf", "logsf")


def points(ranges, z, loc, scale, *shape):
    """An argument that is `z` when its location and scale are taken off, and the shapes."""
    return [loc + scale * z, *(uniform(*one, *shape) for one in ranges[1:])]


def samples(ranges):
    inside = [
        points(ranges, uniform(*ranges[0], *shape), 0.0, 1.0, *shape) for shape in ((4,), (2, 3))
    ]
    loc, scale = uniform(-1, 1, 3), uniform(0.5, 2, 3)
    moved = points(ranges, uniform(*ranges[0], 2, 3), loc, scale, 3)
    number = [float(v[0]) for v in points(ranges, uniform(*ranges[0], 1), 0.0, 1.0, 1)]
    return [
        *(call(*args) for args in inside),
        *(call(*moved, loc, scale), call(*moved, loc=loc, scale=scale), call(*number)),
        call(*number, 0.01, 1.1),
    ]


def beside(ranges):
    """Samples outside of the support (the logarithms there: tests/rules/test_optional.py)."""
    low = ranges[0][0]
    if low < 0:
        return []
    return [call(*points(ranges, np.array([-0.5, -1.0, low + 0.1]), 0.0, 1.0, 3))]


def quantiles(ranges):
    shapes = [uniform(*one, 3) for one in ranges[1:]]
    loc, scale = uniform(-1, 1, 3), uniform(0.5, 2, 3)
    return [
        *(call(uniform(0.1, 0.9, 3), *shapes), call(uniform(0.1, 0.9, 2, 3), *shapes, loc, scale)),
    ]


def firsts(args):
    """The parameters of the first of several distributions."""
    return [float(v[0]) if np.ndim(v) else v for v in args[1:]]


SAMPLES = {}
for distribution, ranges in CONTINUOUS.items():
    SAMPLES[distribution.pdf] = samples(ranges) + beside(ranges)
    SAMPLES[distribution.logpdf] = samples(ranges)
    for function in FUNCTIONS:
        outside = [] if function.startswith("log") else beside(ranges)
        SAMPLES[getattr(distribution, function)] = samples(ranges) + outside
    SAMPLES[distribution.ppf] = quantiles(ranges)
    SAMPLES[distribution.isf] = quantiles(ranges)[:2]

COUNTS = np.array([0, 1, 3])
for distribution, args in {
    stats.poisson: (COUNTS, uniform(0.5, 3, 3)),
    stats.bernoulli: (np.array([0, 1, 1]), uniform(0.1, 0.9, 3)),
    stats.binom: (COUNTS, 4, uniform(0.1, 0.9, 3)),
    stats.geom: (COUNTS + 1, uniform(0.1, 0.9, 3)),
    stats.nbinom: (COUNTS, uniform(0.5, 3, 3), uniform(0.1, 0.9, 3)),
}.items():
    wide = (args[0], *args[1:-1], uniform(0.1, 0.9, 2, 1))
    for function in (distribution.pmf, distribution.logpmf):
        SAMPLES[function] = [call(*args), call(*wide), call(args[0] + 2, *args[1:], 2)]
    only = ("mu",) if distribution is stats.poisson else ("p",)
    inner = np.minimum(args[0], 0) if distribution is stats.bernoulli else args[0]
    for name in FUNCTIONS:
        k = inner if name == "logsf" else args[0]  # -inf: tests/rules/test_optional.py
        SAMPLES[getattr(distribution, name)] = [
            *(call(k, *args[1:], wrt=only), call(k, *wide[1:], wrt=only)),
            *(call(k + 2, *args[1:], 2, wrt=only), call(k[0] + 0.5, *firsts(args), wrt=only)),
        ]

MEAN, COV = x(3), x.positive_definite(3, 3)
for function in (stats.multivariate_normal.pdf, stats.multivariate_normal.logpdf):
    SAMPLES[function] = [
        *(call(x(3), MEAN, COV, wrt=(name,)) for name in ("cov",)),
        *(call(x(2, 3), MEAN, COV, wrt=("cov",)), call(x(2, 3), MEAN, HALF)),
        *(call(x(*shape), MEAN, COV, wrt=("x", "mean")) for shape in ((3,), (4, 3), (2, 2, 3))),
        *(call(x(2, 3), cov=COV, wrt=("x",)), call(x(3)), call(x(4), 0.3, 1.7)),
        *(call(x(2, 3), MEAN, uniform(0.5, 2, 3)), call(x(2, 3), MEAN, 1.5)),
    ]

SAMPLES[stats.multivariate_normal.entropy] = [
    *(call(MEAN, COV, wrt=("cov",)), call(cov=1.7), call(MEAN, 1.7, wrt=("cov",))),
    *(call(MEAN, uniform(0.5, 2, 3), wrt=("cov",)), call(MEAN, HALF, wrt=("cov",))),
]
SHARES = np.array([[0.2, 0.1], [0.5, 0.3]])
for function in (stats.dirichlet.pdf, stats.dirichlet.logpdf):
    SAMPLES[function] = [
        *(call(SHARES[:, 0], uniform(0.5, 3, 3)), call(SHARES, uniform(0.5, 3, 3))),
        call(np.array([0.2, 0.5, 0.3]), uniform(0.5, 3, 3), wrt=("alpha",)),
    ]
