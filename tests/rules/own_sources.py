"""Calls of functions that have no rule, and are differentiated through their own source.

`CALLS` has by module and name the functions to differentiate and their arguments; a name that
`autodiff.coverage.taken.TAKEN` counts stands here, or in `more_sources.py`.
"""

import numpy as np
import scipy
from scipy import integrate, linalg, signal, special

RNG = np.random.default_rng(13)
X = RNG.uniform(0.3, 1.9, 30)
LONG = RNG.uniform(0.3, 1.9, 60)
TABLE = RNG.uniform(0.3, 1.9, (14, 3))
IMAGE = RNG.uniform(0.3, 1.9, (40, 30))
B, A = signal.butter(2, 0.3)
B = B * np.array([1.0, 0.8, 1.2])  # whose zeros are simple
SECTIONS = np.array([[0.2, 0.3, 0.05, 1, 0.3, 0.1], [0.4, 0.1, -0.2, 1, -0.2, 0.3]])
FEW, ONE = X[:2], np.array([1.0])
POLES = np.array([-1.0, -2.0, -3.5])
BELOW = np.array([1.0, 2.0, 3.5])
STATE, INPUT, OUTPUT, NONE = TABLE[:2, :2] * 0.3, np.eye(2, 1), np.eye(1, 2), np.zeros((1, 1))
RADIANS = np.array([0.1, 0.5, 1.1])
TIMES = np.linspace(0.0, 2.0, 30)
PULSES = np.array([0.1, 0.5, 1.0, 0.2, 0.6, 0.4, 0.9, 0.15, 0.3, 0.0])
TAPS = np.array([1.0, 0.3, 0.2, 0.5, 2.3])
EDGES, BAND, LEVELS = (
    np.array([0.2, 0.5]),
    np.array([0.0, 0.3, 0.5, 1.0]),
    np.array([1, 0.9, 0.2, 0.1]),
)


def state_space(a):
    return a, INPUT, OUTPUT, NONE


DESIGN = {
    "bessel": [(lambda w: signal.bessel(3, w), 0.3)],
    "butter": [
        (lambda w: signal.butter(3, w), 0.3),
        (lambda w: signal.butter(3, w, "bandpass"), EDGES),
        (lambda w: signal.butter(4, w, "high", fs=100.0, output="sos"), 20.0),
        (lambda w: signal.butter(3, w, "bandstop", analog=True, output="zpk"), EDGES),
    ],
    "buttord": [(lambda w, g: signal.buttord(w, 0.5, g, 40.0)[1], 0.3, 3.0)],
    "cheb1ap": [(lambda r: signal.cheb1ap(4, r), 1.0)],
    "cheb2ap": [(lambda r: signal.cheb2ap(4, r), 30.0)],
    "ellipap": [(lambda r, s: signal.ellipap(4, r, s), 1.0, 30.0)],
    "cheb1ord": [(lambda w: signal.cheb1ord(w, 0.5, 3.0, 40.0)[1], 0.3)],
    "cheb2ord": [(lambda w: signal.cheb2ord(w, 0.5, 3.0, 40.0)[1], 0.3)],
    "ellipord": [(lambda w: signal.ellipord(w, 0.5, 3.0, 40.0)[1], 0.3)],
    "cheby1": [(lambda r, w: signal.cheby1(3, r, w), 1.0, 0.3)],
    "cheby2": [(lambda r, w: signal.cheby2(3, r, w), 30.0, 0.3)],
    "ellip": [(lambda r, s, w: signal.ellip(3, r, s, w), 1.0, 30.0, 0.3)],
    "iirfilter": [(lambda w, r: signal.iirfilter(3, w, r, 40.0, ftype="cheby1"), EDGES, 1.0)],
    "iirdesign": [(lambda w: signal.iirdesign(w, 0.5, 1.0, 40.0), 0.3)],
    "iirnotch": [(lambda w, q: signal.iirnotch(w, q), 0.3, 30.0)],
    "iirpeak": [(lambda w, q: signal.iirpeak(w, q), 0.3, 30.0)],
    "iircomb": [(lambda q: signal.iircomb(0.25, q), 30.0)],
    "gammatone": [
        (lambda f: signal.gammatone(f, "iir", fs=100.0), 20.0),
        (lambda f: signal.gammatone(f, "fir", fs=100.0), 20.0),
    ],
    "band_stop_obj": [
        (
            lambda w: signal.band_stop_obj(
                w, 0, EDGES + 0.1, EDGES + [0.15, 0.05], 1, 40, "butter"
            ),
            0.21,
        )
    ],
    "firwin": [
        (lambda c: signal.firwin(9, c), 0.3),
        (lambda c, b: signal.firwin(9, c, window=("kaiser", b), pass_zero=False), EDGES, 5.0),
        (lambda w: signal.firwin(8, 0.3, width=w, scale=False), 0.4),
    ],
    "firwin2": [(lambda g: signal.firwin2(9, BAND, g), LEVELS)],
    "firls": [(lambda g: signal.firls(9, BAND, g), LEVELS)],
    "minimum_phase": [(lambda h: signal.minimum_phase(h), TAPS)],
    "kaiser_atten": [(lambda w: signal.kaiser_atten(9, w), 0.3)],
    "kaiser_beta": [(lambda a: signal.kaiser_beta(a), a) for a in (10.0, 30.0, 60.0)],
    "kaiserord": [(lambda r: signal.kaiserord(r, 0.3)[1], 30.0)],
    "savgol_coeffs": [(lambda t: signal.savgol_coeffs(5, 2, deriv=1, delta=t), 0.3)],
    "get_window": [
        (lambda b: signal.get_window(("kaiser", b), 9), 5.0),
        (lambda b: signal.get_window(("gaussian", b), 9, False), 2.0),
        (lambda p, s: signal.get_window(("general_gaussian", p, s), 9), 1.5, 2.0),
        (lambda t: signal.get_window(("tukey", t), 9), 0.4),
        (lambda a: signal.get_window(("general_hamming", a), 9), 0.6),
        (lambda a: signal.get_window(("chebwin", a), 9), 60.0),
    ],
}

