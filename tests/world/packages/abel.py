"""Calls into PyAbel: transforms of images with an axis of symmetry."""

from __future__ import annotations

import abel
import numpy as np

from tests.world.calls import call

DISTRIBUTION = "PyAbel"
ROWS, COLUMNS = np.mgrid[-3:4, -5:6]
IMAGE = np.exp(-(ROWS**2 + COLUMNS**2) / 9.0) + 0.1 * np.cos(COLUMNS)
HALF = IMAGE[:, 5:]
WEIGHT = np.cos(np.arange(HALF.size)).reshape(HALF.shape)


@call(HALF, HALF * 1.3 + 0.1)
def onion(half):
    return np.sum(abel.dasch.onion_peeling_transform(half, dr=0.5) * WEIGHT)


@call(HALF, HALF * 1.3 + 0.1)
def three_point(half):
    return np.sum(abel.dasch.three_point_transform(half) * WEIGHT)


@call(HALF, HALF * 1.3 + 0.1)
def two_point(half):
    return np.sum(abel.dasch.two_point_transform(half) * WEIGHT)


@call(HALF, HALF * 1.3 + 0.1)
def hansen_law(half):
    return np.sum(abel.hansenlaw.hansenlaw_transform(half, direction="inverse") * WEIGHT)


@call(HALF, HALF * 1.3 + 0.1)
def hansen_law_forward(half):
    return np.sum(abel.hansenlaw.hansenlaw_transform(half, direction="forward") * WEIGHT)


@call(HALF, HALF * 1.3 + 0.1)
def direct(half):
    own = abel.direct.direct_transform(half, direction="forward", backend="python")
    return np.sum(own * WEIGHT)


@call(HALF, HALF * 1.3 + 0.1)
def daun(half):
    return np.sum(abel.daun.daun_transform(half, reg=0.5, verbose=False) * WEIGHT)


@call(IMAGE, IMAGE * 1.3 + 0.1)
def whole(image):
    own = abel.Transform(image, method="hansenlaw", direction="inverse", symmetry_axis=None)
    return np.sum(own.transform**2)


@call(IMAGE, IMAGE * 1.3 + 0.1)
def centred(image):
    return np.sum(abel.tools.center.find_origin(image, "com"))
