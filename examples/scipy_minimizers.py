"""Second derivatives for the minimizers of SciPy: `jac`, `hess` and `hessp`.

    python examples/scipy_minimizers.py            # --source prints the generated code

A chain of 20 masses hangs between two nails; its links resist when they are stretched. The rest
position is the minimum of the energy, which is badly conditioned: stiff along the links, soft
across. Four methods look for it, each given the derivatives that it asks for. The last line
compares the energies that the first and the last of them find.
"""

from __future__ import annotations

import sys

import numpy as np
from scipy.optimize import minimize

from autodiff import grad, hessian, hvp, value_and_grad

MASSES, LENGTH, STIFFNESS = 20, 0.08, 200.0


def energy(flat):
    """Of the places of all masses, between nails at (0, 0) and (1, 0)."""
    places = np.zeros((MASSES + 2, 2))
    places[1:-1] = flat.reshape(MASSES, 2)
    places[-1, 0] = 1.0
    links = places[1:] - places[:-1]
    stretch = np.sqrt(np.sum(links**2, axis=1)) - LENGTH
    return np.sum(places[:, 1]) / MASSES + 0.5 * STIFFNESS * np.sum(stretch**2)


def start():
    """A triangle."""
    x = np.linspace(0.0, 1.0, MASSES + 2)[1:-1]
    return np.stack([x, -np.minimum(x, 1.0 - x)], axis=1).ravel()


def main():
    derivatives = {
        "L-BFGS-B": {"jac": grad(energy), "options": {"maxiter": 5000, "maxfun": 20000}},
        "Newton-CG": {"jac": grad(energy), "hessp": hvp(energy)},
        "trust-exact": {"jac": grad(energy), "hess": hessian(energy)},
        "trust-krylov": {"jac": grad(energy), "hessp": hvp(energy)},
    }
    found = []
    for method, given in derivatives.items():
        fit = minimize(energy, start(), method=method, **given)
        found.append(fit)
        norm = np.linalg.norm(fit.jac)
        print(f"{method:12}: {fit.nit:4d} steps, energy {fit.fun:.9f}, gradient {norm:.1e}")
    if "--source" in sys.argv:
        print(value_and_grad(energy).source_for(start()))
    sag = -np.min(found[-1].x[1::2])
    print(f"the chain hangs {sag:.4f} deep")
    print(f"energy: {found[-1].fun:.8f} (expected {found[0].fun:.8f})")


if __name__ == "__main__":
    main()
