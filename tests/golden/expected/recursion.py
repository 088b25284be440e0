# Derivative of recursion (calls.py:77), written by autodiff.


def power_by_squaring_vjp(x, n):
    """Value and pullback of power_by_squaring (calls.py:70) with respect to x."""
    # Forward sweep
    if n == 0:
        result = 1.0
    else:
        half, power_by_squaring_pullback = power_by_squaring_vjp(x, n // 2)
        if n % 2:
            half_times_half = half * half
            result = half_times_half * x
        else:
            result = half * half

    def pullback(result_bar):
        # Reverse sweep
        if n == 0:
            x_bar = 0.0
        else:
            if n % 2:
                # return half * half * x if n % 2 else half * half
                x_bar = result_bar * half_times_half
                half_bar = 2.0 * (result_bar * x) * half
            else:
                # return half * half * x if n % 2 else half * half
                half_bar = 2.0 * result_bar * half
                x_bar = 0.0
            # half = power_by_squaring(x, n // 2)
            (x_bar_part,) = power_by_squaring_pullback(half_bar)
            x_bar += x_bar_part
        return (x_bar,)

    return result, pullback


def recursion_grad(x, n):
    """Gradient of recursion (calls.py:77) with respect to x."""
    # Forward sweep
    power_by_squaring_value, power_by_squaring_pullback = power_by_squaring_vjp(x, n)

    # Reverse sweep
    # return power_by_squaring(x, n) + x
    (x_bar_part,) = power_by_squaring_pullback(1.0)
    return 1.0 + x_bar_part
