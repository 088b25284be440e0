# Derivative of list_changed_by_index (memory.py:195), written by autodiff.

from autodiff.runtime import Slot, Tape, shadow


def list_changed_by_index_grad(x, n):
    """Gradient of list_changed_by_index (memory.py:195) with respect to x."""
    tape = Tape()

    # Forward sweep
    dp = [0.0] * (n + 1)
    dp_bar = shadow(dp)
    dp[0] = x
    x_slot = Slot()
    dp_bar[0] = x_slot
    for i in range(1, n + 1):
        dp_i_minus_1 = dp[i - 1]
        dp_i_minus_1_slot = dp_bar[i - 1]
        dp[i] = dp_i_minus_1 * x + i
        product_plus_i_slot = Slot()
        dp_bar[i] = product_plus_i_slot
        tape.push((dp_i_minus_1, dp_i_minus_1_slot, product_plus_i_slot))
    result_slot = dp_bar[n]

    # Reverse sweep
    # return dp[n]
    result_slot.value += 1.0
    x_bar = 0.0
    for dp_i_minus_1, dp_i_minus_1_slot, product_plus_i_slot in reversed(tape):
        # dp[i] = dp[i - 1] * x + i
        product_plus_i_bar = product_plus_i_slot.value
        x_bar += product_plus_i_bar * dp_i_minus_1
        dp_i_minus_1_slot.value += product_plus_i_bar * x
    # dp[0] = x
    x_bar += x_slot.value
    return x_bar
