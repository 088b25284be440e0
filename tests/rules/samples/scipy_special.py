"""scipy.special: every function over the ranges of its arguments."""

import numpy as np
from autodiff.templates.scipy.special import shapes
from scipy import special

from tests.rules.sample import Numbers, call

x = Numbers(16)

# A range stands for numbers to differentiate by, anything else for itself.
ANY = (-2.5, 2.5)
POSITIVE = (0.2, 4.0)
UNIT = (0.05, 0.95)
COMPLEX = "complex"


def drawn(ranges, *shape):
    """Arguments of a shape; orders and the like are the same for all."""
    return [
        x.complex(*shape)
        if one is COMPLEX
        else x.rng.uniform(*one, shape)
        if isinstance(one, tuple)
        else np.full((1,) * len(shape), one)
        if isinstance(one, float)
        else one
        for one in ranges
    ]


def as_number(value):
    return value.item() if np.ndim(value) and np.size(value) == 1 else value


def over(*rows):
    """Samples of each row of ranges: arrays, broadcast arrays, numbers."""
    found = []
    for ranges in rows:
        found += [call(*drawn(ranges, 4)), call(*drawn(ranges, 2, 3))]
        if sum(isinstance(one, tuple) for one in ranges) > 1:
            wide, narrow = drawn(ranges, 2, 3), drawn(ranges, 3)
            found.append(call(*[w if k % 2 else n for k, (w, n) in enumerate(zip(wide, narrow))]))
        if not any(one is COMPLEX for one in ranges):
            found.append(call(*map(as_number, drawn(ranges, 1))))
    return found


