"""Core: what stands between parsing and printing. Data only.

Structured single assignment, typed, with effects: values, regions of memory, operations in blocks.
A value has one definition; what a loop carries and a branch joins are parameters and results of
blocks; memory is touched only by operations that say so.
"""

from autodiff.core.function import *  # noqa: F403
from autodiff.core.located import *  # noqa: F403
from autodiff.core.notyet import *  # noqa: F403
from autodiff.core.operation import *  # noqa: F403
from autodiff.core.region import *  # noqa: F403
from autodiff.core.statements import *  # noqa: F403
from autodiff.core.value import *  # noqa: F403
