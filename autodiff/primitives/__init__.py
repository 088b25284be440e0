"""The builder, and the table: the only place that knows what a library does to memory."""

from autodiff.primitives.algebra import *  # noqa: F403
from autodiff.primitives.builder import *  # noqa: F403
from autodiff.primitives.call_effects import *  # noqa: F403
from autodiff.primitives.memory import *  # noqa: F403
from autodiff.primitives.opaque import *  # noqa: F403
from autodiff.primitives.primitive import *  # noqa: F403
from autodiff.primitives.raising import *  # noqa: F403
from autodiff.primitives.table import *  # noqa: F403