ORDERS = (0, 1, 2.5)
EXACT = {
    special.gamma: over([POSITIVE], [(-1.8, -1.2)]),
    special.gammaln: over([POSITIVE], [(-1.8, -1.2)]),
    special.loggamma: over([POSITIVE], [COMPLEX]),
    special.rgamma: [*over([POSITIVE], [(-1.8, -1.2)]), call(np.array([-2.0, 0.0, -1.0]))],
    special.psi: over([POSITIVE], [(-1.8, -1.2)]),
    special.polygamma: over(*([n, POSITIVE] for n in (0, 1, 3))),
    special.beta: over([POSITIVE, POSITIVE]),
    special.betaln: over([POSITIVE, POSITIVE]),
    special.binom: over([(4.2, 6.0), UNIT], [(4.2, 6.0), (2.1, 2.9)]),
    special.comb: [
        *over([(4.2, 6.0), UNIT], [(4.2, 6.0), (2.1, 2.9)]),
        *(call(4.3, 2.2, repetition=True), call(np.array([4.2, 1.5]), np.array([1.3, 3.0]))),
    ],
    special.poch: over([POSITIVE, POSITIVE]),
    special.hyp0f1: over([1.5, ANY], [0.5, POSITIVE]),
    special.hyp1f1: over([1.5, 2.5, ANY], [0.5, 1.25, POSITIVE]),
    special.hyp2f1: over([0.5, 1.5, 2.25, (-0.8, 0.8)]),
    special.hyperu: over([0.5, 1.5, POSITIVE]),
    special.wright_bessel: over([0.5, 1.5, POSITIVE]),
    # elementary
    special.expit: over([ANY]),
    special.logit: over([UNIT]),
    special.log_expit: over([ANY], [(-40.0, -30.0)]),
    special.expm1: over([ANY], [COMPLEX]),
    special.log1p: over([POSITIVE], [COMPLEX]),
    special.exp2: over([ANY]),
    special.exp10: over([ANY]),
    special.exprel: [*over([ANY]), call(np.array([0.0, 1e-9, -1e-6]))],
    special.cbrt: over([POSITIVE], [(-3.0, -0.5)]),
    special.cosm1: over([ANY]),
    special.powm1: over([POSITIVE, ANY]),
    special.sindg: over([ANY]),
    special.cosdg: over([ANY]),
    special.tandg: over([ANY]),
    special.cotdg: over([(20.0, 70.0)]),
    special.radian: over([ANY, ANY, ANY]),
    special.xlogy: [*over([ANY, POSITIVE]), call(np.array([0.0, 0.0, 1.0]), np.array([0.5, 2, 3]))],
    special.xlog1py: [*over([ANY, POSITIVE]), call(np.zeros(2), np.array([0.5, 2.0]))],
    special.entr: over([POSITIVE]),
    special.rel_entr: over([POSITIVE, POSITIVE]),
    special.kl_div: over([POSITIVE, POSITIVE]),
    special.huber: over([POSITIVE, ANY], [(0.1, 0.2), (1.0, 2.0)]),
    special.pseudo_huber: over([POSITIVE, ANY]),
    special.boxcox: [*over([POSITIVE, ANY]), call(x.rng.uniform(0.5, 2, 3), np.zeros(3))],
    special.boxcox1p: [*over([POSITIVE, ANY]), call(x.rng.uniform(0.5, 2, 3), np.zeros(3))],
    special.inv_boxcox: over([POSITIVE, (0.2, 2.0)], [(-0.4, -0.1), (0.5, 1.5)]),
    special.inv_boxcox1p: over([POSITIVE, (0.2, 2.0)], [(-0.4, -0.1), (0.5, 1.5)]),
    special.lambertw: [*over([POSITIVE], [COMPLEX]), call(x.rng.uniform(-0.3, -0.1, 3), -1)],
    special.wrightomega: over([ANY], [COMPLEX]),
    # errors
    special.erf: over([ANY], [COMPLEX]),
    special.erfc: over([ANY], [COMPLEX]),
    special.erfcx: over([ANY], [COMPLEX]),
    special.erfi: over([ANY], [COMPLEX]),
    special.dawsn: over([ANY], [COMPLEX]),
    special.wofz: over([COMPLEX]),
    special.erfinv: over([(-0.9, 0.9)]),
    special.erfcinv: over([(0.2, 1.8)]),
    special.ndtr: over([ANY], [COMPLEX]),
    special.log_ndtr: over([ANY], [(-30.0, -20.0)]),
    special.ndtri: over([UNIT]),
    special.ndtri_exp: over([(-4.0, -0.2)]),
    special.owens_t: over([ANY, ANY]),
    special.voigt_profile: over([ANY, POSITIVE, POSITIVE]),
    # incomplete functions
    shapes.gamma_shape: over([POSITIVE, POSITIVE]),
    shapes.gamma_shape_again: over([2.5, POSITIVE]),
    shapes.beta_shape: over([POSITIVE, POSITIVE, UNIT]),
    shapes.beta_other_shape: over([POSITIVE, POSITIVE, UNIT]),
    special.gammainc: over([POSITIVE, POSITIVE], [0.5, POSITIVE]),
    special.gammaincc: over([POSITIVE, POSITIVE], [0.5, POSITIVE]),
    special.gammaincinv: over([POSITIVE, (0.3, 0.9)]),
    special.gammainccinv: over([POSITIVE, (0.1, 0.7)]),
    special.betainc: over([POSITIVE, POSITIVE, UNIT], [0.5, 0.75, UNIT]),
    special.betaincinv: over([(1.0, 3.0), (1.0, 3.0), UNIT]),
    special.chdtr: over([POSITIVE, POSITIVE]),
    special.chdtrc: over([POSITIVE, POSITIVE]),
    special.chdtri: over([(1.0, 4.0), UNIT]),
    special.gdtr: over([POSITIVE, POSITIVE, POSITIVE]),
    special.gdtrc: over([POSITIVE, POSITIVE, POSITIVE]),
    special.pdtr: [*over([2.0, POSITIVE]), call(np.array([0.0, 1.0, 3.5])[:, None], x(2) + 2)],
    special.pdtrc: over([2.0, POSITIVE]),
    special.stdtr: over([POSITIVE, ANY]),
    special.stdtrit: over([POSITIVE, (0.2, 0.8)]),
    special.fdtr: over([POSITIVE, POSITIVE, POSITIVE]),
    special.fdtrc: over([POSITIVE, POSITIVE, POSITIVE]),
    special.fdtri: over([(2.0, 4.0), (2.0, 4.0), UNIT]),
    special.tklmbda: [
        *over([(-0.8, 0.8), 0.5], [ANY, 0.0]),
        call(np.array([-2.0, -0.4, 0.3, 2.0]), 1.5),  # outside of the support
    ],
    # elliptic
    special.ellipk: [*over([(-2.0, 0.9)]), call(np.zeros(2))],
    special.ellipkm1: over([UNIT]),
    special.ellipe: [*over([(-2.0, 0.9)]), call(np.zeros(2))],
    special.ellipkinc: [*over([ANY, UNIT], [(0.1, 1.4), (-1.0, -0.1)]), call(x(3), np.zeros(3))],
    special.ellipeinc: [*over([ANY, UNIT], [(0.1, 1.4), (-1.0, -0.1)]), call(x(3), np.zeros(3))],
    special.elliprc: over([POSITIVE, POSITIVE]),
    special.elliprf: over([POSITIVE] * 3),
    special.elliprd: [*over([POSITIVE] * 3), call(1.0, 1.0, 1.0), call(0.5, 2.0, 0.5)],
    special.elliprg: over([POSITIVE] * 3),
    special.ellipj: [
        *over([ANY, UNIT], [(4.0, 6.0), UNIT], [ANY, 0.4]),
        *(call(x(3), np.zeros(3), wrt=("u",)), call(x(3), np.ones(3), wrt=("u",))),
    ],
    # integrals
    special.expi: over([POSITIVE]),
    special.exp1: over([POSITIVE]),
    special.expn: over(*([n, POSITIVE] for n in (0, 1, 3))),
    special.sici: over([POSITIVE]),
    special.shichi: over([POSITIVE]),
    special.fresnel: over([ANY]),
    special.spence: over([POSITIVE]),
    special.itj0y0: over([POSITIVE]),
    special.iti0k0: over([POSITIVE]),
    special.itstruve0: over([POSITIVE]),
    special.itmodstruve0: over([POSITIVE]),
    # Bessel
    **{f: over([ANY]) for f in (special.j0, special.j1, special.i0, special.i1)},
    **{f: over([POSITIVE]) for f in (special.y0, special.y1, special.k0, special.k1)},
    **{f: over([POSITIVE], [(-3.0, -0.5)]) for f in (special.i0e, special.i1e)},
    **{f: over([POSITIVE]) for f in (special.k0e, special.k1e)},
    **{f: over(*([v, POSITIVE] for v in ORDERS)) for f in (special.jv, special.yv, special.iv)},
    **{f: over(*([v, POSITIVE] for v in ORDERS)) for f in (special.kv, special.kve, special.ive)},
    **{f: over(*([v, POSITIVE] for v in ORDERS)) for f in (special.jve, special.yve)},
    **{f: over(*([n, POSITIVE] for n in (0, 1, 3))) for f in (special.yn, special.kn)},
    **{
        f: over([1.5, POSITIVE])
        for f in (special.hankel1, special.hankel2, special.hankel1e, special.hankel2e)
    },
    **{
        f: [*over([1.5, POSITIVE]), *over([2, POSITIVE, 2])]
        for f in (special.jvp, special.yvp, special.ivp, special.kvp)
    },
    **{
        f: [*over([0, POSITIVE], [2, POSITIVE]), *over([2, POSITIVE, True])]
        for f in (
            *(special.spherical_jn, special.spherical_yn),
            *(special.spherical_in, special.spherical_kn),
        )
    },
    special.struve: over([0.5, POSITIVE], [1.0, POSITIVE]),
    special.modstruve: over([0.5, POSITIVE], [1.0, POSITIVE]),
    special.airy: over([ANY], [COMPLEX]),
    **{f: over([POSITIVE]) for f in (special.ber, special.bei, special.ker, special.kei)},
    **{f: over([POSITIVE]) for f in (special.berp, special.beip, special.kerp, special.keip)},
    **{f: [*over([1.5, POSITIVE]), *over([2, POSITIVE, 2])] for f in (special.h1vp, special.h2vp)},
    special.itairy: over([UNIT]),  # SciPy has seven digits of it further out
    special.pdtri: over([2, UNIT], [0, UNIT]),
    # solutions of differential equations, and what is counted
    special.pbdv: over([0.5, ANY], [1.0, ANY]),
    special.pbvv: over([0.5, ANY], [1.0, ANY]),
    special.pbwa: over([0.5, ANY]),
    special.mathieu_cem: over([2, 0.5, (5.0, 80.0)]),
    special.mathieu_sem: over([2, 0.5, (5.0, 80.0)]),
    special.mathieu_modcem1: over([2, 0.5, UNIT]),
    special.mathieu_modcem2: over([2, 0.5, UNIT]),
    special.mathieu_modsem1: over([2, 0.5, UNIT]),
    special.mathieu_modsem2: over([2, 0.5, UNIT]),
    special.it2j0y0: over([POSITIVE]),
    special.it2i0k0: over([POSITIVE]),
    special.it2struve0: over([POSITIVE]),
    # of an array of counts: SciPy would make a float of one number beside single precision
    **{
        f: over([2.0, np.array([5]), UNIT], [0.0, np.array([3]), UNIT])
        for f in (special.bdtr, special.bdtrc, special.bdtri)
    },
    special.nbdtri: over([2, 3, UNIT], [0, 3, UNIT]),
    special.gdtria: over([UNIT, 2.5, POSITIVE]),
    special.gdtrix: over([POSITIVE, 2.5, UNIT]),
    special.nrdtrimn: over([UNIT, POSITIVE, ANY]),
    special.nrdtrisd: over([(-3.0, -1.0), (0.6, 0.9), POSITIVE]),
    special.chndtr: over([POSITIVE, 3.0, POSITIVE], [POSITIVE, 1.5, UNIT], [POSITIVE, 3.0, 0]),
    special.chndtrix: over([UNIT, 3.0, POSITIVE], [UNIT, 2.0, UNIT]),
    special.agm: [*over([POSITIVE, POSITIVE]), call(np.full(2, 1.5), np.full(2, 1.5))],
    **{f: over([2, 3, UNIT], [0, 3, UNIT]) for f in (special.nbdtr, special.nbdtrc)},
    # polynomials
    **{
        f: over(*([n, UNIT] for n in (0, 1, 4)))
        for f in (
            *(special.eval_legendre, special.eval_sh_legendre, special.eval_chebyt),
            *(special.eval_chebyu, special.eval_sh_chebyt, special.eval_sh_chebyu),
            *(special.eval_chebyc, special.eval_chebys, special.eval_laguerre),
            *(special.eval_hermite, special.eval_hermitenorm),
        )
    },
    special.eval_gegenbauer: over(*([n, 0.75, UNIT] for n in (0, 1, 4))),
    special.eval_jacobi: over(*([n, 0.5, 1.5, UNIT] for n in (0, 1, 4))),
    special.eval_sh_jacobi: over(*([n, 2.5, 1.5, UNIT] for n in (0, 1, 4))),
    special.eval_genlaguerre: over(*([n, 0.5, UNIT] for n in (0, 1, 4))),
}
for f in (special.iv, special.ive, special.jv, special.jve, special.yve, special.kv, special.kve):
    EXACT[f] += [call(1.5, x.complex(3) + 1.2 + 1.3j)]
