"""`for` over everything that one loops over; break, continue, else; accumulation."""

import numpy as np

from tests.language.corpus import program
from tests.language.data import F32, M23, M32, M33, M34, P3, P4, T234, V3, V4, V5, V6, W3, W4, X32


@program([(V4, 0.7), (V5, -1.2), (F32, X32)], analytic=True)
def horner(a, x):
    y = 0.0
    for k in range(len(a)):
        y = y * x + a[k]
    return y


@program([(V4,), (V6,), (F32,)], analytic=True)
def sum_of_items(x):
    total = 0.0
    for xi in x:
        total += xi * xi
    return total


@program([(V4,), (V5,)], analytic=True)
def product_of_items(x):
    p = 1.0
    for i in range(x.shape[0]):
        p *= x[i]
    return p


@program([(V3, 3), (V4, 5)], analytic=True)
def accumulate_arrays(x, n):
    total = np.zeros(len(x))
    for k in range(1, n + 1):
        total = total + x**k / k
    return np.sum(total * total)


@program([(V3, W3), (0.3, 0.8)], analytic=True)
def accumulate_from_float(x, y):
    total = 0.0
    for k in range(4):
        total = total + np.sin(k * x) * y
    return np.sum(total)


@program([(M33,), (M23,)], analytic=True)
def rows(a):
    total = 0.0
    for row in a:
        total += np.sum(row) ** 2
    return total


@program([(M23, M32), (M33, M33)], analytic=True)
def triple_loop_matmul(a, b):
    n, m = a.shape
    p = b.shape[1]
    total = 0.0
    for i in range(n):
        for j in range(p):
            c = 0.0
            for k in range(m):
                c += a[i, k] * b[k, j]
            total += c * c
    return total


@program([(0.7, 5), (1.1, 3)], analytic=True)
def nonlinear_recurrence(x, n):
    y = x
    for _ in range(n):
        y = np.sin(y) * x + y
    return y


@program([(0.7, 0), (V3, 0)], analytic=True)
def loop_that_does_not_run(x, n):
    y = np.sum(x * x)
    for k in range(n):
        y = y * x * k
    return y


@program([(V5,), (V4,)], analytic=True)
def enumerated(x):
    total = 0.0
    for i, xi in enumerate(x):
        total += (i + 1) * xi**2
    return total


@program([(V5,), (V4,)], analytic=True)
def enumerated_from(x):
    total = 1.0
    for i, xi in enumerate(x, start=2):
        total *= xi + i
    return total


@program([(V3, W3), (V4, W4)], analytic=True)
def zipped(x, y):
    total = 0.0
    for a, b in zip(x, y):
        total += a * b * (a - b)
    return total


@program([(V3, W4, P3)], analytic=True)
def zipped_unequal_lengths(x, y, z):
    total = 0.0
    for i, (a, b, c) in enumerate(zip(x, y, z)):
        total += a * b * c * i + b**2
    return total


@program([(V4, 0.7), (V5, 1.2)], analytic=True)
def reversed_items(a, x):
    y = 0.0
    for c in reversed(a):
        y = y * x + c
    return y


@program([(V4, 0.7)], analytic=True)
def reversed_range(a, x):
    y = 0.0
    for k in reversed(range(len(a))):
        y = y * x + a[k]
    for k in range(len(a) - 1, -1, -2):
        y = y * a[k]
    return y


@program([(V5,)], analytic=True)
def reversed_slice(x):
    y = 1.0
    for xi in x[::-1]:
        y = np.sin(y) + xi * y
    return y


@program([(0.7, 1.3)], analytic=True)
def over_a_tuple(x, y):
    total = 0.0
    for v in (x, y, x * y, 2.0):
        total += v**2 * x
    return total


@program([(0.7, 1.3)], analytic=True)
def over_a_list_of_tuples(x, y):
    total = 0.0
    for weight, v in [(1.0, x), (y, x * y), (0.5, y)]:
        total += weight * np.sin(v)
    return total


