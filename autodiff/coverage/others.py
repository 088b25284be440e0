"""What other libraries have: the names by which the table in `docs/functions.md` is compared.

AUTOGRAD: functions with a rule, or written with such ones, of autograd 1.9.1. JAX: all public
functions, with a derivative or without, of jax 0.10.2. Only what NumPy 2.4 and SciPy 1.17 have.
"""

from __future__ import annotations

VERSIONS = "autograd 1.9.1, JAX 0.10.2"

AUTOGRAD: dict[str, str] = {
    "numpy": """
        abs absolute acos acosh add amax amin angle append arccos arccosh arcsin arcsinh arctan
        arctan2 arctanh array array_split asin asinh astype atan atan2 atanh atleast_1d atleast_2d
        atleast_3d broadcast_to clip column_stack concatenate conj conjugate cos cosh cross cumsum
        deg2rad degrees diag diagonal diff divide dot dsplit einsum exp exp2 expand_dims expm1 fabs
        fliplr flipud fmax fmin full gradient hsplit hstack hypot imag inner kron linspace log log10
        log1p log2 logaddexp logaddexp2 matmul max maximum mean min minimum mod moveaxis multiply
        nan_to_num negative outer pad partition permute_dims pow power prod rad2deg radians ravel
        real real_if_close reciprocal remainder repeat reshape roll rollaxis rot90 row_stack select
        sin sinc sinh sort split sqrt square squeeze stack std subtract sum swapaxes tan tanh
        tensordot tile trace transpose tril triu true_divide var vsplit vstack where
    """,
    "numpy.linalg": """
        cholesky det eig eigh inv norm pinv slogdet solve svd
    """,
    "numpy.fft": """
        fft fft2 fftn fftshift ifft ifft2 ifftn ifftshift irfft irfft2 irfftn rfft rfft2 rfftn
    """,
    "scipy.special": """
        beta betainc betaln digamma erf erfc erfcinv erfinv expit gamma gammainc gammaincc gammaln
        gammasgn i0 i1 iv ive j0 j1 jn logit logsumexp multigammaln polygamma psi rgamma y0 y1 yn
    """,
    "scipy.linalg": """
        solve_banded solve_sylvester solve_triangular sqrtm
    """,
    "scipy.signal": """
        convolve
    """,
    "scipy.integrate": """
        odeint
    """,
}

JAX: dict[str, str] = {
    "numpy": """
        abs absolute acos acosh add all allclose amax amin angle any append apply_along_axis
        apply_over_axes arange arccos arccosh arcsin arcsinh arctan arctan2 arctanh argmax argmin
        argpartition argsort argwhere around array array_equal array_equiv array_repr array_split
        array_str asarray asin asinh astype atan atan2 atanh atleast_1d atleast_2d atleast_3d
        average bartlett bincount bitwise_and bitwise_count bitwise_invert bitwise_left_shift
        bitwise_not bitwise_or bitwise_right_shift bitwise_xor blackman block broadcast_arrays
        broadcast_shapes broadcast_to can_cast cbrt ceil choose clip column_stack compress concat
        concatenate conj conjugate convolve copy copysign corrcoef correlate cos cosh count_nonzero
        cov cross cumprod cumsum cumulative_prod cumulative_sum deg2rad degrees delete diag
        diag_indices diag_indices_from diagflat diagonal diff digitize divide divmod dot dsplit
        dstack ediff1d einsum einsum_path empty empty_like equal exp exp2 expand_dims expm1 extract
        eye fabs fill_diagonal flatnonzero flip fliplr flipud float_power floor floor_divide fmax
        fmin fmod frexp from_dlpack frombuffer fromfile fromfunction fromiter frompyfunc fromstring
        full full_like gcd geomspace get_printoptions gradient greater greater_equal hamming hanning
        heaviside histogram histogram2d histogram_bin_edges histogramdd hsplit hstack hypot i0
        identity imag indices inner insert interp intersect1d invert isclose iscomplex iscomplexobj
        isdtype isfinite isin isinf isnan isneginf isposinf isreal isrealobj isscalar issubdtype
        iterable ix_ kaiser kron lcm ldexp left_shift less less_equal lexsort linspace load log
        log10 log1p log2 logaddexp logaddexp2 logical_and logical_not logical_or logical_xor
        logspace mask_indices matmul matrix_transpose matvec max maximum mean median meshgrid min
        minimum mod modf moveaxis multiply nan_to_num nanargmax nanargmin nancumprod nancumsum
        nanmax nanmean nanmedian nanmin nanpercentile nanprod nanquantile nanstd nansum nanvar ndim
        negative nextafter nonzero not_equal ones ones_like outer packbits pad partition percentile
        permute_dims piecewise place poly polyadd polyder polydiv polyfit polyint polymul polysub
        polyval positive pow power printoptions prod promote_types ptp put put_along_axis quantile
        rad2deg radians ravel ravel_multi_index real reciprocal remainder repeat reshape resize
        result_type right_shift rint roll rollaxis roots rot90 round save savez searchsorted select
        set_printoptions setdiff1d setxor1d shape sign signbit sin sinc sinh size sort sort_complex
        spacing split sqrt square squeeze stack std subtract sum swapaxes take take_along_axis tan
        tanh tensordot tile trace transpose trapezoid tri tril tril_indices tril_indices_from
        trim_zeros triu triu_indices triu_indices_from true_divide trunc union1d unique unique_all
        unique_counts unique_inverse unique_values unpackbits unravel_index unstack unwrap vander
        var vdot vecdot vecmat vectorize vsplit vstack where zeros zeros_like
    """,
    "numpy.linalg": """
        cholesky cond cross det diagonal eig eigh eigvals eigvalsh inv lstsq matmul matrix_norm
        matrix_power matrix_rank matrix_transpose multi_dot norm outer pinv qr slogdet solve svd
        svdvals tensordot tensorinv tensorsolve trace vecdot vector_norm
    """,
    "numpy.fft": """
        fft fft2 fftfreq fftn fftshift hfft ifft ifft2 ifftn ifftshift ihfft irfft irfft2 irfftn
        rfft rfft2 rfftfreq rfftn
    """,
    "scipy.special": """
        bernoulli beta betainc betaln boxcox boxcox1p comb dawsn digamma entr erf erfc erfcx erfinv
        exp1 expi expit expn factorial fresnel gamma gammainc gammaincc gammaln gammasgn hyp1f1
        hyp2f1 i0 i0e i1 i1e kl_div log_ndtr log_softmax loggamma logit logsumexp multigammaln ndtr
        ndtri owens_t poch polygamma rel_entr sici softmax spence sph_harm_y wofz xlog1py xlogy zeta
    """,
    "scipy.linalg": """
        block_diag cho_factor cho_solve cholesky circulant companion convolution_matrix det dft eigh
        eigh_tridiagonal expm expm_frechet fiedler fiedler_companion funm hadamard hankel helmert
        hessenberg hilbert inv invhilbert invpascal leslie lu lu_factor lu_solve pascal polar qr
        qr_multiply rsf2csf schur solve solve_sylvester solve_triangular sqrtm svd toeplitz
    """,
    "scipy.fft": """
        dct dctn idct idctn
    """,
    "scipy.signal": """
        convolve convolve2d correlate correlate2d csd detrend fftconvolve istft stft welch
    """,
    "scipy.integrate": """
        trapezoid
    """,
}
