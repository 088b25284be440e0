# Derivative of recomputed_layers (checkpoints.py:26), written by autodiff.

from autodiff.runtime import Tape
from tests.golden.cases.checkpoints import residual_block


def recomputed_layers_grad(x, weight):
    """Gradient of recomputed_layers (checkpoints.py:26) with respect to x, weight."""
    tape = Tape()

    # Forward sweep
    for _ in range(3):
        x_new = residual_block(x, weight)
        tape.push((x, x_new))
        x = x_new

    # Reverse sweep
    # return np.sum(x**2)
    x_bar = 2 * x
    weight_bar = 0.0
    for x, x_new in reversed(tape):
        # x = residual_block(x, weight)
        x_bar_2, weight_bar_2 = residual_block.adjoints(
            x_bar, x_new, x, weight, wrt=("x", "weight")
        )
        weight_bar += weight_bar_2
        x_bar = x_bar_2
    return x_bar.copy(), weight_bar
