"""The same for what other parts of SciPy have, classes among it: by module and name, functions of a
few numbers, which a class is made of, or which its objects are given.
"""

import numpy as np
from scipy import interpolate, optimize, sparse, spatial, stats
from scipy.sparse import csgraph
from scipy.sparse import linalg as solvers
from scipy.spatial import distance, transform
from scipy.stats import _distr_params

I, O, D, R, S, L = interpolate, optimize, distance, transform.Rotation, sparse, solvers
T = np.arange(6.0)
P = np.array([0.5, 1.45, 0.8, 1.1, 2.3, 1.2])
Q = np.array([0.9, 0.3, 1.7, 0.4, 1.6, 2.1])
ENDS = np.repeat([0.0, 5.0], 4)
KNOTS = np.concatenate((ENDS[:4], [2.4], ENDS[4:]))
PLANE = np.array([[0, 0], [1, 0], [0, 1], [1, 1.0], [0.4, 0.6], [0.7, 0.2]])
AT = np.array([[0.3, 0.4], [0.5, 0.7]])
BAND = sparse.diags_array([P[:5] / 3, P + 3, Q[:5] / 4], offsets=[-1, 0, 1]).tocsc()


def polynomials(p):
    return p.reshape(3, 2), np.array([0.0, 1.0, 2.5])


def on_grid(p):
    return np.outer(p, [1.0, 2.0, 4.0, 3.0, 1.5])


def frame(p):
    """A sparse matrix of them."""
    return S.csr_array((p, ([0, 1, 2, 0, 1, 2], [0, 1, 2, 1, 2, 0])), shape=(3, 3))


def dense(made):
    return made.toarray()


def written(name, *rest, **named):
    """A function of two vectors, of distances."""
    return [(lambda p: getattr(D, name)(p, Q, *rest, **named), P)]


def joined(name):
    return [(lambda p: getattr(stats, name)(p, Q)[0], P)]


def of_one(name, *rest):
    return [(lambda p: getattr(stats, name)(p, *rest), P)]


def first(name, *rest):
    return [(lambda p: getattr(stats, name)(p, *rest)[0], P)]


