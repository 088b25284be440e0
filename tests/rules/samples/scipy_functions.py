"""scipy.special: distributions with noncentralities, zeta, solutions of equations, sequences."""

import numpy as np
import scipy
from autodiff.templates.scipy.special.legendre import of_angle, of_order
from scipy import special
from scipy.special import _ufuncs

from tests.rules.sample import Numbers, call
from tests.rules.samples.scipy_special import ANY, COMPLEX, POSITIVE, UNIT, over

x = Numbers(41)
SCIPY = tuple(int(part) for part in scipy.__version__.split(".")[:2])
BEYOND, FAR, WIDE = (1.2, 2.5), (2.5, 4.0), (3.0, 9.0)
ANGLE = (0.2, 2.9)


def complex_numbers(*shape):
    return 1.4 + x(*shape) / 3 + 1j * (0.7 + x(*shape) / 3)


ONE = np.array(1)
"""SciPy does not come back from spheroidal functions in single precision, which this prevents."""


def spheroidal(where, value=None):
    """Samples over a range, of orders 1, 3 and 0, 2; with the characteristic value if asked for."""
    found = []
    for m, n, c in ((ONE, 3, 0.7), (ONE - 1, 2, 1.5)):
        given = [m, n, c] if value is None else [m, n, c, value(m, n, c)]
        found += over([*given, where])
    return found


SAMPLES = {
    special.chndtrinc: over([WIDE, 3.0, (0.1, 0.4)], [WIDE, 1.5, (0.1, 0.4)]),
    special.ncfdtr: over([3.0, 4.0, POSITIVE, POSITIVE], [2.0, 8.5, UNIT, POSITIVE]),
    special.ncfdtri: over([3.0, 4.0, POSITIVE, UNIT]),
    # found by a search to five digits: see `test_inverses.py`
    special.ncfdtrinc: [call(np.int64(3), 4.0, 0.4, 2.5, rough=0.1)],
    special.nctdtr: over([3.5, ANY, ANY], [20.0, ANY, ANY], [0.8, ANY, ANY]),
    special.nctdtrit: over([3.5, ANY, UNIT])
    if SCIPY >= (1, 16)
    else [call(np.int64(3), 0.4, 0.6, rough=0.1)],
    special.nctdtrinc: [call(np.int64(3), 0.5, 0.4, rough=0.1)],
    special.zeta: [
        *over([(1.2, 8.0), POSITIVE], [(1.2, 8.0)], [30.0, BEYOND]),
        *over([2.5, POSITIVE]),
        call(np.array([2.0, 3, 4])[:, None], x(2) + 2),
    ],
    special.zetac: [
        *over([(1.2, 8.0)], [(0.1, 0.9)], [(-1.9, -0.1)], [(-9.7, -4.2)]),
        call(np.array([0.0, -2.0, -1.0, -4.0, 25.0])),
    ],
    special.perm: [
        *over([(4.2, 6.0), UNIT], [(4.2, 6.0), (2.1, 2.9)]),
        *(call(4.3, 2.2), call(np.array([4.2, 1.5, 0.5]), np.array([1.3, 3.0, 0.7]))),
    ],
    special.diric: [
        *over(*([ANY, n] for n in (1, 2, 5))),
        *(call(np.array([0.0, 1e-5, -3e-4, 2 * np.pi, 2 * np.pi + 1e-4]), n) for n in (3, 4)),
    ],
    special.modfresnelp: over([POSITIVE]),
    special.modfresnelm: over([POSITIVE]),
    special.besselpoly: over([POSITIVE, 0.5, 1.0], [POSITIVE, 1.0, 0.0], [POSITIVE, 0.0, 2.5]),
    special.kelvin: over([POSITIVE]),
    special.airye: [
        *over([POSITIVE], [COMPLEX]),
        call(np.array([2.0 + 1.5j, -1.0 + 0.5j, -2.0 - 0.3j])),
    ],
    special.elliprj: [
        *over([POSITIVE] * 4),
        *(call(1.0, 1.0, 1.0, 1.0), call(0.5, 2.0, 1.3, 2.0), call(0.5, 2.0, 1.3, 0.5)),
    ],
    special.kolmogorov: over([(0.3, 0.7)], [(0.75, 2.0)]),
    special.kolmogi: over([UNIT]),
    special.lpmv: [
        *over([0, 2.5, UNIT], [1, 3, UNIT], [2, 3.5, UNIT], [-1, 2, UNIT], [2, 0, UNIT]),
        *over([0, 0, UNIT], [1, 1.5, (-0.9, -0.1)]),
    ],
    special.mathieu_a: over(*([m, ANY] for m in (0, 1, 4))),
    special.mathieu_b: over(*([m, ANY] for m in (1, 2, 4))),
    **{f: spheroidal(UNIT) for f in (special.pro_ang1, special.obl_ang1)},
    **{f: spheroidal(BEYOND) for f in (special.pro_rad1, special.obl_rad1)},
    **{f: spheroidal(FAR) for f in (special.pro_rad2, special.obl_rad2)},
    special.pro_ang1_cv: spheroidal(UNIT, special.pro_cv),
    special.obl_ang1_cv: spheroidal(UNIT, special.obl_cv),
    special.pro_rad1_cv: spheroidal(BEYOND, special.pro_cv),
    special.obl_rad1_cv: spheroidal(BEYOND, special.obl_cv),
    special.pro_rad2_cv: spheroidal(FAR, special.pro_cv),
    special.obl_rad2_cv: spheroidal(FAR, special.obl_cv),
    special.pro_cv: over([ONE, 3, POSITIVE], [ONE - 1, 0, POSITIVE]),
    special.obl_cv: over([ONE, 3, POSITIVE], [ONE - 1, 0, POSITIVE]),
    special.pro_cv_seq: [call(1, 4, 0.7), call(0, 0, 2.5)],
    special.obl_cv_seq: [call(1, 4, 0.7), call(0, 0, 2.5)],
    special.lmbda: [*(call(v, 1.3) for v in (0, 2, 2.3, 0.4)), call(2, -0.7)],
    special.pbdv_seq: [*(call(v, 1.3) for v in (0, 2, 2.3, 0.4)), call(2, -0.8)],
    special.pbvv_seq: [*(call(v, 1.3) for v in (2.3, 0.4)), call(1.5, -0.8)],
    special.pbdn_seq: [call(3, 1.3), call(0, -0.6)],
    special.riccati_jn: [call(3, 1.3), call(0, -0.6), call(1, 2.5)],
    special.riccati_yn: [call(3, 1.3), call(0, 0.6), call(1, 2.5)],
    special.lqn: [
        *(call(3, 0.3), call(0, -0.6), call(1, x(3)), call(2, x(2, 2)), call(2, 1.4)),
        call(3, complex_numbers(2)),
    ],
    special.lqmn: [
        *(call(1, 3, 0.3), call(0, 0, -0.6), call(2, 2, x(3)), call(1, 2, x(2, 2))),
        *(call(2, 1, 1.4), call(1, 2, complex_numbers(2))),
    ],
}
if hasattr(special, "log_wright_bessel"):
    SAMPLES[special.log_wright_bessel] = over([0.5, 1.5, POSITIVE])
