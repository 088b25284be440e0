# Derivative of list_changed_by_index (memory.py:195), written by autodiff.


def list_changed_by_index_grad(x, n):
    """Gradient of list_changed_by_index (memory.py:195) with respect to x."""
    # Forward sweep
    found = []
    found_bar = []
    for _ in range(n + 1):
        found.append(0.0)
        found_bar.append(0.0)
    found[0] = x
    for i in range(1, n + 1):
        found[i] = found[i - 1] * x + i

    # Reverse sweep
    # return dp[n]
    found_bar[n] += 1.0
    x_bar = 0.0
    for i in reversed(range(1, n + 1)):
        # dp[i] = dp[i - 1] * x + i
        product_plus_i_bar = found_bar[i]
        found_bar[i] = 0.0
        found_bar[i - 1] += product_plus_i_bar * x
        x_bar += product_plus_i_bar * found[i - 1]
    # dp[0] = x
    found_bar_0 = found_bar[0]
    found_bar[0] = 0.0
    for _ in reversed(range(n + 1)):
        # found.append(item)
        found_bar.pop()
    return x_bar + found_bar_0
