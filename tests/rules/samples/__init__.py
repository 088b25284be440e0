"""Samples by topic; `SAMPLES` has those of every primitive."""

from tests.rules.samples import (
    creation,
    elementwise,
    helpers,
    indexing,
    joining,
    linalg,
    products,
    python,
    reductions,
    shape,
    statistics,
)

TOPICS = (
    elementwise,
    python,
    reductions,
    statistics,
    shape,
    joining,
    indexing,
    creation,
    products,
    linalg,
    helpers,
)

SAMPLES = {}
for topic in TOPICS:
    for primitive, samples in topic.SAMPLES.items():
        SAMPLES.setdefault(primitive, []).extend(samples)
