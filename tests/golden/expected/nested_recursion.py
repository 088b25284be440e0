# Derivative of nested_recursion (calls.py:82), written by autodiff.

import numpy as np


def refine_vjp(k, lo, hi, tol):
    """Value and pullback of refine (calls.py:87) with respect to k."""
    # Forward sweep
    mid = 0.5 * (lo + hi)
    coarse = (hi - lo) * np.exp(-k * mid)
    product = 0.5 * (hi - lo)
    product_2 = 0.5 * (lo + mid)
    integrand_value = np.exp(-k * product_2)
    product_3 = 0.5 * (mid + hi)
    integrand_value_2 = np.exp(-k * product_3)
    fine = product * (integrand_value + integrand_value_2)
    branch = abs(fine - coarse) < tol
    if branch:
        result = fine
    else:
        refine_k, refine_pullback_2 = refine_vjp(k, lo, mid, 0.5 * tol)
        refine_k_2, refine_pullback = refine_vjp(k, mid, hi, 0.5 * tol)
        result = refine_k + refine_k_2

    def pullback(result_bar):
        # Reverse sweep
        if branch:
            fine_bar = result_bar
            k_bar = 0.0
        else:
            # return refine(lo, mid, 0.5 * tol) + refine(mid, hi, 0.5 * tol)
            (k_bar_part,) = refine_pullback(result_bar)
            (k_bar_part_2,) = refine_pullback_2(result_bar)
            k_bar = k_bar_part + k_bar_part_2
            fine_bar = 0.0
        # fine = 0.5 * (hi - lo) * (integrand(0.5 * (lo + mid)) + integrand(0.5 * (mid + hi)))
        total_bar = fine_bar * product
        # return np.exp(-k * t)
        k_bar -= total_bar * integrand_value_2 * product_3
        k_bar -= total_bar * integrand_value * product_2
        return (k_bar,)

    return result, pullback


def nested_recursion_grad(k):
    """Gradient of nested_recursion (calls.py:82) with respect to k."""
    # Forward sweep
    result, refine_pullback = refine_vjp(k, 0.0, 2.0, 0.001)

    # Reverse sweep
    # return refine(0.0, 2.0, 1e-3)
    (k_bar_part,) = refine_pullback(1.0)
    return k_bar_part
