"""How much of the libraries has derivatives: `python -m autodiff coverage`."""

from autodiff.coverage.report import report, rewritten
from autodiff.coverage.survey import MODULES, Coverage, survey

__all__ = ["MODULES", "Coverage", "report", "rewritten", "survey"]