FORMS = {
    "normalize": [(lambda b, a: signal.normalize(b, a), B, A)],
    "bilinear": [(lambda b, a: signal.bilinear(b, a, 2.0), B, A)],
    "bilinear_zpk": [(lambda z, k: signal.bilinear_zpk(z, POLES, k, 2.0), FEW, 0.7)],
    **{
        name: [(lambda b, a, w, f=getattr(signal, name): f(b, a, w), B, A, 2.0)]
        for name in ("lp2lp", "lp2hp", "lp2bp", "lp2bs")
    },
    **{
        name: [(lambda z, w, f=getattr(signal, name): f(z, POLES, 1.3, w), FEW, 2.0)]
        for name in ("lp2lp_zpk", "lp2hp_zpk", "lp2bp_zpk", "lp2bs_zpk")
    },
    "sos2tf": [(lambda s: signal.sos2tf(s), SECTIONS)],
    "sos2zpk": [(lambda s: signal.sos2zpk(s), SECTIONS)],
    "tf2sos": [(lambda b: signal.tf2sos(b, A), B)],
    "tf2zpk": [(lambda b, a: signal.tf2zpk(b, a), B, A)],
    "tf2ss": [(lambda b, a: signal.tf2ss(b, a), B, A)],
    "zpk2tf": [(lambda z, p, k: signal.zpk2tf(z * (1 + 0.5j), p, k), FEW, POLES, 2.0)],
    "zpk2sos": [(lambda z, k: signal.zpk2sos(z, POLES[:2], k), FEW, 2.0)],
    "zpk2ss": [(lambda z, k: signal.zpk2ss(z, POLES, k), FEW, 2.0)],
    "ss2tf": [(lambda a: signal.ss2tf(*state_space(a)), STATE)],
    "ss2zpk": [(lambda a: signal.ss2zpk(a, INPUT, OUTPUT, NONE + 1)[:2], STATE)],
    "cont2discrete": [
        (lambda a: signal.cont2discrete(state_space(a), 0.1)[:4], STATE),
        (lambda a: signal.cont2discrete(state_space(a), 0.1, "bilinear")[:4], STATE),
        (lambda b: signal.cont2discrete((b, BELOW), 0.1, "foh")[:2], FEW),
    ],
    "residue": [(lambda b: signal.residue(b, BELOW)[0], FEW)],
    "residuez": [(lambda b: signal.residuez(b, np.array([1.0, 0.3, 0.02]))[0], FEW)],
    "invres": [(lambda r: signal.invres(r, POLES[:2], []), FEW)],
    "invresz": [(lambda r: signal.invresz(r, POLES[:2] / 10, []), FEW)],
    "unique_roots": [(lambda p: signal.unique_roots(p)[0], X[:3])],
    "lfiltic": [(lambda b, y: signal.lfiltic(b, A, y), B, FEW)],
    "sosfilt_zi": [(lambda s: signal.sosfilt_zi(s), SECTIONS)],
    "deconvolve": [(lambda x, h: signal.deconvolve(x, h), X[:9], TAPS)],
}

