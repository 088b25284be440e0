# Derivative of list_append (containers.py:36), written by autodiff.


def list_append_grad(x, n):
    """Gradient of list_append (containers.py:36) with respect to x."""
    # Forward sweep
    terms = []
    for k in range(n):
        terms.append(x**k / (k + 1.0))

    # Reverse sweep
    # return sum(terms)
    terms_bar = [1.0] * len(terms)
    x_bar = 0.0
    for k in reversed(range(n)):
        # terms.append(x**k / (k + 1.0))
        x_bar += terms_bar.pop() / (k + 1.0) * (k * x ** (1.0 if k == 0 else k - 1))
    return x_bar
