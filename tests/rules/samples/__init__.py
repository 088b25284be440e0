"""Samples by topic; `SAMPLES` has those of every primitive."""

from autodiff.rules import registry
from tests.rules.samples import (
    creation,
    elementwise,
    fft,
    folds,
    helpers,
    histograms,
    indexing,
    joining,
    linalg,
    polynomials,
    products,
    python,
    reductions,
    scans,
    scipy_fft,
    scipy_functions,
    scipy_linalg,
    scipy_matrices,
    scipy_ndimage,
    scipy_parts,
    scipy_signal,
    scipy_special,
    scipy_spectra,
    scipy_stats,
    sets,
    shape,
    statistics,
)

TOPICS = (
    elementwise,
    folds,
    python,
    reductions,
    scans,
    sets,
    statistics,
    shape,
    joining,
    indexing,
    creation,
    products,
    linalg,
    fft,
    scipy_fft,
    scipy_linalg,
    scipy_matrices,
    scipy_ndimage,
    scipy_parts,
    scipy_signal,
    scipy_special,
    scipy_functions,
    scipy_spectra,
    scipy_stats,
    polynomials,
    helpers,
    histograms,
)

SAMPLES = {}
for topic in TOPICS:
    for primitive, samples in topic.SAMPLES.items():
        SAMPLES.setdefault(primitive, []).extend(samples)
        registry.rule_for(primitive)  # which loads the templates of SciPy
