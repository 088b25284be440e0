"""scipy.linalg."""

import numpy as np
import scipy
from autodiff.templates.scipy.linalg.helpers import block_diag_adjoint
from scipy import linalg

from tests.rules.sample import HALF, Numbers, call

x = Numbers(18)
R, S = x.regular, x.positive_definite


def C(*shape):
    return x.complex(*shape) + 2 * np.eye(shape[-1])


def H(n):
    a = x.complex(n, n)
    return a @ a.conj().T + np.eye(n)


def factor(a, lower=False):
    return linalg.cho_factor(a, lower)


PIVOTED = np.array([[0.1, 2.0, 0.3], [1.0, 0.2, -0.4], [0.3, -0.5, 1.5]])
WELL_APART = np.diag([1.0, 2.0, 3.5]) + 0.2 * x(3, 3)
BANDS = [((1, 1), 3), ((2, 1), 4), ((0, 2), 3), ((1, 0), 2)]


def bands(lower_and_upper):
    ab = x(sum(lower_and_upper) + 1, 5)
    ab[lower_and_upper[1]] += 3.0
    return ab


def hermitian_bands(count):
    ab = 0.5 * x(count + 1, 5)
    ab[-1] += 4.0
    return ab


TAKES_STACKS = tuple(int(part) for part in scipy.__version__.split(".")[:2]) >= (1, 17)


def stacks(*samples):
    """The samples if SciPy is that new."""
    return samples if TAKES_STACKS else ()


def lu_stack(*shape):
    return linalg.lu_factor(x(*shape)) if TAKES_STACKS else None


def banded_stack(count, rows=3, diagonal=1):
    ab = 0.3 * x(count, rows, 5)
    ab[:, diagonal] += 3.0
    return ab


MODES = ("full", "valid", "same")
SYMMETRIC = ("sym", "pos")
HALVES = ((HALF, True), (HALF.T, False))
"""What is read of a symmetric matrix, and whether that is the lower triangle."""

