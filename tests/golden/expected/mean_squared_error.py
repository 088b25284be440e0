# Derivative of mean_squared_error (arrays.py:54), written by autodiff.


def mean_squared_error_grad(w, inputs, targets):
    """Gradient of mean_squared_error (arrays.py:54) with respect to w."""
    # Reverse sweep
    return inputs.T @ (2.0 / len(targets) * (inputs @ w - targets))