@program([([0.7, 1.3, -0.4],), ((0.7, 1.3),), ([V3, W3],)])
def over_a_list_argument(items):
    total = 0.0
    for item in items:
        total = total + np.sum(item**2)
    return total


@program([({"a": 0.7, "b": 1.3},), ({"w": V3, "b": 0.4, "v": M23},)], analytic=True)
def over_dict_items(parameters):
    total = 0.0
    for name, value in parameters.items():
        weight = 2.0 if name == "b" else 1.0
        total += weight * np.sum(value**2)
    return total


@program([({"a": 0.7, "b": 1.3},)], analytic=True)
def over_dict_keys_and_values(parameters):
    total = 0.0
    for name in parameters:
        total += parameters[name] ** 3
    for value in parameters.values():
        total = total * value
    for name in sorted(parameters.keys()):
        total = total + parameters[name]
    return total


@program([([(M33, V3), (M23, np.array([0.2, -0.6]))], W3)], analytic=True)
def over_layers(layers, x):
    for w, b in layers:
        x = np.tanh(w @ x + b)
    return np.sum(x**2)


@program([(V5, 0.5), (V4, 1.0), (V3, 5.0)])
def with_break(x, limit):
    total = 0.0
    for xi in x:
        total += xi * xi
        if total > limit:
            break
    return total * limit


@program([(V5,), (P4,)])
def with_continue(x):
    total = 1.0
    for xi in x:
        if xi < 0:
            continue
        total = total * (1 + xi)
    return total


@program([(V5,), (P4,)])
def with_break_and_continue(x):
    y = x[0]
    for i in range(1, len(x)):
        if x[i] < 0:
            y = y * 2
            continue
        y = y * x[i] + 1
        if y > 2.2:
            y = y * y
            break
        y = np.sin(y) + x[i]
    return y


@program([(V5, 1.0), (V5, 50.0)])
def with_else(x, limit):
    total = 0.0
    for xi in x:
        total += xi * xi
        if total > limit:
            found = total * xi
            break
    else:
        found = total - 3 * limit
    return found * found


@program([(M33, 0.9), (M34, 0.5), (M23, 20.0)])
def break_of_inner_loop(a, limit):
    total = 0.0
    for i in range(a.shape[0]):
        partial = 0.0
        for j in range(a.shape[1]):
            partial += a[i, j] ** 2
            if partial > limit:
                break
        else:
            partial = partial * 0.5
        total += partial * partial
    return total


@program([(M34, 1.5), (M33, 0.6)])
def break_out_of_both(a, limit):
    total = 1.0
    done = False
    for row in a:
        for v in row:
            total = total + v * v * total
            if total > limit:
                done = True
                break
        if done:
            break
    return total


@program([(V5,)], analytic=True)
def loop_variable_used_after(x):
    for i in range(3):
        y = x[i] * x[i + 1]
    return y * x[i] * i


@program([(V5,)], analytic=True)
def item_used_after(x):
    for xi in x:
        z = xi * xi
    return z * xi


@program([(V4, 0.3)], analytic=True)
def loop_local_value_used_after(x, a):
    total = 0.0
    last = a
    for xi in x:
        last = np.sin(xi * a)
        total += last * xi
    return total + last**2


@program([(0.4, 1.2, 6)], analytic=True)
def fibonacci(a, b, n):
    for _ in range(n):
        a, b = b, a + b * 0.5
    return a * b


@program([(0.4, 1.2, 4)], analytic=True)
def two_coupled_variables(x, v, n):
    dt = 0.1
    for step in range(n):
        v = v - dt * np.sin(x) * x
        x = x + dt * v
    return x**2 + v**2


@program([(V4,)], analytic=True)
def prefix_sums(x):
    s = 0.0
    total = 0.0
    for i in range(len(x)):
        s += x[i]
        total += s * s
    return total