SAMPLES = {
    linalg.solve: [
        *(call(R(3, 3), x(3)), call(R(3, 3), x(3, 2)), call(C(3, 3), x.complex(3))),
        *(call(C(3, 3), x(3, 2)), call(R(3, 3), x.complex(3)), call(R(1, 1), x(1))),
        *(call(R(3, 3), x(3), transposed=True), call(R(3, 3), x(3, 2), transposed=True)),
        *(call(R(3, 3), x(3), assume_a="gen"), call(R(3, 3), x(3), check_finite=False)),
        *(call(S(3, 3), x(3), assume_a=kind, wrt=("a",)) for kind in SYMMETRIC),
        *(call(S(3, 3), x(3, 2), assume_a=kind, wrt=("b",)) for kind in SYMMETRIC),
        call(H(3), x.complex(3), assume_a="pos", wrt=("a",)),
        *(call(a, x(3), low, assume_a=kind) for a, low in HALVES for kind in SYMMETRIC),
    ],
    linalg.solve_triangular: [
        *(
            call(R(3, 3), x(*shape), trans, lower)
            for shape in ((3,), (3, 2))
            for trans in (0, 1, 2)
            for lower in (True, False)
        ),
        *(
            call(C(3, 3), x.complex(*shape), trans=trans, lower=lower)
            for shape in ((3,), (3, 2))
            for trans in ("N", "T", "C")
            for lower in (True, False)
        ),
        *(call(R(3, 3), x(3), unit_diagonal=True, lower=lower) for lower in (True, False)),
    ],
    linalg.solve_banded: [
        *(call(lu, bands(lu), x(5)) for lu, _ in BANDS),
        *(call(lu, bands(lu), x(5, 2)) for lu, _ in BANDS),
        *(call((1, 1), bands((1, 1)) + 0.1j * x(3, 5), x.complex(5)),),
    ],
    linalg.cho_solve: [
        *(call(factor(S(3, 3), lower), x(3)) for lower in (True, False)),
        *(call(factor(S(3, 3), lower), x(3, 2)) for lower in (True, False)),
        *(call(factor(H(3), lower), x.complex(3)) for lower in (True, False)),
    ],
    linalg.lu_solve: [
        *(call(linalg.lu_factor(PIVOTED), x(3), trans) for trans in (0, 1, 2)),
        *(call(linalg.lu_factor(PIVOTED), x(3, 2), trans=trans) for trans in (0, 1, 2)),
        *(call(linalg.lu_factor(C(3, 3)), x.complex(3), trans) for trans in (0, 1, 2)),
    ],
    linalg.solve_sylvester: [
        *(call(R(3, 3), R(2, 2), x(3, 2)), call(C(3, 3), C(2, 2), x.complex(3, 2))),
    ],
    linalg.solve_continuous_lyapunov: [
        *(call(R(3, 3), x(3, 3)), call(C(3, 3), x.complex(3, 3))),
    ],
    linalg.solve_discrete_lyapunov: [
        *(call(0.4 * x(3, 3), x(3, 3)), call(0.4 * x(3, 3), S(3, 3), "bilinear")),
        call(0.3 * x.complex(3, 3), x.complex(3, 3), method="direct"),
    ],
    linalg.inv: [call(R(3, 3)), call(C(3, 3)), call(R(1, 1)), call(R(3, 3), check_finite=False)],
    linalg.det: [call(R(3, 3)), call(C(3, 3)), call(np.diag([1.0, 2.0, 0.0]))],
    linalg.pinv: [call(x(m, n)) for m, n in ((3, 2), (2, 3), (3, 3))] + [call(x.complex(3, 2))],
    linalg.pinvh: [*(call(S(3, 3)), call(H(3))), *(call(a, lower=low) for a, low in HALVES)],
    linalg.lstsq: [
        *(call(x(m, n), x(m)) for m, n in ((4, 2), (3, 3), (2, 4))),
        *(call(x(m, n), x(m, 2)) for m, n in ((4, 2), (3, 3), (2, 4))),
        call(x.complex(4, 2), x.complex(4, 2)),
    ],
    linalg.cholesky: [
        *(call(S(3, 3), lower) for lower in (True, False)),
        *(call(H(3), lower=lower) for lower in (True, False)),
        *(call(a, low) for a, low in HALVES),
    ],
    # In the other triangle stands what the matrix has there.
    linalg.cho_factor: [
        *(call(S(3, 3), lower) for lower in (True, False)),
        *(call(H(3), lower=lower) for lower in (True, False)),
        *(call(a, low) for a, low in HALVES),
    ],
    linalg.lu: [
        *(call(PIVOTED), call(R(3, 3)), call(C(3, 3)), call(x(4, 4))),
        *(call(PIVOTED, True), call(C(3, 3), permute_l=True), call(x(4, 4), permute_l=True)),
    ],
    linalg.lu_factor: [call(PIVOTED), call(R(3, 3)), call(C(3, 3)), call(x(4, 4))],
    linalg.qr: [
        *(call(R(3, 3)), call(x(2, 4)), call(x(4, 2), mode="economic"), call(x(4, 2), mode="r")),
        *(call(C(3, 3)), call(x.complex(4, 2), mode="economic")),
    ],
    linalg.svd: [
        *(call(x(m, n), False) for m, n in ((3, 2), (2, 3), (3, 3))),
        *(call(x(m, n), compute_uv=False) for m, n in ((3, 2), (2, 3))),
        call(R(3, 3), lapack_driver="gesvd"),
    ],
    linalg.svdvals: [call(x(3, 2)), call(x.complex(2, 3))],
    linalg.eig: [call(WELL_APART)],
    linalg.eigvals: [call(WELL_APART), call(C(3, 3)), call(x(3, 3))],
    # The default driver may turn the sign of a vector with the last bit of the matrix.
    linalg.eigh: [
        *(call(S(n, n), driver="evd") for n in (1, 2, 3, 4)),
        *(call(S(3, 3), lower=False, driver="ev") for _ in range(2)),
        *(call(S(3, 3), S(3, 3), wrt=(name,)) for name in "ab"),
        call(S(4, 4), b=S(4, 4)),
        *(call(a, eigvals_only=True) for a in (S(3, 3), H(3))),
        call(S(4, 4), b=S(4, 4), eigvals_only=True),
        *(call(a, lower=low, driver="evd") for a, low in HALVES),
        *(call(a, b=2 * a + np.eye(3), lower=low, eigvals_only=True) for a, low in HALVES),
    ],
    linalg.eigvalsh: [
        *(call(S(3, 3)), call(H(3))),
        *(call(S(3, 3), S(3, 3), wrt=(name,)) for name in "ab"),
        call(H(3), H(3), lower=False),
        *(call(a, 2 * a + np.eye(3), lower=low) for a, low in HALVES),
    ],
    linalg.norm: [
        *(call(x(4), order) for order in (None, 1, 2, np.inf, -np.inf)),
        *(call(x(3, 4), order) for order in (None, "fro", "nuc", 1, 2, -2, np.inf)),
        *(call(x(3, 4), axis=1), call(x(3, 4), 2, 0, True), call(x.complex(3))),
    ],
    linalg.expm: [call(x(3, 3)), call(x.complex(3, 3)), call(x(2, 3, 3)), call(x(1, 1))],
    linalg.logm: [call(S(3, 3)), call(H(3)), call(R(2, 2))],
    linalg.sqrtm: [call(S(3, 3)), call(H(3)), call(R(2, 2))],
    **{
        function: [call(0.5 * x(3, 3)), call(0.5 * x.complex(2, 2))]
        for function in (
            *(linalg.sinm, linalg.cosm, linalg.tanm),
            *(linalg.sinhm, linalg.coshm, linalg.tanhm),
        )
    },
    linalg.toeplitz: [
        *(call(x(3)), call(x(3), x(4)), call(x(4), r=x(2)), call(x.complex(3))),
        *(call(x.complex(3), x.complex(2)), call(x(1))),
    ],
    linalg.hankel: [
        *(call(x(3)), call(x(3), x(4)), call(x(4), r=x(2)), call(x.complex(3), x.complex(2))),
    ],
    linalg.solveh_banded: [
        *(call(hermitian_bands(2), x(5)), call(hermitian_bands(1), x(5, 2))),
        *(call(hermitian_bands(2)[::-1].copy(), x(5), lower=True),),
        call(hermitian_bands(1) + 0.1j * np.array([[1.0], [0.0]]), x.complex(5)),
    ],
    linalg.solve_toeplitz: [
        *(call(x(4) + [4, 0, 0, 0], x(4)), call(x(4) + [4, 0, 0, 0], x(4, 2))),
        *(call((x(4) + [4, 0, 0, 0], x(4)), x(4)), call((x(3) + [4, 0, 0], x(3)), x(3, 2))),
        call((x.complex(3) + [4, 0, 0], x.complex(3)), x.complex(3)),
        call(x.complex(3) + [4, 0, 0], x.complex(3)),
    ],
    linalg.solve_circulant: [
        *(call(x(4) + [4, 0, 0, 0], x(4)), call(x(3) + [4, 0, 0], x(3, 2))),
        call(x.complex(3) + [4, 0, 0], x.complex(3)),
    ],
    linalg.fractional_matrix_power: [call(S(3, 3), 0.5), call(S(3, 3), -0.3), call(H(3), 1.5)],
    linalg.companion: [call(x(3) + [2, 0, 0]), call(x.complex(4) + [2, 0, 0, 0]), call(x(2))],
    linalg.leslie: [call(x(4), x(3)), call(x(2), x(1)), call(x.complex(3), x.complex(2))],
    linalg.fiedler: [call(x(4)), call(x(2)), call(x(1))],
    linalg.convolution_matrix: [
        *(call(x(m), n, mode) for m, n in ((3, 4), (4, 2), (3, 3), (2, 5)) for mode in MODES),
        call(x.complex(3), 2),
    ],
    linalg.khatri_rao: [
        *(call(x(2, 3), x(4, 3)), call(x(1, 2), x(3, 2)), call(x.complex(2, 2), x(3, 2))),
    ],
    linalg.circulant: [call(x(4)), call(x.complex(3)), call(x(1))],
    linalg.block_diag: [
        *(call(x(2, 3), x(1, 2)), call(x(3), x(2, 2), x(1, 1)), call(x(2, 2))),
        call(x.complex(2, 1), x.complex(1, 2)),
    ],
    linalg.polar: [
        *(call(R(3, 3)), call(x(4, 2)), call(x(2, 4), "left"), call(R(3, 3), side="left")),
        *(call(C(3, 3)), call(x.complex(4, 2)), call(x.complex(2, 3), "left")),
    ],
    linalg.schur: [call(WELL_APART), call(WELL_APART, check_finite=False)],
    linalg.hessenberg: [
        *(call(x(4, 4)), call(x(4, 4), True), call(x(5, 5), calc_q=True), call(x(2, 2), True)),
    ],
    # As with `eigh`, the default driver may turn the sign of a vector.
    linalg.eigh_tridiagonal: [
        *(call(x(n), x(n - 1), lapack_driver="stev") for n in (4, 2)),
        *(call(x(4), x(3), eigvals_only=True), call(x(3), x(2), True, lapack_driver="sterf")),
    ],
    linalg.expm_frechet: [
        *(call(x(3, 3), x(3, 3)), call(x(3, 3), x(3, 3), compute_expm=False)),
        *(call(x.complex(2, 2), x.complex(2, 2)), call(x(3, 3), x(3, 3), "blockEnlarge")),
    ],
    linalg.qr_multiply: [
        *(call(R(3, 3), x(2, 3)), call(x(4, 2), x(3, 4)), call(x(4, 2), x(4))),
        *(call(x(4, 2), x(2, 3), "left"), call(x(4, 2), x(2), mode="left")),
        *(call(x.complex(4, 2), x.complex(3, 4)), call(x.complex(3, 3), x.complex(3, 2), "left")),
    ],
    linalg.rq: [
        *(call(R(3, 3)), call(x(2, 3)), call(x(2, 4), mode="economic"), call(x(4, 2))),
        *(call(x(3, 3), mode="r"), call(x(2, 4), mode="r"), call(x(4, 2), mode="economic")),
        *(call(C(3, 3)), call(x.complex(2, 4), mode="economic")),
    ],
    linalg.orth: [call(x(4, 2)), call(x(2, 4)), call(R(3, 3)), call(x(3, 1))],
    linalg.null_space: [call(x(2, 3)), call(x(3, 4)), call(x(3, 4), 1e-6)],
    linalg.signm: [
        *(call(x(3, 3) + 2.0 * np.diag([1.0, -1.0, 1.0])), call(C(3, 3)), call(R(2, 2))),
    ],
    linalg.matmul_toeplitz: [
        *(call(x(4), x(4)), call(x(4), x(4, 2)), call((x(4), x(3)), x(3)), call(x(1), x(1))),
        *(call((x(2), x(4)), x(4, 3)), call((x.complex(3), x.complex(3)), x.complex(3))),
        *(call(x.complex(3), x(3)), call(x.complex(3), x.complex(3, 2))),
    ],
    linalg.fiedler_companion: [
        *(call(x(n) + 2.0 * np.eye(n)[0]) for n in (2, 3, 4, 5, 6)),
        call(x.complex(4) + [2, 0, 0, 0]),
    ],
}

