"""Functions and classes of SciPy without a rule, by their own source or a run that is
followed: `python -m tests.rules.taken` writes those of which calls agree with differences.
"""

TAKEN: dict[str, str] = {
    "scipy.signal": """
        band_stop_obj bessel bilinear bilinear_zpk bode butter buttord cheb1ap cheb1ord cheb2ap
        cheb2ord cheby1 cheby2 chirp closest_STFT_dual_window coherence cont2discrete cspline1d czt
        czt_points dbode decimate deconvolve dfreqresp dimpulse dlsim dstep ellip ellipap ellipord
        envelope find_peaks firls firwin firwin2 firwin_2d freqresp freqs freqs_zpk freqz freqz_sos
        freqz_zpk gammatone gauss_spline gausspulse group_delay hilbert2 iircomb iirdesign iirfilter
        iirnotch iirpeak impulse invres invresz kaiser_atten kaiser_beta kaiserord lfiltic
        lombscargle lp2bp lp2bp_zpk lp2bs lp2bs_zpk lp2hp lp2hp_zpk lp2lp lp2lp_zpk lsim
        minimum_phase normalize order_filter peak_prominences peak_widths qspline1d resample
        resample_poly residue residuez savgol_coeffs sos2tf sos2zpk sosfilt_zi sosfiltfilt sosfreqz
        spectrogram spline_filter ss2tf ss2zpk step sweep_poly tf2sos tf2ss tf2zpk unique_roots
        vectorstrength wiener zoom_fft zpk2sos zpk2ss zpk2tf
    """,
    "scipy.special": """
        assoc_laguerre
    """,
    "scipy.linalg": """
        cdf2rdf diagsvd eigvalsh_tridiagonal expm_cond orthogonal_procrustes rsf2csf
    """,
    "scipy.integrate": """
        cumulative_simpson fixed_quad romb
    """,
    "scipy.interpolate": """
        Akima1DInterpolator BPoly BSpline BarycentricInterpolator CubicHermiteSpline
        FloaterHormannInterpolator InterpolatedUnivariateSpline KroghInterpolator
        LSQUnivariateSpline NdBSpline PPoly PchipInterpolator RBFInterpolator Rbf
        RectBivariateSpline RegularGridInterpolator UnivariateSpline approximate_taylor_polynomial
        barycentric_interpolate griddata insert interpn krogh_interpolate lagrange make_lsq_spline
        make_smoothing_spline make_splprep make_splrep pade pchip_interpolate spalde splantider
        splder splprep splrep sproot
    """,
    "scipy.optimize": """
        approx_fprime linear_sum_assignment rosen rosen_der rosen_hess_prod
    """,
    "scipy.spatial": """
        Delaunay distance_matrix geometric_slerp minkowski_distance minkowski_distance_p procrustes
    """,
    "scipy.spatial.distance": """
        braycurtis chebyshev cityblock correlation cosine euclidean mahalanobis minkowski seuclidean
        sqeuclidean
    """,
    "scipy.spatial.transform": """
        Rotation
    """,
    "scipy.sparse": """
        block_array block_diag bmat bsr_array bsr_matrix csc_array csc_matrix csr_array csr_matrix
        dia_array dia_matrix diags diags_array dok_array dok_matrix find hstack kron kronsum
        lil_array lil_matrix spdiags tril triu vstack
    """,
    "scipy.sparse.linalg": """
        LinearOperator aslinearoperator expm_multiply factorized inv lsmr lsqr matrix_power norm
        splu spsolve_triangular
    """,
    "scipy.sparse.csgraph": """
        laplacian
    """,
    "scipy.stats": """
        alexandergovern alpha anderson anglit ansari arcsine argus bartlett beta betaprime boxcox
        boxcox_llf bradford brunnermunzel burr burr12 cauchy chi chi2 chisquare circmean circstd
        circvar combine_pvalues cosine cramervonmises_2samp crystalball describe dgamma
        differential_entropy directional_stats dirichlet dpareto_lognorm dweibull energy_distance
        epps_singleton_2samp erlang expectile expon exponnorm exponpow exponweib f f_oneway
        false_discovery_control fatiguelife fisk foldcauchy foldnorm gamma gausshyper gaussian_kde
        genexpon genextreme gengamma genhalflogistic genlogistic gennorm genpareto gibrat gompertz
        gumbel_l gumbel_r gzscore halfcauchy halfgennorm halflogistic halfnorm hypsecant invgamma
        invgauss invweibull iqr irwinhall jarque_bera jf_skew_t johnsonsb johnsonsu kappa3 kappa4
        kendalltau kruskal ks_2samp kstat kstatvar kurtosistest laplace laplace_asymmetric levene
        levy levy_l linregress lmoment loggamma logistic loglaplace lognorm loguniform lomax
        mannwhitneyu matrix_normal maxwell median_abs_deviation mielke mode moment mood moyal
        multinomial multivariate_normal multivariate_t nakagami norm normaltest norminvgauss
        obrientransform pareto pearson3 pearsonr pmean pointbiserialr power_divergence powerlaw
        powerlognorm powernorm quantile ranksums rayleigh rdist recipinvgauss reciprocal
        rel_breitwigner rice scoreatpercentile semicircular sigmaclip skewcauchy skewnorm skewtest
        spearmanr t theilslopes tmax tmean tmin trapezoid triang trim1 trimboth truncexpon truncnorm
        truncpareto truncweibull_min tsem tstd ttest_1samp ttest_ind ttest_ind_from_stats ttest_rel
        tukeylambda tvar uniform vonmises vonmises_fisher vonmises_line wald wasserstein_distance
        weibull_max weibull_min wilcoxon wishart wrapcauchy yeojohnson yeojohnson_llf zmap
    """,
}