INTERPOLATE = {
    "AAA": [(lambda p: I.AAA(T, p)(0.3), P)],
    "Akima1DInterpolator": [(lambda p: I.Akima1DInterpolator(T, p)(0.3), P)],
    "BPoly": [(lambda p: I.BPoly(*polynomials(p))(0.3), P)],
    "BSpline": [(lambda p: I.BSpline(KNOTS, p[:5], 3)(0.3), P)],
    "BarycentricInterpolator": [(lambda p: I.BarycentricInterpolator(T, p)(0.3), P)],
    "CubicHermiteSpline": [(lambda p: I.CubicHermiteSpline(T, p, p**2)(0.3), P)],
    "FloaterHormannInterpolator": [(lambda p: I.FloaterHormannInterpolator(T, p)(0.3), P)],
    "InterpolatedUnivariateSpline": [(lambda p: I.InterpolatedUnivariateSpline(T, p)(0.3), P)],
    "KroghInterpolator": [(lambda p: I.KroghInterpolator(T, p)(0.3), P)],
    "LSQUnivariateSpline": [(lambda p: I.LSQUnivariateSpline(T, p, [2.4])(0.3), P)],
    "NdBSpline": [(lambda p: I.NdBSpline((KNOTS,), p[:5], 3)([[0.3]]), P)],
    "NdPPoly": [(lambda p: I.NdPPoly(p.reshape(3, 2, 1, 1), ([0, 1.0], [0, 1.0]))([0.3, 0.4]), P)],
    "PPoly": [(lambda p: I.PPoly(*polynomials(p))(0.3), P)],
    "PchipInterpolator": [(lambda p: I.PchipInterpolator(T, p)(0.3), P)],
    "RBFInterpolator": [(lambda p: I.RBFInterpolator(PLANE, p)(AT), P)],
    "Rbf": [(lambda p: I.Rbf(PLANE[:, 0], PLANE[:, 1], p)(0.3, 0.4), P)],
    "RectBivariateSpline": [(lambda p: I.RectBivariateSpline(T, T[:5], on_grid(p))(0.3, 1.4), P)],
    "RegularGridInterpolator": [
        (lambda p: I.RegularGridInterpolator((T, T[:5]), on_grid(p))(AT), P)
    ],
    "UnivariateSpline": [(lambda p: I.UnivariateSpline(T, p)(0.3), P)],
    "approximate_taylor_polynomial": [
        (lambda p: I.approximate_taylor_polynomial(lambda x: p[0] * np.sin(x), 0, 3, 1).c, P)
    ],
    "barycentric_interpolate": [(lambda p: I.barycentric_interpolate(T, p, 0.3), P)],
    "generate_knots": [(lambda p: list(I.generate_knots(T, p, s=0.1))[-1] * p[0], P)],
    "griddata": [(lambda p: I.griddata(PLANE, p, AT), P)],
    "insert": [(lambda p: I.insert(2.0, I.splrep(T, p))[1], P)],
    "interpn": [(lambda p: I.interpn((T, T[:5]), on_grid(p), AT), P)],
    "krogh_interpolate": [(lambda p: I.krogh_interpolate(T, p, 0.3), P)],
    "lagrange": [(lambda p: I.lagrange(T, p)(0.3), P)],
    "make_lsq_spline": [(lambda p: I.make_lsq_spline(T, p, KNOTS)(0.3), P)],
    "make_smoothing_spline": [(lambda p: I.make_smoothing_spline(T, p, lam=0.1)(0.3), P)],
    "make_splprep": [(lambda p: I.make_splprep([p, Q], s=0.1)[0](0.3), P)],
    "make_splrep": [(lambda p: I.make_splrep(T, p, s=0.1)(0.3), P)],
    "pade": [(lambda p: I.pade(p, 2)[0](0.3), P)],
    "pchip_interpolate": [(lambda p: I.pchip_interpolate(T, p, 0.3), P)],
    "spalde": [(lambda p: I.spalde(0.3, I.splrep(T, p)), P)],
    "splantider": [(lambda p: I.splantider(I.splrep(T, p))[1], P)],
    "splder": [(lambda p: I.splder(I.splrep(T, p))[1], P)],
    "splprep": [(lambda p: I.splprep([p, Q], s=0.1)[1], P)],
    "splrep": [(lambda p: I.splrep(T, p, s=0.1)[1], P)],
    "sproot": [(lambda p: I.sproot(I.splrep(T, p - 1.0)), P)],
}

OPTIMIZE = {
    "approx_fprime": [(lambda p: O.approx_fprime(p, lambda x: np.sum(x**3), 1e-3), P)],
    "isotonic_regression": [(lambda p: O.isotonic_regression(p).x, P)],
    "rosen": [(O.rosen, P)],
    "rosen_der": [(O.rosen_der, P)],
    "rosen_hess": [(O.rosen_hess, P)],
    "rosen_hess_prod": [(lambda p: O.rosen_hess_prod(p, Q), P)],
    "linear_sum_assignment": [(lambda p: p[O.linear_sum_assignment(np.outer(p, Q))[1]], P)],
}

SPATIAL = {
    "Delaunay": [(lambda p: p[spatial.Delaunay(PLANE).simplices], P)],
    "distance_matrix": [(lambda p: spatial.distance_matrix(p.reshape(3, 2), PLANE), P)],
    "geometric_slerp": [
        (lambda t: spatial.geometric_slerp(np.array([1.0, 0.0]), np.array([0.6, 0.8]), t), P / 3)
    ],
    "minkowski_distance": [(lambda p: spatial.minkowski_distance(p, Q, 3), P)],
    "minkowski_distance_p": [(lambda p: spatial.minkowski_distance_p(p, Q, 3), P)],
    "procrustes": [(lambda p: spatial.procrustes(p.reshape(3, 2), PLANE[:3] + 0.1)[2], P)],
}

DISTANCE = {
    **{name: written(name) for name in ("braycurtis", "chebyshev", "cityblock", "correlation")},
    **{name: written(name) for name in ("cosine", "euclidean", "sqeuclidean")},
    "mahalanobis": [(lambda p: D.mahalanobis(p, Q, np.diag(P) + 0.1), P)],
    "minkowski": written("minkowski", 3),
    "seuclidean": written("seuclidean", P),
}

TRANSFORM = {
    "Rotation": [(lambda p: R.from_rotvec(p[:3]).apply(p[3:]), P)],
}

