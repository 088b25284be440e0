"""Every public function of the covered libraries is ruled, nondifferentiable, or listed here."""

import builtins
import math
import warnings

import numpy as np
import pytest

from autodiff.rules import registry

# Have a derivative, and no rule yet.
MISSING = {
    np: """
        apply_along_axis apply_over_axes asarray_chkfinite block corrcoef cov
        cumulative_prod fill_diagonal geomspace gradient histogram
        histogram2d histogramdd i0 insert logspace matvec nancumprod
        nanmedian nanpercentile nanquantile
        piecewise poly polyadd polyder polydiv polyfit polyint polymul polysub
        require roots sort_complex trim_zeros unique unique_all unique_counts
        unique_inverse unique_values vecmat asmatrix bmat intersect1d setdiff1d setxor1d union1d
        cumproduct msort product alltrue sometrue in1d round_
    """,
    np.linalg: """
        cond lstsq tensorinv tensorsolve
    """,
    np.fft: """
        fft fft2 fftn fftshift hfft ifft ifft2 ifftn ifftshift ihfft irfft irfft2 irfftn rfft
        rfft2 rfftn
    """,
    math: "",
    builtins: "filter map getattr iter next zip enumerate reversed dict set frozenset super",
}

# Functions of text, files, dates, bits, windows, settings and memory, which no float passes
# through; and those that write to an argument, which is the compiler's business.
OUTSIDE = {
    np: """
        array2string array_repr array_str array_ufunc bartlett base_repr binary_repr
        bitwise_count blackman busday_count busday_offset common_type compare_chararrays copyto
        datetime_as_string datetime_data einsum_path fastCopyAndTranspose find_common_type
        format_float_positional format_float_scientific from_dlpack frombuffer fromfile fromiter
        fromfunction frompyfunc fromregex fromstring genfromtxt get_array_wrap get_include
        get_printoptions getbufsize geterr geterrcall geterrobj hamming hanning
        histogram_bin_edges info is_busday isdtype isfortran isnat issctype issubclass_
        issubdtype issubsctype iterable kaiser load loadtxt maximum_sctype may_share_memory
        min_scalar_type mintypecode nested_iters obj2sctype packbits place printoptions
        promote_types put put_along_axis putmask recfromcsv recfromtxt safe_eval save savetxt
        savez savez_compressed sctype2char set_numeric_ops set_printoptions set_string_function
        setbufsize seterr seterrcall seterrobj shares_memory show_config show_runtime source test
        typename mat unpackbits who add_docstring add_newdoc add_newdoc_ufunc asfarray byte_bounds
        cast deprecate deprecate_with_doc disp lookfor tracemalloc_domain
    """,
    np.linalg: "test",
    np.fft: "fftfreq rfftfreq test",
    math: "",
    builtins: """
        aiter anext breakpoint bytearray classmethod compile copyright credits delattr eval exec
        exit globals help license locals memoryview property quit setattr staticmethod vars
    """,
}


# Deprecated in NumPy 2, where other functions have taken their place.
DEPRECATED = {"row_stack", "trapz"}


def public(module):
    """The public functions of a module by name."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = {
            name: getattr(module, name, None)
            for name in dir(module)
            if name[0] != "_" and name not in DEPRECATED
        }
    if module is not builtins:
        found = {name: f for name, f in found.items() if not isinstance(f, type)}
    return {
        name: function
        for name, function in found.items()
        if callable(function)
        and not (isinstance(function, type) and issubclass(function, BaseException))
    }


def known(function):
    return registry.rule_for(function) is not None or registry.is_nondifferentiable(function)


@pytest.mark.parametrize("module", MISSING, ids=lambda module: module.__name__)
def test_every_function_is_accounted_for(module):
    registry.load()
    listed = set(MISSING[module].split()) | set(OUTSIDE[module].split())
    functions = public(module)
    assert sorted(n for n, f in functions.items() if not known(f) and n not in listed) == []


@pytest.mark.parametrize("module", MISSING, ids=lambda module: module.__name__)
def test_the_lists_are_up_to_date(module):
    registry.load()
    functions = public(module)
    listed = [*MISSING[module].split(), *OUTSIDE[module].split()]
    assert len(listed) == len(set(listed))
    assert [name for name in listed if name in functions and known(functions[name])] == []


def test_rules_cover_what_was_promised():
    ruled = [name for name, f in public(np).items() if registry.rule_for(f) is not None]
    assert len(ruled) > 160