RESPONSES = {
    "freqs": [(lambda b, a: signal.freqs(b, a, worN=RADIANS)[1], B, A)],
    "freqs_zpk": [(lambda z: signal.freqs_zpk(z, POLES, 1.0, worN=RADIANS)[1], FEW)],
    "freqz": [
        (lambda b, a: signal.freqz(b, a, worN=16)[1], B, A),
        (lambda b, w: signal.freqz(b, A, worN=w)[1], B, RADIANS),
        (lambda h: signal.freqz(h, worN=8, whole=True)[1], TAPS),
    ],
    "freqz_zpk": [(lambda z: signal.freqz_zpk(z, POLES / 5, 1.0, worN=16)[1], FEW)],
    "sosfreqz": [
        (lambda s: signal.sosfreqz(np.c_[s, SECTIONS[:, 3:]], worN=9)[1], SECTIONS[:, :3])
    ],
    "group_delay": [(lambda b, a: signal.group_delay((b, a), w=RADIANS)[1], B, A)],
    "freqresp": [(lambda a: signal.freqresp((ONE, a), w=RADIANS)[1], BELOW)],
    "dfreqresp": [(lambda b: signal.dfreqresp((b, A, 0.1), w=RADIANS)[1], B)],
    "bode": [(lambda a: signal.bode((ONE, a), w=RADIANS)[1:], BELOW)],
    "dbode": [(lambda b: signal.dbode((b, A, 0.1), w=RADIANS)[1:], B)],
    "step": [(lambda a: signal.step((ONE, a), T=TIMES)[1], BELOW)],
    "impulse": [(lambda a: signal.impulse((ONE, a), T=TIMES)[1], BELOW)],
    "lsim": [
        (lambda u: signal.lsim((FEW, BELOW), u, TIMES)[1], X),
        (lambda a, x0: signal.lsim(state_space(a), X, TIMES, x0)[1:], STATE, FEW),
    ],
    "dstep": [(lambda b: signal.dstep((b, A, 0.1), n=8)[1][0], B)],
    "dimpulse": [(lambda b: signal.dimpulse((b, A, 0.1), n=8)[1][0], B)],
    "dlsim": [
        (lambda u: signal.dlsim((B, A, 0.1), u)[1], X),
        (lambda a, u: signal.dlsim((*state_space(a), 0.1), u)[1:], STATE, X),
    ],
}

