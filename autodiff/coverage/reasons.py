"""Public functions that need no rule, by module: the reason, and the names it holds for.

A name may stand here that the installed version of a library lacks.
"""

from __future__ import annotations

WRITES = "writes into an argument: the compiler takes it apart into stores"
TAKES_FUNCTIONS = "takes functions or iterates: the compiler writes it out as plain Python"
CHAINS = "a chain: the compiler writes it out as a loop"

COMPILED: dict[str, dict[str, str]] = {
    "numpy": {
        WRITES: "copyto fill_diagonal place put put_along_axis putmask",
        TAKES_FUNCTIONS: "apply_along_axis apply_over_axes piecewise",
    },
    "numpy.ndarray": {WRITES: "fill partition put sort"},
    "numpy.ufunc": {
        WRITES: """
            add.at arctan2.at copysign.at divide.at float_power.at fmax.at fmin.at fmod.at
            heaviside.at hypot.at logaddexp.at logaddexp2.at maximum.at minimum.at multiply.at
            nextafter.at power.at remainder.at subtract.at
        """,
        CHAINS: """
            arctan2.accumulate arctan2.reduce arctan2.reduceat copysign.accumulate copysign.reduce
            copysign.reduceat divide.reduceat float_power.accumulate float_power.reduce
            float_power.reduceat fmod.accumulate fmod.reduce fmod.reduceat heaviside.accumulate
            heaviside.reduce heaviside.reduceat hypot.reduceat nextafter.accumulate
            nextafter.reduce nextafter.reduceat power.accumulate power.reduce power.reduceat
            remainder.accumulate remainder.reduce remainder.reduceat subtract.reduceat
        """,
    },
    "builtins": {
        TAKES_FUNCTIONS: "enumerate filter getattr iter map next reversed super zip",
        "a container that the compiler follows": "dict",
    },
}