if hasattr(_ufuncs, "_smirnovp"):
    SAMPLES[special.smirnov] = over([4, (0.1, 0.2)], [7, (0.3, 0.8)])
    SAMPLES[special.smirnovi] = over([4, UNIT], [7, UNIT])
if hasattr(_ufuncs, "_ncx2_sf"):
    SAMPLES[_ufuncs._ncx2_sf] = over([POSITIVE, 3.0, POSITIVE], [POSITIVE, 1.5, UNIT])
if hasattr(special, "legendre_p"):  # SciPy 1.15
    DEGREES = np.array([1, 2, 3])
    SAMPLES |= {
        special.legendre_p: [
            *(call(3, 0.4), call(0, x(3)), call(1, x(2, 3)), call(4, x(3)), call(2, 1.0)),
            *(call(DEGREES, x(3)), call(3, 0.4, diff_n=2), call(DEGREES, 0.3, diff_n=1)),
            call(3, x(2), diff_n=2),
        ],
        special.legendre_p_all: [
            *(call(3, 0.4), call(0, x(3)), call(2, x(2, 3), diff_n=1), call(4, x(3), diff_n=2)),
        ],
        special.assoc_legendre_p: [
            *(call(3, 1, 0.4), call(3, -2, x(3)), call(4, 0, x(2, 3), diff_n=1)),
            *(call(3, 2, x(3), diff_n=2), call(DEGREES, 1, x(3), norm=True)),
            *(call(3, 1, complex_numbers(2), branch_cut=3), call(3, 1, 0.4, norm=True, diff_n=2)),
        ],
        special.assoc_legendre_p_all: [
            *(call(3, 2, 0.4), call(2, 1, x(2)), call(2, 1, x(2), diff_n=2, norm=True)),
        ],
        special.sph_legendre_p: [
            *(call(3, 1, 0.4), call(3, -2, x.rng.uniform(*ANGLE, 3)), call(DEGREES, 1, 0.7)),
            *(call(3, 2, x.rng.uniform(*ANGLE, 2), diff_n=k) for k in (1, 2)),
        ],
        special.sph_legendre_p_all: [
            *(call(3, 2, 0.4), call(2, 1, x.rng.uniform(*ANGLE, 2), diff_n=2)),
        ],
        special.sph_harm_y_all: [
            *(call(3, 2, 0.4, 0.7), call(2, 2, x.rng.uniform(*ANGLE, (2, 1)), x(3))),
        ],
        of_order: [call(3, 1, x(2), 2, False, 0), call(2, 2, x(2), 2, True, 1)],
        of_angle: [call(3, 1, x.rng.uniform(*ANGLE, 2), 0), call(2, 2, 0.7, 1)],
    }
