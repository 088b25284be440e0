"""Products of vectors, matrices and tensors."""

import operator

import numpy as np

from tests.rules.sample import Numbers, call

x = Numbers(9)

MATMUL = [
    *(call(x(3), x(3)), call(x(2, 3), x(3)), call(x(3), x(3, 2)), call(x(2, 3), x(3, 4))),
    *(call(x(2, 2, 3), x(3)), call(x(3), x(2, 3, 2)), call(x(2, 2, 3), x(2, 3, 4))),
    *(call(x(2, 2, 3), x(3, 4)), call(x(2, 3), x(4, 3, 2)), call(x(4, 1, 2, 3), x(2, 3, 2))),
    *(
        call(x.complex(2, 3), x.complex(3, 2)),
        call(x.complex(3), x(3)),
        call(x(2, 3), x.complex(3)),
    ),
    *(call(x.complex(3), x.complex(3, 2)), call(x.complex(2, 2, 3), x.complex(3))),
]

PLACES = np.array([-1.0, 0.3, 2.2, 5.0])
KNOTS = np.array([0.0, 1.0, 3.0])

SAMPLES = {
    np.matmul: MATMUL,
    operator.matmul: MATMUL,
    np.dot: [
        *(call(x(3), x(3)), call(x(2, 3), x(3)), call(x(3), x(3, 2)), call(x(2, 3), x(3, 4))),
        *(call(2.0, x(3)), call(x(2, 3), 1.5), call(2.0, 3.0), call(x(2, 2, 3), x(3))),
        *(call(x(2, 2, 3), x(3, 2)), call(x(2, 3), x(2, 3, 4)), call(x(3), x(2, 3, 2))),
        *(
            call(x(2, 2, 3), x(2, 3, 2)),
            call(x.complex(2, 3), x.complex(3)),
            call(x(3), x.complex(3)),
        ),
    ],
    np.inner: [
        *(call(x(3), x(3)), call(x(2, 3), x(3)), call(x(2, 3), x(4, 3)), call(x(2, 2, 3), x(4, 3))),
        *(call(2.0, x(3)), call(x(2, 3), 2.0), call(x.complex(2, 3), x.complex(3))),
    ],
    np.outer: [
        *(call(x(2), x(3)), call(x(2, 2), x(3)), call(x(2), x(1, 3)), call(2.0, x(3))),
        *(call(x.complex(2), x.complex(3)),),
    ],
    np.vdot: [call(x(3), x(3)), call(x(2, 2), x(2, 2)), call(x.complex(3), x.complex(3))],
    np.tensordot: [
        *(call(x(2, 3, 4), x(3, 4, 2)), call(x(2, 3), x(3, 4), 1), call(x(2), x(3), 0)),
        *(call(x(2, 3, 4), x(4, 3), ([1, 2], [1, 0])), call(x(2, 3), x(4, 3), axes=(1, 1))),
        *(call(x(2, 3, 4), x(3, 2, 5), ((0, -2), (1, 0))), call(x(2, 3), x(2, 3))),
        *(call(x.complex(2, 3), x.complex(3, 2), 1),),
    ],
    np.einsum: [
        *(
            call("ij,jk->ik", x(2, 3), x(3, 4)),
            call("ij,jk", x(2, 3), x(3, 4)),
            call("i,i", x(3), x(3)),
            call("ij,j->i", x(2, 3), x(3), dtype=float, order="F", casting="same_kind"),
        ),
        *(
            call("ii->i", x(3, 3)),
            call("ii", x(3, 3)),
            call("ij->ji", x(2, 3)),
            call("ij->i", x(2, 3)),
        ),
        *(
            call("ij->", x(2, 3)),
            call("i,j,k->ijk", x(2), x(3), x(2)),
            call("ij,ij->", x(2, 3), x(2, 3)),
        ),
        *(call("...ij,...jk->...ik", x(2, 2, 3), x(3, 2)), call("...i,...i", x(2, 3), x(3))),
        *(call("bij,bjk->bik", x(2, 2, 3), x(2, 3, 2)), call("ij,j", x(2, 3), x(3))),
        *(
            call("i,ij,j->", x(2), x(2, 3), x(3)),
            call("iij->ij", x(2, 2, 3)),
            call("ij,k->k", x(2, 3), x(2)),
        ),
        *(
            call("...,...->...", x(2, 1), x(3)),
            call("i...->...", x(2, 3)),
            call("ij, jk", x(2, 2), x(2, 2)),
        ),
        *(call("ij,jk->ik", x.complex(2, 3), x.complex(3, 2)), call(",i->i", 2.0, x(3))),
        *(
            call("ij,jk,kl->il", x(2, 2), x(2, 3), x(3, 2), optimize=True),
            call("i,i->i", x(3), x(1)),
        ),
        *(call(x(2, 3), [0, 1], x(3, 4), [1, 2], [0, 2]), call(x(2, 3), [0, 1], x(3, 4), [1, 2])),
        *(call(x(3, 3), [0, 0]), call(x(2, 3), [1, 0]), call(x(3), [0], x(3), [0], [])),
        *(call(x(2, 3), [..., 0], x(3), [0], [...]), call(x.complex(2), [3], x(2), [3], [3])),
        *(call("...ii->...", x(2, 3, 3)), call("ij...,jk...->ik...", x(2, 3, 2), x(3, 2, 2))),
        *(call("ab,bc,cd,de->ae", x(2, 3), x(3, 2), x(2, 2), x(2, 3), optimize="greedy"),),
        *(call("ijk->", x(2, 3, 2)), call("ijk->kji", x(2, 3, 2)), call("ijj->i", x(2, 3, 3))),
        *(
            call("i,j->ij", x.complex(2), x(3)),
            call("i->", x(3)),
            call("->", 2.0),
            call("ij", x(3, 2)),
        ),
        *(
            call("ij,ij->ij", x(2, 3), x(2, 3)),
            call("ji", x(2, 3)),
            call("b...,b...->...", x(2, 3), x(2, 3)),
        ),
    ],
    np.kron: [
        *(call(x(2), x(3)), call(x(2, 2), x(3, 2)), call(x(2), x(2, 3)), call(x(2, 2), x(3))),
        *(call(x.complex(2), x.complex(2)), call(2.0, x(2))),
    ],
    np.cross: [
        *(
            call(x(3), x(3)),
            call(x(2, 3), x(2, 3)),
            call(x(2, 3), x(3)),
            call(x(3, 2), x(3, 2), axis=0),
        ),
        *(call(x(2, 1, 3), x(4, 3)), call(x.complex(3), x.complex(3)), call(x(3), x.complex(2, 3))),
        *(call(x(3, 2), x(2, 3), 0), call(x(3, 2), x(3, 2), 0, 0), call(x(3, 2), x(3, 2), 0, 0, 0)),
        *(
            call(x(2, 3), x(2, 3), axisc=0),
            call(x(3, 4), x(3), axisa=0),
            call(x(3), x(3, 2), axisb=0),
        ),
    ],
    np.convolve: [
        *(call(x(4), x(3), mode) for mode in ("full", "same", "valid")),
        *(call(x(2), x(5), mode) for mode in ("full", "same", "valid")),
        *(call(x(4), x(2), "same"), call(x.complex(4), x.complex(2)), call(x(1), x(3))),
        *(call(x(4), x(3), number) for number in (0, 1, 2)),
        *(call(x(2), x.complex(5), "valid"), call(x.complex(5), x(2), "valid")),
        *(call(x(3), x(3), "valid"), call(x.complex(3), x.complex(3), "valid")),
    ],
    np.correlate: [
        *(call(x(4), x(3), mode) for mode in ("full", "same", "valid")),
        *(call(x(2), x(5), mode) for mode in ("full", "same", "valid")),
        *(call(x(5), x(2)), call(x.complex(4), x.complex(2)), call(x.complex(2), x.complex(4))),
        *(call(x(4), x(3), number) for number in (0, 1, 2)),
    ],
    np.interp: [
        call(np.array([0.3, 1.6, 2.2]), np.array([0.0, 1.0, 2.0, 3.0]), x(4)),
        call(0.4, np.array([0.0, 1.0]), x(2)),
        call(np.array([-1.0, 0.3, 5.0]), np.array([0.0, 1.0, 3.0]), x(3)),
        call(np.array([-0.2, 3.4]), np.array([0.0, 1.0, 3.0]), x(3)),
        call(np.array([[0.1, 0.2]]), np.array([0.0, 1.0, 3.0]), x(3)),
        *(call(PLACES, KNOTS, x(3), *ends) for ends in ((0.5,), (None, 0.7), (0.5, 0.7))),
        *(call(PLACES, KNOTS, x(3), period=3.7), call(PLACES, KNOTS[[2, 0, 1]], x(3), period=3.7)),
        *(call(PLACES, KNOTS, x.complex(3)), call(7.3, KNOTS, x(3), period=3.7)),
        *(call(PLACES, KNOTS, x.complex(3), period=-3.7),),
    ],
}
if hasattr(np, "matvec"):  # NumPy 2.2
    SAMPLES[np.matvec] = [
        *(
            call(x(2, 3), x(3)),
            call(x(4, 2, 3), x(3)),
            call(x(2, 3), x(4, 3)),
            call(x(4, 2, 3), x(4, 3)),
        ),
        *(
            call(x.complex(2, 3), x.complex(3)),
            call(x(2, 3), x.complex(3)),
            call(x(1, 2, 3), x(4, 3)),
        ),
    ]
    SAMPLES[np.vecmat] = [
        *(
            call(x(2), x(2, 3)),
            call(x(2), x(4, 2, 3)),
            call(x(4, 2), x(2, 3)),
            call(x(4, 2), x(4, 2, 3)),
        ),
        *(
            call(x.complex(2), x.complex(2, 3)),
            call(x(2), x.complex(2, 3)),
            call(x(4, 2), x(1, 2, 3)),
        ),
    ]
if hasattr(np, "vecdot"):  # NumPy 2.0
    SAMPLES[np.linalg.matmul] = MATMUL
    SAMPLES[np.linalg.outer] = [call(x(2), x(3))]
    SAMPLES[np.linalg.tensordot] = [call(x(2, 3), x(3, 4), axes=1)]
    SAMPLES[np.linalg.cross] = [call(x(2, 3), x(2, 3)), call(x(3, 2), x(3, 2), axis=0)]
    SAMPLES[np.vecdot] = SAMPLES[np.linalg.vecdot] = [
        *(call(x(3), x(3)), call(x(2, 3), x(3)), call(x(2, 1, 3), x(4, 3))),
        *(call(x.complex(2, 3), x.complex(2, 3)),),
    ]
