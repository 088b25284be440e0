# Derivative of nested_recursion (calls.py:82), written by autodiff.

import numpy as np


def refine_vjp(lo, hi, tol, k):
    """Value and pullback of refine (calls.py:87) with respect to k."""
    # Forward sweep
    mid = 0.5 * (lo + hi)
    coarse = (hi - lo) * np.exp(-k * mid)
    product = 0.5 * (hi - lo)
    product_2 = 0.5 * (lo + mid)
    result = np.exp(-k * product_2)
    product_3 = 0.5 * (mid + hi)
    result_2 = np.exp(-k * product_3)
    fine = product * (result + result_2)
    condition = abs(fine - coarse) < tol
    if condition:
        result_3 = fine
    else:
        refine, refine_pullback = refine_vjp(lo, mid, 0.5 * tol, k)
        refine_2, refine_pullback_2 = refine_vjp(mid, hi, 0.5 * tol, k)
        result_3 = refine + refine_2

    def pullback(result_bar):
        # Reverse sweep
        if condition:
            fine_bar = result_bar
            k_bar = 0.0
        else:
            # return refine(lo, mid, 0.5 * tol) + refine(mid, hi, 0.5 * tol)
            (k_bar,) = refine_pullback_2(result_bar)
            (k_2_bar,) = refine_pullback(result_bar)
            fine_bar = 0.0
            k_bar += k_2_bar
        # fine = 0.5 * (hi - lo) * (integrand(0.5 * (lo + mid)) + integrand(0.5 * (mid + hi)))
        result_plus_result_bar = fine_bar * product
        # return np.exp(-k * t)
        minus_k_bar = result_plus_result_bar * result_2 * product_3
        return (k_bar - minus_k_bar - result_plus_result_bar * result * product_2,)

    return result_3, pullback


def nested_recursion_grad(k):
    """Gradient of nested_recursion (calls.py:82) with respect to k."""
    # Forward sweep
    _, result_pullback = refine_vjp(0.0, 2.0, 0.001, k)

    # Reverse sweep
    # return refine(0.0, 2.0, 1e-3)
    (k_bar,) = result_pullback(1.0)
    return k_bar
