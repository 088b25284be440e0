"""Covariances, histograms and slopes."""

import numpy as np

from tests.rules.sample import Numbers, call

x = Numbers(17)
EDGES = np.array([-1.05, -0.5, 0.13, 1.07])
COUNTS = np.array([2, 1, 3, 1, 2])
C = x.complex(3, 4)


def observed():
    yield call(x(3, 5))
    yield call(x(4))
    yield call(x(3, 5), x(2, 5))
    yield call(x(4), x(4))
    yield call(x(3, 5), rowvar=False)
    yield call(x(5, 2), x(5, 3), False)
    yield call(x.complex(3, 5))
    yield call(x.complex(2, 5), x.complex(1, 5))
    yield call(x(1, 5), x(2, 5))


def weighted():
    for density in (False, True):
        for bins in (4, EDGES):
            yield call(x.apart(7), bins, weights=x(7, low=0.2), density=density, wrt=("weights",))
            yield call(x.apart(2, 4), bins, None, density, x(2, 4, low=0.2), wrt=("weights",))
        yield call(x.apart(7), 4, (-0.5, 1.2), density, x(7, low=0.2), wrt=("weights",))


def grids():
    for density in (False, True):
        weights = x(6, low=0.2)
        yield call(x.apart(6), x.apart(6), 3, weights=weights, density=density)
        yield call(x.apart(6), x.apart(6), [2, EDGES], None, density, weights)


def slopes():
    grid = np.sort(x.apart(5))
    for order in (1, 2):
        yield call(x(5), edge_order=order)
        yield call(x(5), 0.5, edge_order=order)
        yield call(x(5), grid, edge_order=order)
        yield call(x(3, 5), axis=1, edge_order=order)
        yield call(x(5, 3), grid, axis=0, edge_order=order)
        yield call(x(3, 5), 0.3, 0.7, edge_order=order)
        yield call(x(5, 4), grid, 0.7, edge_order=order)
        yield call(x(3, 5), 0.3, edge_order=order)
        yield call(x(3, 4, 3), 0.3, 0.4, axis=(0, 2), edge_order=order)
        yield call(x.complex(4), 0.5, edge_order=order)
        yield call(x.complex(5), grid, edge_order=order)
    yield call(x(2))
    yield call(x(2, 2), 0.5)


SAMPLES = {
    np.cov: [
        *(*observed(), call(x(3, 5), bias=True), call(x(3, 5), ddof=0), call(x(3, 5), ddof=2)),
        *(call(x(3, 5), None, True, True), call(x(3, 5), fweights=COUNTS, wrt=("m",))),
        *(
            call(x(3, 5), aweights=x(5, low=0.2), ddof=k, wrt=("m", "aweights"))
            for k in (None, 0, 1)
        ),
        call(x(3, 5), dtype=np.float64),
        call(x(3, 5), x(5), fweights=COUNTS, aweights=x(5, low=0.2), wrt=("m", "y")),
        call(x.complex(3, 5), aweights=x(5, low=0.2), wrt=("aweights",)),
        call(x(5), fweights=COUNTS, aweights=x(5, low=0.2), wrt=("aweights",)),
    ],
    np.corrcoef: [*observed(), call(x(3, 5), dtype=np.float64)],
    np.histogram: [
        *(
            *weighted(),
            call(x.apart(5), 4),
            call(x.apart(5), 3, density=True),
            call(x.apart(5), EDGES),
        ),
        *(call(x.apart(5), EDGES, density=True), call(x.apart(5), 4, (-2.0, 2.0), wrt=("a",))),
        call(x.apart(2, 3), 4),
    ],
    np.histogram_bin_edges: [call(x.apart(5), 4), call(x.apart(5), EDGES), call(x.apart(2, 3), 2)],
    np.histogram2d: [call(*sample.args, **sample.kwargs, wrt=("weights",)) for sample in grids()],
    np.histogramdd: [
        call(x.apart(6, 3), 2, weights=x(6, low=0.2), density=density, wrt=("weights",))
        for density in (False, True)
    ],
    np.gradient: [*slopes()],
}
