# Derivative of recursion (calls.py:77), written by autodiff.


def power_by_squaring_vjp(x, n):
    """Value and pullback of power_by_squaring (calls.py:70) with respect to x."""
    # Forward sweep
    if n == 0:
        result = 1.0
    else:
        half, half_pullback = power_by_squaring_vjp(x, n // 2)
        if n % 2:
            result = half * half * x
        else:
            result = half * half

    def pullback(result_bar):
        # Reverse sweep
        if n == 0:
            x_bar = 0.0
        else:
            if n % 2:
                # return half * half * x if n % 2 else half * half
                x_bar = result_bar * (half * half)
                half_bar = 2.0 * (result_bar * x) * half
            else:
                x_bar = 0.0
                # return half * half * x if n % 2 else half * half
                half_bar = 2.0 * result_bar * half
            # half = power_by_squaring(x, n // 2)
            (x_2_bar,) = half_pullback(half_bar)
            x_bar += x_2_bar
        return (x_bar,)

    return result, pullback


def recursion_grad(x, n):
    """Gradient of recursion (calls.py:77) with respect to x."""
    # Forward sweep
    _, power_by_squaring_pullback = power_by_squaring_vjp(x, n)

    # Reverse sweep
    # return power_by_squaring(x, n) + x
    (x_bar,) = power_by_squaring_pullback(1.0)
    return 1.0 + x_bar
