"""The helpers of generated code."""

import numpy as np

from autodiff import runtime
from autodiff.runtime.broadcasting import broadcast_parts, fit
from autodiff.runtime.padding import padded_change
from autodiff.runtime.products import replaced
from autodiff.runtime.quantiles import nanquantile_change, quantile_change
from autodiff.runtime.scattering import joined, placed
from autodiff.runtime.sets import trimmed
from tests.rules.sample import Numbers, call

x = Numbers(11)
A = x(3, 4)
CONDITIONS = [np.array([True, False, False]), np.array([True, True, False])]

SAMPLES = {
    runtime.unbroadcast: [
        *(call(x(2, 3), x(3), wrt=("g",)), call(x(2, 3), 1.5, wrt=("g",))),
        *(call(x(2, 3), x(2, 1), wrt=("g",)), call([x(2, 3), x(2)], [x(3), 1.5], wrt=("g",))),
        call(1.5, x(3), wrt=("g",)),
    ],
    **dict.fromkeys(
        (runtime.i0_slope, runtime.sinc_slope),
        [call(x(3, low=-4, high=4), 1), call(np.asarray(0.7), 2), call(np.array([0.0]), 3)],
    ),
    runtime.unreduce: [
        *(call(1.5, x(3), wrt=("g",)), call(x(3), x(2, 3), 0, wrt=("g",))),
        *(call(x(2, 1), x(2, 3), 1, True, wrt=("g",)),),
    ],
    runtime.scatter: [
        *(call(1.5, x(3), 1, wrt=("g",)), call(x(2), x(3), [0, 0], wrt=("g",))),
        *(call(x(2, 4), A, slice(1, None), wrt=("g",)),),
    ],
    runtime.stored: [
        *(call(x(3), 1, wrt=("g",)), call(x(4), [0, 2, 2], wrt=("g",))),
        *(call(A, slice(1, None), wrt=("g",)), call(A, np.array([True, False, True]), wrt=("g",))),
        call(A, (np.array([0, 2, 0]), np.array([1, 1, 1])), wrt=("g",)),
    ],
    runtime.unsplit: [
        *(call([x(4), x(0), x(4)], x(6), [4, 2], 0, wrt=("parts",)),),
        *(call([x(2, 1), x(2, 2)], x(2, 3), [1], 1, wrt=("parts",)),),
        *(call((x(3), x(3)), x(6), 2, 0, wrt=("parts",)),),
    ],
    placed: [
        *(call(1.5, x(3), 1, wrt=("g",)), call(x(3), x(4), [0, 2, 2], wrt=("g",))),
        *(call(x(2, 4), A, slice(1, None), wrt=("g",)), call(x(2), x(3), [2, 0], wrt=("g",))),
    ],
    broadcast_parts: [
        *(call([x(3), 1.5], [x(2, 3), x(2)], wrt=("g",)),),
        *(call((1.5, [x(3), 0.5]), (x(2), [x(3), x(4)]), wrt=("g",)),),
        *(call(x(3), 1.5, wrt=("g",)), call(1.5, 0.5, wrt=("g",))),
    ],
    runtime.scatter_flat: [call(x(3), A, np.array([0, 5, 5]), wrt=("g",))],
    runtime.scatter_along: [call(A, A, np.argsort(A, 1), 1, wrt=("g",))],
    runtime.scatter_diagonal: [call(x(3), A, wrt=("g",)), call(x(2), A, -1, wrt=("g",))],
    runtime.select_adjoint: [
        *(call(x(3), k, CONDITIONS, [x(3), x(3)], wrt=("g",)) for k in (0, 1)),
        call(x(2, 3), 1, CONDITIONS, [x(3), x(2, 3)], wrt=("g",)),
    ],
    runtime.select_default_adjoint: [
        *(call(x(3), CONDITIONS, x(3), wrt=("g",)), call(x(3), CONDITIONS, 0.5, wrt=("g",))),
    ],
    runtime.unsorted: [
        call(x(3), np.array([2, 0, 1]), 0),
        call(x(2, 3), np.array([[0, 2, 1], [1, 2, 0]]), 1),
    ],
    runtime.undiff: [call(x(3), 1, 0), call(x(2, 3), 2, 1)],
}

Q = np.array([0.3, 0.8])
HOLES = np.where(A > 0.8, np.nan, A)
PAIR = [x(2, 3), x(4, 3)]

