"""Rules are expanded once: what one function calls an object is not what others call it."""

import math
import math as log_2

from autodiff import grad


def renamed(x):
    return log_2.sin(x) * log_2.log(x)


def plain(x):
    return math.sin(x) * math.log(x)


def test_names_stay_in_their_function():
    expected = math.cos(0.7) * math.log(0.7) + math.sin(0.7) / 0.7
    assert abs(grad(renamed)(0.7) - expected) < 1e-14
    text = grad(plain).source_for(0.7)
    assert "log_2" not in text
    assert abs(grad(plain)(0.7) - expected) < 1e-14
