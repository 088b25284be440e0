"""Text that is made when a function runs; slices of lists that are replaced; paths that end with an
error, and what is read from text on paths that are not taken.
"""

from __future__ import annotations

import pytest

from autodiff import grad
from autodiff.errors import UnsupportedSyntaxError
from tests.core.judge import MODES, Verdict, judge, programs

SCALE = [1.5]


def a_list_of_texts_joined(x, a):
    names = []
    if x > 100:
        names.append("a")
    if a > 100:
        names.append("b")
    if len(names) > 0:
        raise ValueError("missing " + ",".join(names))
    return x * a


def lists_in_a_format(x, a):
    items = [x, 2.0]
    for k in range(3):
        items.append(x * k)
    text = "{} and {:>3}".format(items, a)  # noqa: UP032
    return x * len(text.split("and")) * a


def what_an_error_says(x, a):
    try:
        if x > 100:
            raise ValueError("big", a)
    except ValueError as error:
        print("An error: {}".format(error.args[-1]))  # noqa: UP032
        raise
    return SCALE[0] * x * a


def a_form_that_is_found_later(x, a, n=3):
    form = "{:." + str(n) + "f}"
    q = float(form.format(2.0)) + len(form.strip("{}").split("."))
    q = q + form.startswith("{") + form.find(":")
    if form.upper().isdigit():
        q = q + 1
    return x * q * a


def beside_other_text(x, a, n=3):
    if x > 100:
        raise ValueError(f"{x} is too large")
    form = "{:." + str(n) + "f}"
    return sum(x * float(form.format(k / 3)) for k in range(n)) * a


def methods_of_text(x, a):
    own = str(3) if x > 0.5 else str(44)
    text = own.rjust(4, "0") + own.replace("4", "pq rs").title()
    return x * len(text) * int(own) + text.count("0") * a


def parts_of_text(x, a):
    text = "Z12"
    table = {text[1:]: x}
    own = str(12) if x > 0.5 else str(345)
    n = int(own[1:]) + len(own[-1]) + len(own[::2])
    k = 1 if x > 0.5 else 2
    return table["12"] * n * a * int(own[k]) * int(own[:k])


def an_index_behind_a_text(x, a):
    own = str(12) if x > 0.5 else str(345)
    try:
        c = own[2]
    except IndexError:
        c = "7"
    try:
        d = "ab"[5:] + "ab"[7]
    except IndexError:
        d = "8"
    return x * a * int(c) * int(d)


class Lens:
    def __init__(self, *args, **rest):
        self.terms = {}
        given = {}
        for key, value in rest.items():
            if key[0].lower() == "z" and key[1].isnumeric():
                self.terms[int(key[1:])] = value
            else:
                given[key] = value
        self.set(**given)

    def set(self, n=3, dx=1.0):
        self.n, self.dx = n, dx


def numbers_in_the_names_of_arguments(x, a):
    lens = Lens(Z4=x, Z11=a, n=4)
    return lens.terms[4] * lens.terms[11] * lens.n


def members_of_lists(x, a):
    total = 0.0
    for k in range(4):
        if k in [1, 3]:
            total = total + x * k
    if str(len(SCALE)) in ["7", "1"]:
        total = total * a
    return total * a


def a_table_by_several_keys(x, a, n=3):
    table = {}
    found = table.get((n, x), None)
    if found is None:
        table[(n, 1.5)] = a
    return table.get((n, 1.5), x) * x


def spaced(first, last, n):
    if abs(first - last) < 1e-7:
        return [first]
    return [float("{:.3f}".format(first + k * (last - first) / n)) for k in range(n)]  # noqa: UP032


def slices_replaced(x, a):
    table = {"w": []}
    table["w"][:] = []
    table["w"][:] = [x, 2 * a]
    d = [1.0, x, x * a, 3.0]
    d[1:3] = [x * 3]
    d[::2] = [x, a]
    del d[:1]
    return d[0] * d[1] * table["w"][1]


def slices_replaced_on_a_path(x, a):
    d = [1.0, x, x * a, 3.0]
    if x > 0.5:
        d[1:3] = [x * 3, 2.0]
    else:
        d[:] = [x]
    return d[0] * d[-1] * len(d)


def slices_replaced_in_a_loop(x, a, n=3):
    d = [1.0, x, x * a, 3.0]
    for k in range(n):
        d[:] = [x * k, d[0]]
    return d[0] * d[-1] * len(d)


def a_slice_of_a_list_by_the_list(x, a):
    d = [1.0, x, x * a]
    d[1:1] = d
    del d[::2]
    return d[0] * d[1] * d[-1]


def a_slice_of_another_length(x, a):
    d = [1.0, x, a]
    try:
        d[::2] = [x]
    except ValueError:
        d[0] = a
    return d[0] * d[1]


FOLLOWED = (a_table_by_several_keys, slices_replaced_on_a_path, slices_replaced_in_a_loop)
PROGRAMS = [
    pytest.param(own, marks=[pytest.mark.followed] * (own in FOLLOWED))
    for own in programs(globals())
]


@pytest.mark.parametrize("function", PROGRAMS)
def test_is_right(function):
    points = [(0.7, 0.4), (0.3, 1.2)]
    assert judge(function, points, ("x", "a"), (*MODES, "jvp")) == Verdict("right")


def rounded(x):
    return sum(spaced(x, 2.0, 3)) * x


def not_made(x):
    return sum(spaced(x, x, 3)) * x


def test_a_number_that_is_read_from_text_is_refused_where_it_is():
    with pytest.raises(UnsupportedSyntaxError, match="a number that is read from text"):
        grad(rounded)(0.3)
    assert grad(not_made)(0.3) == 0.6


def test_an_error_says_what_it_says():
    with pytest.raises(ValueError, match="missing a\n"):
        grad(a_list_of_texts_joined)(200.0, 1.0)
    with pytest.raises(ValueError, match="big"):
        grad(what_an_error_says)(200.0, 1.0)