TOGETHER = [((3, 3, 3), (3,)), ((3, 3, 3), (3, 2)), ((2, 3, 3), (2, 3, 1)), ((3, 3), (2, 3, 2))]
"""A stack and one right-hand side or several, stacks of both, one matrix and a stack."""

OF_STACKS = {
    linalg.solve: [
        *(call(R(*a), x(*b)) for a, b in TOGETHER),
        *(call(R(*a), x(*b), transposed=True) for a, b in TOGETHER),
        call(R(2, 1, 3, 3), x(4, 3, 1)),
    ],
    linalg.solve_triangular: [
        call(R(*a), x(*b), trans, lower)
        for a, b in TOGETHER
        for trans in (0, 1, 2)
        for lower in (True, False)
    ],
    linalg.cho_solve: [
        *(call((R(*a), lower), x(*b)) for a, b in TOGETHER for lower in (True, False)),
        *((call(factor(S(2, 3, 3)), x(3)),) if TAKES_STACKS else ()),
    ],
    linalg.lu_solve: [call(lu_stack(*a), x(*b), trans) for a, b in TOGETHER for trans in (0, 1, 2)],
    linalg.lu_factor: [call(x(2, 3, 3))],
    linalg.cho_factor: [call(S(2, 3, 3), lower) for lower in (True, False)],
    linalg.solve_banded: [
        *(call((1, 1), banded_stack(2), x(*b)) for b in ((5,), (5, 2), (2, 5, 3))),
        *(call((1, 1), bands((1, 1)), x(2, 5, 2)), call((1, 1), banded_stack(5), x(5))),
    ],
    linalg.solveh_banded: [
        *(call(banded_stack(2, 2, 0), x(*b), lower=True) for b in ((5,), (5, 2), (2, 5, 3))),
        *(call(hermitian_bands(1), x(2, 5, 2)), call(banded_stack(5, 2), x(5))),
    ],
    linalg.block_diag: [
        *(call(x(2, 2, 3), x(2, 1, 2)), call(x(2, 3), x(3, 1, 2)), call(x(3), x(2, 2, 2))),
    ],
}
for function, samples in OF_STACKS.items():
    SAMPLES[function] = [*SAMPLES[function], *stacks(*samples)]

SAMPLES[block_diag_adjoint] = [
    call(x(4, 5), [x(2, 3), x(2, 2)], wrt=("g",)),
    call(x(3, 5), [x(3), x(2, 2)], wrt=("g",)),
]
