"""The sparse Jacobian of a bundle adjustment: 49 cameras see 7,776 points, 31,843 times.

    python examples/bundle_adjustment.py            # --source prints the generated code

Each observation gives two residuals, how far the projected point lies from where it was seen, and
each weight w one, 1 - w^2 (ADBench; Srajer, Kukelova, Fitzgibbon, 2018). The Jacobian has 95,529
rows and 55,710 columns: 11 numbers of each camera, 3 of each point, and the weights. A row depends
on one camera, one point and one weight, so 14 sweeps give all of it. In ADBench's data all cameras
and all points are alike, so the norm of the Jacobian follows from one observation alone.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import numpy as np

from autodiff import jacobian, jvp, sparse_jacobian

DATA = Path(__file__).parent / "data" / "ba1_n49_m7776_p31843.txt"


def problem(path):
    """Cameras, points, weights, features, and which camera sees which point."""
    lines = path.read_text().splitlines()
    n, m, p = map(int, lines[0].split())
    camera, point, weight, feature = (np.array(line.split(), float) for line in lines[1:5])
    k = np.arange(p)
    copies = np.tile(camera, (n, 1)), np.tile(point, (m, 1)), np.full(p, weight[0])
    return *copies, np.tile(feature, (p, 1)), k % n, k % m


def rotated(r, x):
    """Rodrigues' formula: x turned about the axis r by the angle |r|, row by row."""
    angle = np.sqrt(np.sum(r**2, axis=1))[:, None]
    axis = r / angle
    along = np.sum(axis * x, axis=1)[:, None]
    c, s = np.cos(angle), np.sin(angle)
    return x * c + np.cross(axis, x) * s + axis * along * (1 - c)


def residuals(cameras, points, weights, features, by, seen):
    c = cameras[by]
    x = rotated(c[:, 0:3], points[seen] - c[:, 3:6])
    xy = x[:, :2] / x[:, 2:]
    r2 = np.sum(xy**2, axis=1)[:, None]
    distorted = xy * (1 + c[:, 9:10] * r2 + c[:, 10:11] * r2**2)
    projected = c[:, 6:7] * distorted + c[:, 7:9]
    return weights[:, None] * (projected - features), 1 - weights**2


def main():
    arguments = problem(DATA)
    cameras, points, weights, *_ = arguments
    sparse = sparse_jacobian(residuals, wrt=("cameras", "points", "weights"))
    start = time.perf_counter()
    sparse.pattern = sparse.pattern_at(*arguments)
    print(f"{sparse.pattern!r}: {time.perf_counter() - start:.1f} s")
    for _ in range(2):
        start = time.perf_counter()
        matrix = sparse(*arguments)
        seconds = time.perf_counter() - start
        print(f"{sparse.pattern.sweeps} sweeps, and one to check: {seconds:.1f} s")
    if "--source" in sys.argv:
        print(sparse.source_for(*arguments))

    random = np.random.default_rng(0)
    direction = tuple(random.standard_normal(x.shape) for x in (cameras, points, weights))
    _, tangent = jvp(residuals, arguments, (*direction, None, None, None))
    product = matrix @ np.concatenate([v.ravel() for v in direction])
    difference = np.max(np.abs(product - np.concatenate([t.ravel() for t in tangent])))
    print(f"largest difference to a tangent: {difference:.1e}, to {np.max(np.abs(product)):.1e}")

    first = (x[:1] for x in arguments)
    block = jacobian(residuals, wrt=("cameras", "points", "weights"))(*first)
    squares = sum(np.sum(part**2) for row in block for part in row)
    found, expected = np.sum(matrix.data**2), len(weights) * squares
    print(f"square of the norm of the Jacobian: {found:.6e} (expected {expected:.6e})")


if __name__ == "__main__":
    main()
