"""How much of the libraries has derivatives: `python -m autodiff coverage`."""

from autodiff.coverage.survey import MODULES, Coverage, survey
from autodiff.coverage.table import report, rewritten

__all__ = ["MODULES", "Coverage", "report", "rewritten", "survey"]
