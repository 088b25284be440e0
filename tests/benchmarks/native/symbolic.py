"""The same programs in CasADi: a graph of scalars (SX), steps that are repeated as one function."""

from __future__ import annotations

import functools

import numpy as np


def gradients():
    """By the name of the primal: the gradient; empty where CasADi is not installed."""
    try:
        import casadi as ca
    except ImportError:
        return {}

    def rosenbrock(x):
        n = len(x)
        a = ca.SX.sym("x", n)
        terms = 100.0 * (a[1:] - a[:-1] ** 2) ** 2 + (1.0 - a[:-1]) ** 2
        return [a], ca.sum1(terms)

    def logistic(x, r, n):
        s, p = ca.SX.sym("x"), ca.SX.sym("r")
        y = p * s * (1.0 - s)
        step = ca.Function("step", [s, p], [ca.if_else(s > 0.5, y, y + 0.01 * ca.sin(s))])
        a, b = ca.MX.sym("a"), ca.MX.sym("b")
        return [a, b], step.mapaccum(n)(a, ca.repmat(b, 1, n))[-1]

    def lorenz(s, rho, b, n, dt):
        p, c = ca.SX.sym("p", 3), ca.SX.sym("c", 3)

        def rhs(p):
            x, y, z = p[0], p[1], p[2]
            return ca.vertcat(c[0] * (y - x), x * (c[1] - z) - y, x * y - c[2] * z)

        k1 = rhs(p)
        k2 = rhs(p + 0.5 * dt * k1)
        k3 = rhs(p + 0.5 * dt * k2)
        k4 = rhs(p + dt * k3)
        step = ca.Function("step", [p, c], [p + dt / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4)])
        given = ca.MX.sym("c", 3)
        ends = step.mapaccum(n)(ca.DM([1.0, 1.0, 1.0]), ca.repmat(given, 1, n))
        return [given], ca.sum1(ends[:, -1])

    def nbody(pos, vel, mass, n, dt):
        m = len(mass)
        state, weights = ca.SX.sym("s", 6 * m), ca.SX.sym("m", m)
        p = [state[3 * i : 3 * i + 3] for i in range(m)]
        v = [state[3 * (m + i) : 3 * (m + i) + 3] for i in range(m)]
        for i in range(m):
            for j in range(m):
                if i != j:
                    d = p[j] - p[i]
                    d2 = ca.dot(d, d) + 0.01
                    v[i] = v[i] + dt * weights[j] / (d2 * ca.sqrt(d2)) * d
        moved = [p[i] + dt * v[i] for i in range(m)]
        step = ca.Function("step", [state, weights], [ca.vertcat(*moved, *v)])
        start, given = ca.MX.sym("s", 6 * m), ca.MX.sym("m", m)
        end = step.mapaccum(n)(start, ca.repmat(given, 1, n))[:, -1]
        return [start, given], ca.dot(end[: 3 * m], end[3 * m :])

    def compiled(build, wrt):
        """The graph is made by the first call, for the sizes and the steps that it has."""
        kept = []

        def gradient(*args):
            if not kept:
                inputs, value = build(*args)
                outputs = [ca.gradient(value, x) for x in inputs]
                kept.append(ca.Function("gradient", inputs, outputs))
            found = kept[0](*given(build, args))
            found = found if isinstance(found, (tuple, list)) else [found]
            flat = np.concatenate([np.asarray(part).ravel() for part in found])
            ends = np.cumsum([np.size(args[k]) for k in wrt])[:-1]
            parts = np.split(flat, ends)
            return tuple(part.reshape(np.shape(args[k])) for part, k in zip(parts, wrt))

        return gradient

    def given(build, args):
        if build is nbody:
            return np.concatenate([args[0].ravel(), args[1].ravel()]), args[2]
        return (args[:3],) if build is lorenz else args[: 2 if build is logistic else 1]

    forms = {f.__name__: f for f in (rosenbrock, logistic, lorenz, nbody)}
    return {name: functools.partial(compiled, f) for name, f in forms.items()}
