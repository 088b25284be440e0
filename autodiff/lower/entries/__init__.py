"""What a variable holds while lowering: values, boxes of known parts, memory, functions."""

from autodiff.lower.entries.entry import *  # noqa: F403