OUTSIDE: dict[str, dict[str, str]] = {
    "numpy": {
        "dtypes, formats and settings": """
            array_ufunc asfarray base_repr binary_repr byte_bounds cast common_type
            find_common_type format_float_positional format_float_scientific get_array_wrap
            get_include get_printoptions getbufsize geterr geterrcall geterrobj info isdtype
            isfortran issctype issubclass_ issubdtype issubsctype iterable maximum_sctype
            min_scalar_type mintypecode obj2sctype promote_types sctype2char set_numeric_ops
            set_printoptions set_string_function setbufsize seterr seterrcall seterrobj
            show_config show_runtime typename
        """,
        "files and text": """
            array2string array_repr array_str disp frombuffer fromfile fromregex fromstring
            genfromtxt load loadtxt lookfor printoptions recfromcsv recfromtxt save savetxt savez
            savez_compressed
        """,
        "bits, dates and characters": """
            bitwise_count busday_count busday_offset compare_chararrays datetime_as_string
            datetime_data is_busday isnat packbits unpackbits
        """,
        "depends on integers only": "bartlett blackman hamming hanning",
        "about memory or about the library itself": """
            add_docstring add_newdoc add_newdoc_ufunc deprecate deprecate_with_doc einsum_path
            fastCopyAndTranspose from_dlpack may_share_memory nested_iters safe_eval shares_memory
            source test tracemalloc_domain who
        """,
        "np.matrix is not an array": "asmatrix bmat mat",
        "makes a function, or calls one for every element": "fromfunction frompyfunc",
    },
    "numpy.ndarray": {
        "about memory, bytes and files": """
            base byteswap ctypes data device dump dumps flags getfield itemsize nbytes newbyteorder
            setfield setflags strides to_device tobytes tofile tostring view
        """,
        "changes the size of its own memory": "resize",
        "an iterator; use ravel": "flat",
        "obsolete": "itemset",
    },
    "numpy.linalg": {"tests of NumPy": "test"},
    "numpy.fft": {"tests of NumPy": "test"},
    "scipy.special": {
        "depends on integers only": """
            ai_zeros bei_zeros beip_zeros ber_zeros bernoulli berp_zeros bi_zeros c_roots cg_roots
            erf_zeros euler factorial factorial2 factorialk fresnel_zeros fresnelc_zeros
            fresnels_zeros h_roots he_roots j_roots jn_zeros jnjnp_zeros jnp_zeros jnyn_zeros
            js_roots kei_zeros keip_zeros kelvin_zeros ker_zeros kerp_zeros l_roots la_roots p_roots
            ps_roots roots_chebyc roots_chebys roots_chebyt roots_chebyu roots_gegenbauer
            roots_genlaguerre roots_hermite roots_hermitenorm roots_jacobi roots_laguerre
            roots_legendre roots_sh_chebyt roots_sh_chebyu roots_sh_jacobi roots_sh_legendre s_roots
            stirling2 t_roots ts_roots u_roots us_roots y0_zeros y1_zeros y1p_zeros yn_zeros
            ynp_zeros
        """,
        "makes a polynomial, an object; the eval_... functions have rules": """
            chebyc chebys chebyt chebyu gegenbauer genlaguerre hermite hermitenorm jacobi laguerre
            legendre sh_chebyt sh_chebyu sh_jacobi sh_legendre
        """,
        "in a shape or a count, in which no function of SciPy gives a slope": """
            bdtrik bdtrin btdtria btdtrib chdtriv chndtridf fdtridfd gdtrib nbdtrik nbdtrin
            ncfdtridfd ncfdtridfn nctdtridf pdtrik stdtridf
        """,
        "no function of SciPy gives a slope": """
            ellip_harm ellip_harm_2 ellip_normal mathieu_even_coef mathieu_odd_coef
        """,
        "settings, and tests of SciPy": "geterr seterr test",
    },
    "scipy.linalg": {
        "depends on integers only": """
            dft hadamard helmert hilbert invhilbert invpascal pascal clarkson_woodruff_transform
        """,
        "about matrices, or access to LAPACK": """
            find_best_blas_type get_blas_funcs get_lapack_funcs
        """,
        "one of several factors; eigh, eig, qr, svd, cholesky, lu have derivatives": """
            cossin eig_banded ldl ordqz qr_delete qr_insert qr_update qz
        """,
        "calls a function whose derivatives it would need: expm, sqrtm ... have rules": "funm",
    },
    "scipy.fft": {
        "depends on integers only, or settings": """
            fhtoffset get_workers register_backend set_backend set_global_backend set_workers
            skip_backend
        """,
    },
    "scipy.ndimage": {
        "calls a function for each element or part: call it for windows, places or parts": """
            generic_filter generic_filter1d generic_gradient_magnitude generic_laplace
            geometric_transform labeled_comprehension vectorized_filter
        """,
        "of parts: np.median(x[labels == k])": "median",
    },
    "scipy.signal": {
        "depends on integers only": "besselap buttap max_len_seq unit_impulse",
        "exchanges points until no better ones are found: firls, firwin2 have derivatives": "remez",
        "one of many gains with the same poles": "place_poles",
    },
    "scipy.integrate": {
        "calls a function as often as it likes: write the steps, or a rule with adjoint": """
            cubature nsum qmc_quad tanhsinh
        """,
        "depends on integers only": "lebedev_rule newton_cotes",
    },
    "scipy.interpolate": {
        "surfaces near values choose knots in a plane: use s=0, or RBFInterpolator": """
            BivariateSpline LSQBivariateSpline LSQSphereBivariateSpline RectSphereBivariateSpline
            SmoothBivariateSpline SmoothSphereBivariateSpline bisplev bisplrep
        """,
        "chooses points, or knots": "AAA generate_knots",
        "polynomials in several coordinates, in C: use NdBSpline": "NdPPoly",
        "obsolete": "interp2d",
    },
    "scipy.optimize": {
        "what a search is told, or tells": """
            BFGS Bounds HessianUpdateStrategy InverseJacobian LbfgsInvHessProduct OptimizeResult
            NonlinearConstraint RootResults SR1 linprog_verbose_callback show_options
        """,
        "a search; minimize and root have rules, by any method": """
            BroydenFirst KrylovJacobian anderson basinhopping bracket broyden1 broyden2 brute
            check_grad diagbroyden excitingmixing fmin_cobyla fmin_l_bfgs_b fmin_ncg fmin_slsqp
            fmin_tnc line_search linearmixing newton_krylov
        """,
        "whole numbers": "milp quadratic_assignment",
        "in C: minimize has constraints": "isotonic_regression",
        "writes through a view of a diagonal: hessian of rosen": "rosen_hess",
    },
    "scipy.sparse": {
        "about matrices, or files": """
            get_index_dtype issparse isspmatrix isspmatrix_bsr isspmatrix_coo isspmatrix_csc
            isspmatrix_csr isspmatrix_dia isspmatrix_dok isspmatrix_lil load_npz
            safely_cast_index_arrays save_npz sparray spmatrix
        """,
        "depends on no float": "eye eye_array identity rand random random_array",
        "of more than two axes, or none: .T, reshape": "expand_dims permute_dims swapaxes",
    },
    "scipy.sparse.csgraph": {
        "chooses paths, trees or pairs: add up what it chooses": """
            bellman_ford breadth_first_order breadth_first_tree connected_components
            depth_first_order depth_first_tree dijkstra floyd_warshall johnson
            maximum_bipartite_matching maximum_flow min_weight_full_bipartite_matching
            minimum_spanning_tree reconstruct_path reverse_cuthill_mckee shortest_path
            structural_rank yen
        """,
        "graphs as matrices: use csr_array": """
            construct_dist_matrix csgraph_from_dense csgraph_from_masked csgraph_masked_from_dense
            csgraph_to_dense csgraph_to_masked
        """,
    },
    "scipy.sparse.linalg": {
        "about matrices, or settings": "is_sptriangular spbandwidth use_solver",
        "an estimate: use splu, norm": "onenormest spilu",
        "tests what is small, as it goes: expm_multiply, or linalg.expm": "expm",
        "made by splu": "SuperLU",
        "holds no float": "LaplacianNd",
        "calls a function of a matrix": "funm_multiply_krylov",
    },
    "scipy.spatial": {
        "pictures": "convex_hull_plot_2d delaunay_plot_2d voronoi_plot_2d",
        "classes in C: ConvexHull and KDTree have rules": """
            HalfspaceIntersection SphericalVoronoi Voronoi
        """,
        "places alone": "Rectangle tsearch",
    },
    "scipy.spatial.distance": {
        "of truth values, or counts": """
            dice hamming is_valid_dm is_valid_y jaccard num_obs_dm num_obs_y rogerstanimoto
            russellrao sokalmichener sokalsneath yule kulczynski1
        """,
        "chooses a pair, in C: np.max(np.min(cdist(u, v), axis=1))": "directed_hausdorff",
    },
    "scipy.spatial.transform": {
        "objects in C: Rotation and Slerp have rules": "RigidTransform RotationSpline",
    },
    "scipy.stats": {
        "draws samples, or exchanges them": """
            BootstrapMethod MonteCarloMethod PermutationMethod bootstrap bws_test goodness_of_fit
            monte_carlo_test multiscale_graphcorr ortho_group permutation_test power
            random_correlation random_table sobol_indices special_ortho_group uniform_direction
            unitary_group
        """,
        "counts, or compares counts": """
            barnard_exact binned_statistic binned_statistic_2d binned_statistic_dd binomtest
            boschloo_exact chi2_contingency cumfreq ecdf fisher_exact logrank median_test
            page_trend_test percentileofscore poisson_means_test quantile_test rankdata relfreq
            tiecorrect CensoredData
        """,
        "of ranks, or of what is sorted: constant between jumps": """
            anderson_ksamp chatterjeexi fligner friedmanchisquare siegelslopes somersd spearmanrho
            weightedtau
        """,
        "searches for parameters: minimize -logpdf(data, ...).sum()": """
            bayes_mvs boxcox_normplot dunnett fit mvsdist ppcc_max ppcc_plot probplot shapiro
            tukey_hsd yeojohnson_normplot
        """,
        "asks a distribution that is given by name, or a function": """
            cramervonmises ks_1samp kstest wasserstein_distance_nd
        """,
        "makes distributions: those with names have rules": """
            Binomial Covariance Logistic Mixture Normal Uniform abs exp log make_distribution
            order_statistic rv_continuous rv_discrete rv_histogram truncate
        """,
        "whole numbers, and counts as shapes, in C": """
            betabinom betanbinom boltzmann dirichlet_multinomial dlaplace hypergeom logser
            multivariate_hypergeom nchypergeom_fisher nchypergeom_wallenius nhypergeom planck
            poisson_binom randint skellam yulesimon zipf zipfian
        """,
        "densities in C, of which no function of SciPy gives a slope": """
            genhyperbolic geninvgauss invwishart ksone kstwo kstwobign landau levy_stable matrix_t
            ncf nct ncx2 normal_inverse_gamma studentized_range
        """,
    },
    "builtins": {
        "of the interpreter": """
            aiter anext breakpoint compile copyright credits delattr eval exec exit globals help
            license locals quit setattr vars
        """,
        "classes that hold no float": "bytearray memoryview set frozenset",
        "decorators": "classmethod property staticmethod",
    },
}