@program([(V5,)], analytic=True)
def pairs(x):
    n = len(x)
    energy = 0.0
    for i in range(n):
        for j in range(i + 1, n):
            r = x[i] - x[j]
            energy += 1 / (1 + r * r)
    return energy


@program([(V4, 3)], analytic=True)
def nested_loop_carried(x, n):
    y = 0.3
    for i in range(n):
        z = y
        for j in range(len(x)):
            z = z * x[j] + np.cos(z)
        y = y + 0.1 * z * y
    return y


@program([(T234,)], analytic=True)
def three_dimensional_iteration(t):
    total = 0.0
    for page in t:
        for row in page:
            total += row[0] * np.sum(row**2)
    return total


@program([(V3, 3)], analytic=True)
def loop_of_array_updates(u, steps):
    for _ in range(steps):
        u = u - 0.1 * np.sin(u) * u
    return np.sum(u**2)


@program([(V6, 4)], analytic=True)
def explicit_heat(u, steps):
    for _ in range(steps):
        inner = u[1:-1] + 0.2 * (u[2:] - 2 * u[1:-1] + u[:-2])
        u = np.concatenate(([0.0], inner, [0.0]))
    return np.sum(u * u)


@program([(0.8, [1, 2, 4])], wrt=0, analytic=True)
def over_list_of_integers(x, powers):
    total = 0.0
    for p in powers:
        total += x**p / p
    return total


@program([(0.8,)], analytic=True)
def over_arange_and_linspace(x):
    total = 0.0
    for t in np.arange(4):
        total += x**2 * t
    for t in np.linspace(0.0, 1.0, 3):
        total += np.sin(x * t)
    return total


@program([(0.8, "abca")], wrt=0, analytic=True)
def over_characters(x, text):
    y = x
    for letter in text:
        if letter == "a":
            y = y * x
        else:
            y = np.sin(y)
    return y


@program([(V4,)])
def running_maximum(x):
    best = x[0]
    for xi in x[1:]:
        if xi > best:
            best = xi
    return best * best


@program([(M33, V3)], analytic=True)
def zip_of_rows(a, b):
    total = 0.0
    for row, bi in zip(a, b):
        total += (row @ b - bi) ** 2
    return total


@program([(V5,)], analytic=True)
def zip_with_shifted_self(x):
    return sum_of_products(x[:-1], x[1:])


def sum_of_products(x, y):
    total = 0.0
    for a, b in zip(x, y):
        total += a * b
    return total


@program([(0.7, 1.3)], analytic=True)
def dead_iteration(x, y):
    z = x * y
    for i in range(4):
        unused = z * i
        z = z * x
        z = z + y
    return z


@program([(0.7, 1.3)])
def overwritten_in_every_iteration(x, y):
    z = x
    total = 0.0
    for i in range(4):
        z = y * i
        total = total + z * x
        z = 5.0
    return total * z


@program([(0.7, 1.3)])
def reset_inside_loop(x, y):
    total = 1.0
    for i in range(4):
        total = total * x
        if i == 2:
            total = y
    return total


@program([(V3, W3)], analytic=True)
def alias_across_iterations(x, y):
    previous = x
    current = y
    for _ in range(3):
        following = 0.5 * current * previous + current
        previous = current
        current = following
    return np.sum(current * previous)


@program([(V4, 2)], wrt=0, analytic=True)
def range_with_step_and_start(x, start):
    total = 0.0
    for i in range(start - 1, len(x), start):
        total += x[i] ** 2 * i
    return total


@program([(V4,)], analytic=True)
def range_bound_changed_inside(x):
    n = len(x)
    total = 1.0
    for i in range(n):
        n = n - 1
        total = total * x[i] + n
    return total


@program([(V4,)], analytic=True)
def loop_variable_overwritten(x):
    total = 1.0
    for i in range(3):
        i = i + 1
        total = total * x[i]
    return total * i
