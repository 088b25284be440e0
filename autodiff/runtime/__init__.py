"""All that generated code may call; imports numpy only."""

from autodiff.runtime.active_sets import *  # noqa: F403
from autodiff.runtime.aliases import *  # noqa: F403
from autodiff.runtime.blanks import *  # noqa: F403
from autodiff.runtime.broadcasting import *  # noqa: F403
from autodiff.runtime.checkpoints import *  # noqa: F403
from autodiff.runtime.constant import *  # noqa: F403
from autodiff.runtime.copying import *  # noqa: F403
from autodiff.runtime.dependence import *  # noqa: F403
from autodiff.runtime.dependence_of_products import *  # noqa: F403
from autodiff.runtime.directions import *  # noqa: F403
from autodiff.runtime.extrema import *  # noqa: F403
from autodiff.runtime.factorizations import *  # noqa: F403
from autodiff.runtime.fitting import *  # noqa: F403
from autodiff.runtime.folds import *  # noqa: F403
from autodiff.runtime.fourier import *  # noqa: F403
from autodiff.runtime.linalg import *  # noqa: F403
from autodiff.runtime.ordering import *  # noqa: F403
from autodiff.runtime.padding import *  # noqa: F403
from autodiff.runtime.polynomials import *  # noqa: F403
from autodiff.runtime.products import *  # noqa: F403
from autodiff.runtime.quantiles import *  # noqa: F403
from autodiff.runtime.reals import *  # noqa: F403
from autodiff.runtime.rearranging import *  # noqa: F403
from autodiff.runtime.scans import *  # noqa: F403
from autodiff.runtime.scattering import *  # noqa: F403
from autodiff.runtime.sets import *  # noqa: F403
from autodiff.runtime.signals import *  # noqa: F403
from autodiff.runtime.slopes import *  # noqa: F403
from autodiff.runtime.solutions import *  # noqa: F403
from autodiff.runtime.special import *  # noqa: F403
from autodiff.runtime.statistics import *  # noqa: F403
from autodiff.runtime.structure import *  # noqa: F403
from autodiff.runtime.tape import *  # noqa: F403

CHANGING = frozenset({add_at, unite_items})  # noqa: F405
"""Helpers that change their first argument."""
