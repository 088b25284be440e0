# Derivative of restored_pullback (memory.py:187), written by autodiff.

from autodiff.runtime import Tape, duplicates


def restored_pullback_vjp(x):
    """Value and pullback of restored_pullback (memory.py:187) with respect to x."""
    tape = Tape()

    # Forward sweep
    y = x.copy()
    for _ in range(3):
        tape.push(y[1:].copy())
        y[1:] *= y[:-1]

    def pullback(y_bar, y=y):
        (y,) = duplicates(y)

        # Reverse sweep
        y_bar = y_bar.copy()
        for y_kept in reversed(tape):
            # y[1:] = y[1:] * y[:-1]
            y[1:] = y_kept
            product_bar = y_bar[1:].copy()
            y_bar[1:] = 0.0
            y_bar[:-1] += product_bar * y[1:]
            y_bar[1:] += product_bar * y[:-1]
        return (y_bar,)

    return y.copy(), pullback