MADE = {
    "block_array": [(lambda p: dense(S.block_array([[frame(p), None], [None, frame(p)]])), P)],
    "block_diag": [(lambda p: dense(S.block_diag([frame(p), frame(Q)])), P)],
    "bmat": [(lambda p: dense(S.bmat([[frame(p), frame(Q)]])), P)],
    **{
        f"{form}_{kind}": [(lambda p, form=form: frame(p).asformat(form).sum(axis=0), P)]
        for form in ("bsr", "csc", "csr", "dia", "dok", "lil")
        for kind in ("array", "matrix")
    },
    "diags": [(lambda p: dense(S.diags(p)), P)],
    "diags_array": [(lambda p: dense(S.diags_array(p)), P)],
    "find": [(lambda p: S.find(frame(p))[2], P)],
    "hstack": [(lambda p: dense(S.hstack([frame(p), frame(Q)])), P)],
    "kron": [(lambda p: dense(S.kron(frame(p), frame(Q))), P)],
    "kronsum": [(lambda p: dense(S.kronsum(frame(p), frame(Q))), P)],
    "spdiags": [(lambda p: dense(S.spdiags(p, 0, 6, 6)), P)],
    "tril": [(lambda p: dense(S.tril(frame(p))), P)],
    "triu": [(lambda p: dense(S.triu(frame(p))), P)],
    "vstack": [(lambda p: dense(S.vstack([frame(p), frame(Q)])), P)],
}

SOLVED = {
    "LinearOperator": [(lambda p: L.LinearOperator((6, 6), matvec=lambda v: p * v).matvec(Q), P)],
    "aslinearoperator": [(lambda p: L.aslinearoperator(frame(p)).matvec(Q[:3]), P)],
    "expm": [(lambda p: dense(L.expm(frame(p).tocsc())), P)],
    "expm_multiply": [(lambda p: L.expm_multiply(frame(p), Q[:3]), P)],
    "factorized": [(lambda p: L.factorized(frame(p).tocsc())(Q[:3]), P)],
    "inv": [(lambda p: dense(L.inv(frame(p).tocsc())), P)],
    "lsmr": [(lambda p: L.lsmr(BAND, p, atol=1e-14, btol=1e-14)[0], P)],
    "lsqr": [(lambda p: L.lsqr(BAND, p, atol=1e-14, btol=1e-14)[0], P)],
    "matrix_power": [(lambda p: dense(L.matrix_power(frame(p), 3)), P)],
    "norm": [(lambda p: L.norm(frame(p)), P)],
    "splu": [(lambda p: L.splu(frame(p).tocsc()).solve(Q[:3]), P)],
    "spsolve_triangular": [
        (lambda p: L.spsolve_triangular(S.csr_array(S.tril(frame(p))), Q[:3]), P)
    ],
}

GRAPHS = {
    "laplacian": [(lambda p: csgraph.laplacian(np.outer(p, p)), P)],
}

_CORRELATIONS = ("pearsonr", "spearmanr", "kendalltau", "linregress")
_TESTS = ("ttest_ind", "ttest_rel", "f_oneway", "levene", "bartlett", "ks_2samp", "mannwhitneyu")
_RANKS = ("ranksums", "kruskal", "wilcoxon", "brunnermunzel", "mood", "ansari", "fligner")
_NAMES = ("theilslopes", "siegelslopes", "epps_singleton_2samp")
_MOMENTS = ("circmean", "circvar", "circstd", "kstat", "kstatvar", "iqr", "median_abs_deviation")
_MORE = ("tmean", "tvar", "tstd", "tmin", "tmax", "tsem", "gzscore", "differential_entropy")
_DATA = ("obrientransform", "sigmaclip", "rankdata", "mode", "describe", "zmap")
_HEAVY = ("jarque_bera", "anderson")

