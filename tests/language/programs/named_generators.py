"""Generators and iterators that get a name; variables that are called like helpers."""

import numpy as np

from tests.language.corpus import program

V3 = np.array([0.7, -1.3, 0.4])


@program([(V3,)])
def generator_summed(x):
    squares = (v * v for v in x)
    return sum(squares)


@program([(V3,)])
def generator_with_a_test(x):
    positive = (v * v for v in x if v > 0)
    return max(positive)


@program([(V3,)])
def generator_over_pairs(x):
    products = (a * b for a, b in zip(x, x[1:]))
    weighted = (k * w for k, w in enumerate(products, 1))
    return sum(weighted)


@program([(V3,)])
def generator_in_a_loop(x):
    total = 0.0
    for k in range(1, 4):
        powers = (v**k for v in x)
        total += sum(powers) * k
    return total


@program([(V3,)])
def generator_looped_over(x):
    squares = (v * v for v in x)
    total = 0.0
    for square in squares:
        total = total * x[0] + square
    return total


@program([(V3,)])
def generator_taken_apart(x):
    parts = (np.sum(x[: i + 1]) for i in range(len(x)))
    a, b, c = parts
    return a * b * c


@program([(V3,)])
def generator_given_to_a_helper(x):
    def folded(items):
        total = 1.0
        for v in items:
            total = total * (1.0 + v)
        return total

    squares = (v * v for v in x)
    return folded(squares)


@program([(V3,)], refusable=True)
def generator_read_twice(x):
    squares = (v * v for v in x)
    return sum(squares) + sum(squares)


@program([(V3,)], refusable=True)
def generator_read_late(x):
    k = 2.0
    scaled = (k * v for v in x)
    k = x[0]
    return sum(scaled) * k


@program([(V3,)], refusable=True)
def generator_over_what_changes(x):
    y = x.copy()
    squares = (v * v for v in y)
    y[0] = 5.0 * x[1]
    return sum(squares)


@program([(V3,)], refusable=True)
def generator_read_on(x):
    squares = (v * v for v in x)
    for v in squares:
        if v > 1.0:
            break
    total = v
    for w in squares:
        total += 10.0 * w
    return total


@program([(V3,)])
def variable_of_a_generator(x):
    i = 5.0
    terms = (i * v * v for i, v in enumerate(x))
    return sum(terms) * i


@program([(V3,)])
def enumerated_before_the_loop(x):
    pairs = enumerate(zip(x, x[::-1]), start=2)
    total = 0.0
    for i, (a, b) in pairs:
        total += a * a * b * i
    return total


@program([(V3,)])
def variables_called_like_helpers(sequence):
    zip_length, *rest = sequence
    inserted = zip_length * sum(rest)
    for k, (zip_item, is_sequence) in enumerate(zip(sequence, reversed(sequence))):
        inserted = inserted * zip_item + is_sequence * k
    return inserted


@program([(V3,)])
def helper_in_a_function_with_such_a_variable(x):
    sequence = x[0] * 2.0

    def weighted(v):
        total = 0.0
        for k, w in enumerate(v):
            total = total + w * w * k
        return total

    return weighted(x) * sequence + sum(w * w for w in x)


@program([([[0.7, 0.2], [0.4, 0.5]],)])
def rows_called_like_helpers(xs):
    zip_rows = []
    for sequence in zip(*xs):
        zip_rows.append(sum(sequence) ** 2)
    return sum(zip_rows)


@program([(V3,)])
def names_of_generated_code(x):
    tape = x * x
    Tape = tape.sum()
    unbroadcast = np.ones((3, 1)) * tape
    zeros_like = {"np_2": unbroadcast, "x_bar": Tape}
    orderless = [zeros_like["x_bar"]]
    return orderless[0] * np.sum(zeros_like["np_2"] * x)
