"""The classes above that rooms below work for, where types are checked: a function of entries is
told for which frame, unit or lowering it works.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from autodiff.lower.expression.application import Arguments as Arguments
    from autodiff.lower.expression.containers import Containers as Containers
    from autodiff.lower.expression.expressions import Expressions as Expressions
    from autodiff.lower.expression.values import Values as Values
    from autodiff.lower.expression.wholes import Wholes as Wholes
    from autodiff.lower.flow.frame import Frame as Frame
    from autodiff.lower.flow.frame import Unit as Unit
    from autodiff.lower.flow.heap import Heap as Heap
    from autodiff.lower.flow.repeated import Repeated as Repeated
    from autodiff.lower.statement.statements import Statements as Statements
    from autodiff.lower.statement.storing import Storing as Storing
else:
    Arguments = Containers = Expressions = Frame = Heap = Repeated = Statements = Storing = Unit = (
        Values
    ) = Wholes = Any
