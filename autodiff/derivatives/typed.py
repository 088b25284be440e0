"""What a derivative keeps of the types of its function, for type checkers: its parameters."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from typing_extensions import ParamSpec, TypeVar

    P = ParamSpec("P", default=...)
    R = TypeVar("R", default=Any)
else:
    from typing import ParamSpec, TypeVar

    P, R = ParamSpec("P"), TypeVar("R")