# Linear in the adjoint that they pass on.
SAMPLES |= {
    runtime.replica: [call(x(3)), call(x(2, 3)), call(0.7)],
    runtime.conj: [call(x(3)), call(x.complex(2, 3)), call(0.7)],
    runtime.fitted: [call(x(2, 3), x(2, 3), wrt=("given",)), call(1.5, 2.5, wrt=("given",))],
    runtime.checked_residual: [
        *(call(x(3), x(3), wrt=("given",)), call(1.5, 2.5, wrt=("given",))),
    ],
    runtime.tangent_of: [call(x(3), x(2, 3), wrt=("g",)), call(1.5, x(3), wrt=("g",))],
    runtime.adjoint_of: [
        *(call(1.5, x(3), wrt=("g",)), call(x(3), x(2, 3), wrt=("g",))),
        *(call([1.5, x(3)], [x(2), x(3)], wrt=("g",)),),
    ],
    runtime.accumulate: [call(x(3), x(3)), call(1.5, 0.5), call([x(3), 0.5], [x(3), 1.5])],
    runtime.split: [
        *(call(x(6, 3), PAIR, 0, wrt=("g",)), call(x(2, 3), [x(3), x(3)], 0, wrt=("g",))),
        *(call(x(2, 4), (x(2, 3), x(2)), 1, wrt=("g",)),),
    ],
    joined: [
        *(call(PAIR, x(6, 3), 0, wrt=("parts",)),),
        *(call([x(3), x(3)], x(2, 3), 0, wrt=("parts",)),),
    ],
    runtime.tile_adjoint: [
        *(call(x(2, 6), x(3), (2, 2), wrt=("g",)), call(x(6), x(3), 2, wrt=("g",))),
    ],
    runtime.repeat_adjoint: [
        *(call(x(6), x(3), 2, None, wrt=("g",)), call(x(3, 8), A, 2, 1, wrt=("g",))),
        *(call(x(4, 4), A, [1, 0, 3], 0, wrt=("g",)),),
    ],
    runtime.resized: [call(x(2, 6), A, wrt=("g",)), call(x(3, 4), A, wrt=("g",))],
    runtime.rfftn_adjoint: [
        *(call(x.complex(3, n), x(3, 4), s, None, None, wrt=("g",)) for n, s in ((3, None),)),
        *(call(x.complex(2, 3), x(3, 4), (2, 5), (0, 1), "ortho", wrt=("g",)),),
    ],
    runtime.irfftn_adjoint: [
        *(call(x(3, n), x.complex(3, 4), None, None, None, wrt=("g",)) for n in (6,)),
        *(call(x(2, 5), x.complex(3, 4), (2, 5), (0, 1), "ortho", wrt=("g",)),),
    ],
    runtime.trim_adjoint: [
        call(x(2), np.array([0.0, 1.5, -0.3, 0.0]), "fb", wrt=("g",)),
        call(x(3), np.array([0.0, 1.5, -0.3, 0.0]), "f", wrt=("g",)),
    ],
    trimmed: [call(x(4), x(2), np.array([0.0, 1.5, -0.3, 0.0]), "fb", wrt=("x",))],
    runtime.block_adjoint: [call(x(2, 5), [[x(2, 3), x(2, 2)]], wrt=("g",))],
    runtime.gradient_adjoint: [
        *(call(x(5), x(5), (), None, 1, wrt=("g",)), call(x(3, 4), A, (0.5,), 1, 2, wrt=("g",))),
    ],
    runtime.interp_values_adjoint: [
        call(x(4), np.array([-0.8, 0.3, -0.2, 0.5]), np.array([-0.5, 0.1, 0.6])),
        call(x(4), x(4), np.linspace(-1, 1, 4), 0.3),
    ],
    runtime.quantile_adjoint: [
        *(call(x(2, 3), A, Q, 1, wrt=("g",)), call(0.7, A, 0.4, None, "lower", wrt=("g",))),
    ],
    runtime.nanquantile_adjoint: [
        *(call(x(2, 3), HOLES, Q, 1, wrt=("g",)), call(0.7, HOLES, 0.4, wrt=("g",))),
    ],
    quantile_change: [
        *(call(x(3, 4), A, Q, 1, wrt=("x_dot",)), call(x(3, 4), A, 0.4, wrt=("x_dot",))),
    ],
    nanquantile_change: [
        *(call(x(3, 4), HOLES, Q, 1, wrt=("x_dot",)), call(x(3, 4), HOLES, 0.4, wrt=("x_dot",))),
    ],
}

B = x(3, 3)
SAMPLES[runtime.cofactors] = [
    *(call(B, wrt=("a",)), call(x(2, 3, 3), wrt=("a",)), call(x.complex(3, 3), wrt=("a",))),
    *(call(np.outer(x(3), x(3)), wrt=("a",)), call(np.diag([1.0, 2.0, 0.0]), wrt=("a",))),
    *(call(np.stack([B, np.outer(x(3), x(3))]), wrt=("a",)), call(np.zeros((2, 2)), wrt=("a",))),
    *(call(x.complex(3, 1) * x.complex(3), wrt=("a",)), call(x(1, 1), wrt=("a",))),
]

