"""Joining arrays and taking them apart."""

import numpy as np

from tests.rules.sample import Numbers, call

x = Numbers(5)

SAMPLES = {
    np.concatenate: [
        *(call([x(2), x(3)]), call((x(2, 3), x(1, 3))), call([x(2, 3), x(2, 1)], 1)),
        *(call([x(2, 3), x(2)], None), call([x(2, 2), x(2, 1)], axis=-1), call(x(2, 3))),
        *(call([x(0), x(2)]), call([x(2), x.complex(3)]), call([x(2), np.array([1, 2])])),
        *(
            call([x(2), x(1)], dtype=np.float64),
            call([x(2, 1, 2), x(2, 3, 2)], 1),
            call([x(0, 2), x(1, 2)]),
        ),
    ],
    np.stack: [
        *(call([x(3), x(3)]), call((x(3), x(3)), 1), call([x(2, 3), x(2, 3)], -1)),
        *(call([1.0, 2.0]), call(x(2, 3)), call([x(2), x.complex(2)], axis=1)),
    ],
    np.vstack: [call([x(3), x(3)]), call((x(2, 3), x(3))), call([1.0, 2.0])],
    np.hstack: [call([x(3), x(2)]), call((x(2, 3), x(2, 1))), call([1.0, x(2)])],
    np.dstack: [call([x(3), x(3)]), call((x(2, 3), x(2, 3))), call([x(2, 2, 3), x(2, 2)])],
    np.column_stack: [call([x(3), x(3)]), call((x(3, 2), x(3)))],
    np.append: [
        *(call(x(3), 1.5), call(x(2, 2), x(3)), call(x(2, 3), x(1, 3), 0)),
        *(call(x(2, 3), x(2, 2), axis=1),),
    ],
    np.block: [
        *(
            call([x(2), x(3)]),
            call([[x(2, 2), x(2, 1)], [x(1, 3)]]),
            call([[1.0, 2.0], [3.0, 4.0]]),
        ),
        *(call([[x(2, 2), x(2, 3)], [x(1, 2), x(1, 3)]]), call(x(2, 3)), call([x(2, 3), x(2, 1)])),
        *(call([[x(2)], [x(2)]]), call([[[x(2, 2)], [x(1, 2)]]]), call([x(2), x.complex(2)])),
        *(call([1.5, x(2)]), call([[x(2, 2, 2), x(2, 2, 1)]])),
    ],
    np.insert: [
        *(
            call(x(4), 1, 0.5),
            call(x(4), 1, x(2)),
            call(x(4), [0, 2], x(2)),
            call(x(4), [3, 1], x(2)),
        ),
        *(call(x(4), -1, 0.5), call(x(4), [1, 1, 3], x(3)), call(x(4), [0, 2], 0.5)),
        *(call(x(2, 3), 1, 0.5), call(x(2, 3), 1, x(3), 0), call(x(2, 3), 1, 0.5, axis=1)),
        *(
            call(x(2, 3), [0, 3], x(2, 2), 1),
            call(x(2, 3), 1, x(2), 1),
            call(x(2, 3), [1], x(2, 1), 1),
        ),
        *(call(x(4), slice(1, 3), x(2)), call(x(2, 3), 0, x(1, 3), axis=0), call(x(4), 2, x(3))),
        *(call(x(2, 3), [0, 2], x(2), 1), call(x(2, 3), (1, 2), x(2, 3), 0)),
    ],
    np.split: [
        *(call(x(6), 3), call(x(6), [1, 4]), call(x(4, 2), 2), call(x(2, 4), 2, 1)),
        *(call(x(2, 5), [2], axis=-1), call(x(6), [4, 2]), call(x(6), [-2, 1, 9, 3])),
        *(call(x(2, 6), np.array([5, 3, 1]), axis=1), call(x(6), [2, -1]), call(x(6), [9, 10])),
        *(call(x(6), [2, 2]), call(x(6), []), call(x(6), [-9, 4])),
    ],
    np.array_split: [call(x(5), 2), call(x(2, 5), 3, 1), call(x(5), [3, 1]), call(x(3), 5)],
    np.vsplit: [call(x(4, 2), 2), call(x(4, 2), [3, 1])],
    np.hsplit: [call(x(4), 2), call(x(2, 4), [1]), call(x(4), [3, 1]), call(x(2, 4), [-1, 1])],
    np.dsplit: [call(x(2, 2, 4), 2), call(x(2, 2, 4), [3, 2])],
}
if hasattr(np, "unstack"):  # NumPy 2.1
    SAMPLES[np.unstack] = [call(x(2, 3)), call(x(2, 3), axis=1), call(x(3))]
