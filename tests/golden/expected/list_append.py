# Derivative of list_append (containers.py:36), written by autodiff.

from autodiff.runtime import add_items, unbroadcast


def list_append_grad(x, n):
    """Gradient of list_append (containers.py:36) with respect to x."""
    # Forward sweep
    terms = []
    terms_bar = []
    for k in range(n):
        terms.append(x**k / (k + 1.0))
        terms_bar.append(0.0)

    # Reverse sweep
    # return sum(terms)
    add_items(terms_bar, [unbroadcast(1.0, like=item) for item in terms])
    x_bar = 0.0
    for k in reversed(range(n)):
        # terms.append(x**k / (k + 1.0))
        x_pow_k_over_total_bar = terms_bar.pop()
        scaled = x_pow_k_over_total_bar / (k + 1.0)
        x_bar += scaled * (k * x ** (1.0 if k == 0 else k - 1))
    return float(x_bar)