# Products once more: bilinear in the adjoint and the other factors.
U, V, W = x(3, 4), x(4, 2), x(2, 3)
SAMPLES |= {
    fit: [
        *(call(x(2, 3), (3,), wrt=("g",)), call(x(2, 3), (2, 1), wrt=("g",))),
        *(call(x(3), (2, 3), wrt=("g",)), call(x(2, 3), (1,), wrt=("g",))),
    ],
    runtime.matmul_left: [
        *(call(x(3, 2), U, V, wrt=("g", "y")), call(x(5, 3, 2), U, x(5, 4, 2), wrt=("g", "y"))),
        *(call(x(3), U, x(4), wrt=("g", "y")), call(x(2), x(4), V, wrt=("g", "y"))),
        *(call(x(5, 3), x(5, 3, 4), x(4), wrt=("g", "y")),),
    ],
    runtime.matmul_right: [
        *(call(x(3, 2), U, V, wrt=("g", "x")), call(x(5, 3, 2), x(5, 3, 4), V, wrt=("g", "x"))),
        *(call(x(3), U, x(4), wrt=("g", "x")), call(x(2), x(4), V, wrt=("g", "x"))),
        *(call(x(5, 3), x(5, 3, 4), x(4), wrt=("g", "x")),),
    ],
    runtime.tensordot_left: [
        *(call(x(3, 2), U, V, 1, wrt=("g", "b")), call(x(2, 2), W, x(3, 2), 1, wrt=("g", "b"))),
        *(call(x(4), U, x(3), ([0], [0]), wrt=("g", "b")),),
        *(call(x(2), x(2, 3, 4), U.T, ([1, 2], [1, 0]), wrt=("g", "b")),),
    ],
    runtime.tensordot_right: [
        *(call(x(3, 2), U, V, 1, wrt=("g", "a")), call(x(2, 2), W, x(3, 2), 1, wrt=("g", "a"))),
        *(call(x(4), U, x(3), ([0], [0]), wrt=("g", "a")),),
        *(call(x(2), x(2, 3, 4), U.T, ([1, 2], [1, 0]), wrt=("g", "a")),),
    ],
    runtime.kron_left: [
        *(call(x(6, 12), W, U, wrt=("g", "b")), call(x(3, 8), x(2), U, wrt=("g", "b"))),
    ],
    runtime.kron_right: [
        *(call(x(6, 12), W, U, wrt=("g", "a")), call(x(3, 8), x(2), U, wrt=("g", "a"))),
    ],
    runtime.einsum_adjoint: [
        call(x(3, 2), "ij,jk->ik", [U, V], 0, wrt=("g", "operands")),
        call(x(2), "ij,jk,kl->l", [x(3, 4), V, x(2, 2)], 1, wrt=("g", "operands")),
        call(x(3), "ii->i", [x(3, 3)], 0, wrt=("g",)),
        call(0.5, "ij->", [U], 0, wrt=("g",)),
    ],
    replaced: [call([A, A[0]], 1, A[1]), call([A[0], 0.3], 0, A[1])],
    runtime.multi_dot_adjoint: [
        call(x(3, 3), [U, V, W], 1, wrt=("g", "arrays")),
        call(x(3), [U, V, x(2)], 0, wrt=("g", "arrays")),
    ],
    runtime.windows_adjoint: [call(x(2, 3), x(4), 3, None, wrt=("g",))],
    runtime.insert_adjoint: [
        call(x(5), x(4), 1, 0.5, None, False, wrt=("g",)),
        call(x(3, 6), U, [1, 2], x(3, 2), 1, True, wrt=("g",)),
        call(x(4, 4), U, 1, x(4), 0, True, wrt=("g",)),
    ],
    runtime.pad_adjoint: [
        call(x(6, 7), U, ((1, 2), (0, 3)), mode, wrt=("g",))
        for mode in ("constant", "edge", "reflect", "wrap", "mean", "linear_ramp")
        + ("median", "maximum", "minimum")
    ],
    runtime.edges_adjoint: [call(x(7), x(3), 2, wrt=("g",)), call(x(4), x(4), 0, wrt=("g",))],
    runtime.full_convolution: [
        call(x(n), x(4), x(3), mode, wrt=("g",)) for n, mode in ((2, "valid"), (4, "same"), (6, 2))
    ],
    runtime.odd_pad_adjoint: [
        call(x(6, 7), U, ((1, 2), (0, 3)), mode, wrt=("g",)) for mode in ("reflect", "symmetric")
    ],
    padded_change: [
        call(x(3, 4), U, ((1, 2), (0, 3)), mode, lengths, wrt=("x_dot",))
        for mode in ("median", "maximum", "minimum")
        for lengths in (None, 2, ((2, 3), (1, 2)))
    ],
    runtime.pad_values_adjoint: [
        call(x(6, 7), U, ((1, 2), (0, 3)), "constant", 0.5, wrt=("g",)),
        call(x(6, 7), U, ((1, 2), (0, 3)), "linear_ramp", x(2, 1), wrt=("g",)),
    ],
}
if np.sign(1j) == 1j:  # NumPy 2.0
    SAMPLES[runtime.direction] = [call(np.array([0.3 - 0.8j, -1j, 2.0])), call(0.3 - 0.8j)]