SIGNALS = {
    "chirp": [
        (lambda t, f, m=m: signal.chirp(t, f, 2.0, 5.0, method=m), X, 1.5)
        for m in ("linear", "quadratic", "logarithmic", "hyperbolic")
    ],
    "sweep_poly": [(lambda t, p: signal.sweep_poly(t, p), X, BELOW)],
    "gausspulse": [(lambda t: signal.gausspulse(t, 2.0), X - 1)],
    "gauss_spline": [(lambda t: signal.gauss_spline(t, 3), X)],
    "coherence": [(lambda x, y: signal.coherence(x, y, nperseg=16)[1], X, X[::-1] ** 2)],
    "spectrogram": [
        (lambda x, m=m: signal.spectrogram(x, nperseg=16, mode=m)[2], X)
        for m in ("psd", "complex", "magnitude")
    ],
    "lombscargle": [(lambda t, x: signal.lombscargle(t, x, RADIANS), np.sort(X) * 5, X)],
    "vectorstrength": [(lambda e, p: signal.vectorstrength(e, p), X, 1.3)],
    "czt": [(lambda x: signal.czt(x, 7, w=np.exp(-0.3j), a=1.1), X)],
    "zoom_fft": [(lambda x: signal.zoom_fft(x, [0.1, 0.4], 8), X)],
    "czt_points": [(lambda a: signal.czt_points(7, np.exp(-0.3j) * a, a), 1.1)],
    "resample": [
        (lambda x: signal.resample(x, 25), X),
        (lambda x: signal.resample(x, 18, axis=0, window="hann"), TABLE),
    ],
    "resample_poly": [
        (lambda x: signal.resample_poly(x, 3, 2), X),
        (lambda x: signal.resample_poly(x, 2, 3, axis=0, padtype="line"), TABLE),
        (lambda x: signal.resample_poly(x, 2, 3, padtype="mean"), X),
    ],
    "decimate": [
        (lambda x: signal.decimate(x, 2), LONG),
        (lambda x: signal.decimate(x, 2, ftype="fir"), LONG),
        (lambda x: signal.decimate(x, 2, 3, zero_phase=False), LONG),
    ],
    "sosfiltfilt": [(lambda x: signal.sosfiltfilt(SECTIONS, x), X)],
    "hilbert2": [(lambda x: signal.hilbert2(x), TABLE)],
    "envelope": [(lambda x: signal.envelope(x), X)],
    "wiener": [(lambda x: signal.wiener(x, 5), X), (lambda x: signal.wiener(x, 5, 0.1), X)],
    "order_filter": [(lambda x: signal.order_filter(x, np.ones(3), 1), X)],
    "cspline1d": [(lambda x: signal.cspline1d(x), X), (lambda x: signal.cspline1d(x, 0.5), X)],
    "qspline1d": [(lambda x: signal.qspline1d(x), X)],
    "spline_filter": [(lambda x: signal.spline_filter(x, 0.0), IMAGE)],
    "find_peaks": [
        (lambda x: x[signal.find_peaks(x)[0]] ** 2, PULSES),
        (lambda x: signal.find_peaks(x, height=0.1)[1]["peak_heights"], PULSES),
        (lambda x: signal.find_peaks(x, prominence=0.1, width=0.1)[1]["widths"], PULSES),
    ],
    "peak_prominences": [(lambda x: signal.peak_prominences(x, [2, 4, 6])[0], PULSES)],
    "peak_widths": [(lambda x: signal.peak_widths(x, [2, 4, 6], 0.4)[0], PULSES)],
    "closest_STFT_dual_window": [(lambda w: signal.closest_STFT_dual_window(w, 4)[0], X[:12])],
}
if tuple(map(int, scipy.__version__.split(".")[:2])) < (1, 16):
    # it asks whether a window is a number in a way that is refused, or for the type of a result
    del DESIGN["get_window"], DESIGN["firwin"][1:], SIGNALS["spline_filter"]
if hasattr(signal, "firwin_2d"):
    DESIGN["firwin_2d"] = [
        (lambda c: signal.firwin_2d((5, 5), ("hamming", "hamming"), fc=c, fs=2), 0.3)
    ]

if hasattr(signal, "freqz_sos"):
    RESPONSES["freqz_sos"] = RESPONSES["sosfreqz"]

SPECIAL = {
    "assoc_laguerre": [(lambda x: special.assoc_laguerre(x, 3, 0.5), X)],
}

MATRIX = RNG.uniform(-1, 1, (3, 3))
TALL = RNG.uniform(-1, 1, (5, 3))
LINALG = {
    "cdf2rdf": [(lambda a: linalg.cdf2rdf(*linalg.eig(a))[0], MATRIX)],
    "diagsvd": [(lambda s: linalg.diagsvd(s, 2, 3), FEW)],
    "eigvalsh_tridiagonal": [(lambda d, e: linalg.eigvalsh_tridiagonal(d, e), X[:4], X[:3])],
    "expm_cond": [(lambda a: linalg.expm_cond(a), MATRIX[:2, :2])],
    "orthogonal_procrustes": [
        (lambda a, b: linalg.orthogonal_procrustes(a, b), TALL, TALL[::-1] ** 2)
    ],
    "rsf2csf": [(lambda a: linalg.rsf2csf(*linalg.schur(a + a.T))[0], MATRIX)],
}

INTEGRATE = {
    "cumulative_simpson": [
        (lambda y: integrate.cumulative_simpson(y, dx=0.3), X[:8]),
        (lambda y, x: integrate.cumulative_simpson(y, x=np.cumsum(x)), X[:8], X[8:16]),
    ],
    "fixed_quad": [(lambda a: integrate.fixed_quad(lambda x: np.exp(-a * x), 0.0, a)[0], 0.7)],
    "romb": [(lambda y, h: integrate.romb(y, h), X[:5], 0.3)],
}

CALLS = {
    "scipy.signal": DESIGN | FORMS | RESPONSES | SIGNALS,
    "scipy.special": SPECIAL,
    "scipy.linalg": LINALG,
    "scipy.integrate": INTEGRATE,
}