if hasattr(special, "softplus"):
    EXACT[special.softplus] = over([ANY])
if hasattr(special, "betaincc"):
    EXACT[special.betaincc] = over([POSITIVE, POSITIVE, UNIT])
    EXACT[special.betainccinv] = over([(1.0, 3.0), (1.0, 3.0), UNIT])


A = x(2, 3)
SAMPLES = EXACT | {
    special.logsumexp: [
        *(call(A), call(A, 0), call(A, axis=1), call(A, axis=-1, keepdims=True), call(x(4))),
        *(call(A, axis=(0, 1)), call(A, keepdims=True), call(1000 + A), call(A - 1e4, 0)),
        *(call(A, b=x(2, 3) + 2), call(A, axis=1, b=x(2, 3) + 2), call(A, 0, x(3) + 2)),
        *(call(x(3), None, x(2, 3) + 2), call(A, 1, b=np.array([1.0, 0.0, 2.0]), keepdims=True)),
        *(call(np.array([-np.inf, 0.5, 1.0])), call(x.complex(2, 3), axis=1)),
    ],
    special.softmax: [
        *(call(A), call(A, 0), call(A, axis=1), call(x(4)), call(A, axis=(0, 1)), call(50 * A, 1)),
    ],
    special.log_softmax: [
        *(call(A), call(A, 0), call(A, axis=1), call(x(4)), call(A, axis=(0, 1)), call(50 * A, 1)),
    ],
    special.multigammaln: [call(2.5, 2), call(3.5, 4), call(x(3) + 4, 3), call(x(2, 2) + 3, 1)],
}
if hasattr(special, "sph_harm_y"):  # SciPy 1.15
    ANGLE = (0.2, 2.9)
    SAMPLES |= {
        special.sph_harm_y: [
            *over([3, 1, ANGLE, ANY], [2, -2, ANGLE, ANY], [4, 0, ANGLE, ANY]),
            *(call(0, 0, 0.3, 0.4), call(np.array([1, 2, 3]), 1, x.rng.uniform(*ANGLE, 3), 0.4)),
        ],
    }
