"""Names that a test asks for their type and that its branches assign again; masked arrays apart."""

import numpy as np

from tests.language.corpus import program
from tests.language.data import V3

TINY = 1e-15


def not_zero(value):
    return float(np.copysign(max(TINY, abs(value)), value))


@program([(0.7,), (V3,)])
def number_or_array_assigned_where_it_is_tested(x):
    y = 1.0 - np.exp(-x)
    if isinstance(y, (int, float)):
        y = not_zero(y)
    else:
        y[np.where(abs(y) <= TINY)] = TINY
    return np.sum(x / y)


@program([(V3,)], refusable=True)  # before NumPy 2.4 `float` of an array of one is a number
def tested_in_a_loop_and_assigned_again(x):
    y = x
    for _ in range(3):
        if isinstance(y, float):
            y = float(y)
        else:
            y = y * x
            y[y > 2.0] = 0.5
    return np.sum(y)


def deviation(data, axis=None, func=None, ignore=False):
    """The median absolute deviation, as astropy writes it."""
    if func is None:
        if isinstance(data, np.ma.MaskedArray):
            is_masked = True
            func = np.ma.median
            if ignore:
                data = np.ma.masked_where(np.isnan(data), data)
        elif ignore:
            is_masked = False
            func = np.nanmedian
        else:
            is_masked = False
            func = np.median
    else:
        is_masked = None
    data = np.asanyarray(data)
    middle = func(data, axis=axis)
    if axis is not None:
        middle = np.expand_dims(middle, axis=axis)
    result = func(np.abs(data - middle), axis=axis, overwrite_input=True)
    if axis is None and np.ma.isMaskedArray(result):
        result = result.item()
    elif np.ma.isMaskedArray(result) and not is_masked:
        result = result.filled(fill_value=np.nan)
    return result


@program([(np.array([0.3, 0.4, 0.55, 0.9, 1.3, 0.2]),)])
def biweight_location(data, c=6.0, middle=None, axis=None):
    data = np.asanyarray(data).astype(np.float64)
    if middle is None:
        middle = np.median(data, axis=axis)
    if axis is not None:
        middle = np.expand_dims(middle, axis=axis)
    d = data - middle
    spread = deviation(data, axis=axis)
    if np.ndim(spread) == 0 and (spread == 0.0 or np.isnan(spread)):
        return middle.squeeze(axis=axis)
    u = d / (c * spread)
    mask = np.abs(u) >= 1
    u = (1 - u**2) ** 2
    u[mask] = 0
    return middle + np.sum(d * u, axis=axis) / np.sum(u, axis=axis)


@program([(np.array([0.3, 0.45, 0.55, 0.9, 1.3]),)])
def median_that_overwrites_what_is_new(x):
    return np.median(np.abs(x - np.median(x)), overwrite_input=True) * np.sum(x**2)


@program([(np.array([0.9, 0.45, 0.55, 0.3, 1.3]),)], refusable=True)
def median_that_overwrites_what_is_read_again(x):
    y = x * x
    m = np.median(y, overwrite_input=True)
    return m * np.sum(y * np.arange(5.0))


@program([(np.array([0.9, 0.45, 0.55, 0.3, 1.3]),)], refusable=True)
def median_that_overwrites_an_argument(x):
    m = np.median(x, overwrite_input=True)
    return m * np.sum(x * np.arange(5.0))


M45 = np.random.default_rng(3).normal(size=(4, 5))


@program([(M45,)], refusable=True)
def medians_along_two_axes_that_overwrite(x):
    y = np.abs(x)
    a = np.median(y, axis=0, overwrite_input=True)
    b = np.median(y, axis=1, overwrite_input=True)  # of columns that are in order
    return np.sum(a**2) + np.sum(b**3)


@program([(M45,)], refusable=True)
def quantiles_in_a_loop_that_overwrite(x):
    y = x * 1.0
    s = 0.0
    for k in range(2):
        s = s + np.sum(np.quantile(y, 0.3, axis=k, overwrite_input=True) ** 2)
    return s


@program([(np.array([0.9, 0.45, 0.55, 0.3, 1.3]),)], refusable=True)
def median_that_overwrites_a_buffer(x):
    buffer = np.empty(5)
    y = np.abs(x, out=buffer)
    m = np.median(y, overwrite_input=True)
    return m * np.sum(buffer * np.arange(5.0))


@program([(np.array([0.9, 0.45, 0.55, 0.3, 1.3]),), (np.array([0.1, 0.45, 0.55, 0.3, 1.3]),)])
def median_of_one_branch_that_overwrites(x):
    y = np.abs(x)
    if x[0] > 0.5:
        m = np.median(y, overwrite_input=True)
    else:
        m = np.quantile(y, 0.3, overwrite_input=True)
    return m * np.sum(x)


@program([(V3,)])
def array_itself_of_what_may_be_masked(x):
    if np.ma.isMaskedArray(x):
        return 0.0
    return np.sum(np.ma.getdata(x) ** 2)


@program([(V3,)])
def mask_of_what_may_be_masked(x):
    return np.sum(np.where(np.ma.getmaskarray(x), 0.0, x) ** 2)
