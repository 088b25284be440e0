# Derivative of restored_pullback (memory.py:187), written by autodiff.

from autodiff.runtime import Tape, duplicates


def restored_pullback_vjp(x):
    """Value and pullback of restored_pullback (memory.py:187) with respect to x."""
    tape = Tape()

    # Forward sweep
    y = x.copy()
    for _ in range(3):
        y_kept = y[1:].copy()
        y[1:] = y[1:] * y[:-1]
        tape.push(y_kept)
    value = y.copy()

    def pullback(y_bar, y=y, tape=tape):
        y, tape = duplicates(y, tape)

        # Reverse sweep
        y_bar = y_bar.copy()
        for _ in reversed(range(3)):
            y_kept = tape.pop()
            # y[1:] = y[1:] * y[:-1]
            product_bar = y_bar[1:].copy()
            y_bar[1:] = 0.0
            y[1:] = y_kept
            y_value_bar = product_bar * y[:-1]
            y_bar[:-1] += product_bar * y[1:]
            y_bar[1:] += y_value_bar
        return (y_bar,)

    return value, pullback