STATS = {
    **{name: joined(name) for name in (*_CORRELATIONS, *_TESTS, *_RANKS, *_NAMES)},
    **{name: of_one(name) for name in (*_MOMENTS, *_MORE)},
    **{name: first(name) for name in (*_DATA[:1], _DATA[1], *_DATA[3:5], *_HEAVY)},
    "boxcox": [(lambda p: stats.boxcox(p, 0.3), P)],
    "boxcox_llf": [(lambda p: stats.boxcox_llf(0.3, p), P)],
    "chisquare": [(lambda p: stats.chisquare(p, Q * np.sum(p) / np.sum(Q))[0], P)],
    "combine_pvalues": [(lambda p: stats.combine_pvalues(p / 3)[0], P)],
    "cramervonmises_2samp": [(lambda p: stats.cramervonmises_2samp(p, Q).statistic * p[0], P)],
    **{
        name: [(lambda p, name=name: getattr(stats, name)(np.append(p, [Q, Q**2]))[0], P)]
        for name in ("normaltest", "skewtest", "kurtosistest")
    },
    "alexandergovern": [(lambda p: stats.alexandergovern(p, Q).statistic, P)],
    "directional_stats": [(lambda p: stats.directional_stats(p.reshape(3, 2)).mean_direction, P)],
    "energy_distance": of_one("energy_distance", Q),
    "expectile": of_one("expectile", 0.3),
    "false_discovery_control": [(lambda p: stats.false_discovery_control(p / 3), P)],
    "gaussian_kde": [(lambda p: stats.gaussian_kde(p)(0.4), P)],
    "lmoment": of_one("lmoment"),
    "moment": of_one("moment", 3),
    "pmean": of_one("pmean", 3),
    "pointbiserialr": [(lambda p: stats.pointbiserialr(Q > 1, p)[0], P)],
    "power_divergence": [(lambda p: stats.power_divergence(p, Q * np.sum(p) / np.sum(Q))[0], P)],
    "quantile": of_one("quantile", 0.3),
    "scoreatpercentile": of_one("scoreatpercentile", 30),
    "trim1": of_one("trim1", 0.2),
    "trimboth": of_one("trimboth", 0.2),
    "ttest_1samp": first("ttest_1samp", 0.3),
    "ttest_ind_from_stats": [
        (lambda p: stats.ttest_ind_from_stats(p[0], p[1], 9, p[2], p[3], 7)[0], P)
    ],
    "wasserstein_distance": of_one("wasserstein_distance", Q),
    "yeojohnson": [(lambda p: stats.yeojohnson(p, 0.3), P)],
    "yeojohnson_llf": [(lambda p: stats.yeojohnson_llf(0.3, p), P)],
    "zmap": of_one("zmap", Q),
    "multivariate_normal": [
        (lambda p: stats.multivariate_normal.logpdf(p[:2], p[2:4], np.diag(p[4:])), P)
    ],
    "multivariate_t": [(lambda p: stats.multivariate_t.logpdf(p[:2], p[2:4], np.diag(p[4:])), P)],
    "dirichlet": [(lambda p: stats.dirichlet.logpdf([0.2, 0.3, 0.5], p[:3]), P)],
    "multinomial": [(lambda p: stats.multinomial.logpmf([1, 2, 0], 3, p[:3] / p[:3].sum()), P)],
    "wishart": [(lambda p: stats.wishart.logpdf(np.diag(p[:2]), 3, np.diag(p[2:4])), P)],
    "invwishart": [(lambda p: stats.invwishart.logpdf(np.diag(p[:2]), 3, np.diag(p[2:4])), P)],
    "matrix_normal": [(lambda p: stats.matrix_normal.logpdf(p.reshape(3, 2), np.zeros((3, 2))), P)],
    "vonmises_fisher": [(lambda k: stats.vonmises_fisher([1.0, 0.0]).logpdf([0.6, 0.8]) * k, 1.3)],
}


def densities(dist, shapes):
    """The density in the argument and in the location, well inside."""
    x = dist.ppf(np.array([0.3, 0.6]), *shapes)
    return [(lambda x, loc: dist.pdf(x, *shapes, loc=loc), x, 0.01)]


STATS |= {
    name: densities(getattr(stats, name), shapes)
    for name, shapes in _distr_params.distcont
    if isinstance(name, str) and name not in ("levy_stable", "studentized_range", "kstwo")
}
MORE = {
    "scipy.interpolate": INTERPOLATE,
    "scipy.optimize": OPTIMIZE,
    "scipy.spatial": SPATIAL,
    "scipy.spatial.distance": DISTANCE,
    "scipy.spatial.transform": TRANSFORM,
    "scipy.stats": STATS,
    "scipy.sparse": MADE,
    "scipy.sparse.linalg": SOLVED,
    "scipy.sparse.csgraph": GRAPHS,
}
