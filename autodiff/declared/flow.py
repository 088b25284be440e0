"""The derivative of the solution of a differential equation, by the equation of variations.

    y = solver(lambda y, t: rhs(a, y, t), y0, times)

    y_dot' = rhs_dot along y_dot and a_dot, solved together with y, by the same solver

The adjoint of an argument has one such solution for each number in it: that is right for stiff
equations, too, to the tolerance of the solver.
"""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any

import numpy as np

from autodiff.declared.equation import Along, Explicit, unit_seeds


class Flow(Explicit):
    """The derivatives of `solver(*rule, lambda y, t: rhs(*held, y, t), start, times)`."""

    root = "path"

    def __init__(
        self,
        rhs: Callable[..., Any],
        solver: Callable[..., Any],
        held: tuple[str, ...],
        rule: tuple[str, ...],
    ) -> None:
        super().__init__(held, rule, ("start", "times"), rhs=rhs, solver=solver)
        self.helpers |= {"by_directions": by_directions, "slopes_along": slopes_along}
        self.helpers["at_times"] = at_times
        given = ", ".join((*held, "y", "at"))
        text = f"def slope({given}):\n    return np.ravel(np.asarray(rhs({given})))\n"
        self.helpers["slope"] = self.written(text, "slope")

    def pulled(self, wrt: tuple[str, ...]) -> FunctionType:
        """The function of the seed, the arguments, what the solver holds, and the solution."""
        found = self.made.get(("pulled", wrt))
        if found is None:
            given = ", ".join((*self.own, *self.others, self.root))
            bars = []
            for own in wrt:
                of = "start" if own == "times" else own
                self.helpers[f"along_{of}"] = self.tangent((of,))
                change = f"lambda dot: np.sum(seed * along_{of}({given}, dot))"
                if own == "times":
                    held = "".join(f"{each}, " for each in self.held)
                    rows = f"slopes_along(lambda y, at: slope({held}y, at), path, times)"
                    bars.append(f"at_times(seed, {rows}, {change})")
                else:
                    bars.append(f"by_directions({change}, {own})")
            result = bars[0] if len(bars) == 1 else f"({', '.join(bars)})"
            text = f"def pulled(seed, {given}):\n    return {result}\n"
            found = self.made["pulled", wrt] = self.written(text, "pulled")
        return found

    def tangent(self, wrt: tuple[str, ...]) -> FunctionType:
        """The function of the arguments, what the solver holds, the solution, and tangents."""
        found = self.made.get(("pushed", wrt))
        if found is None:
            given = ", ".join((*self.own, *self.others, self.root))
            dots = ", ".join(f"{own}_dot" for own in wrt)
            held = "".join(f"{own}, " for own in self.held)
            active = tuple(own for own in self.held if own in wrt)
            along = "".join(f"{own}_dot, " for own in active)
            own = "_".join(("moved", *active))
            names = (*self.held, "y", "at")
            self.helpers[own] = Along(self.helpers["slope"], names, (*active, "y"))
            start = "start_dot" if "start" in wrt else "np.zeros_like(start)"
            rule = "".join(f"{own}, " for own in self.others)
            lines = [
                f"def pushed({given}, {dots}):",
                "    n = np.size(start)",
                "    def both(z, at):",
                f"        return np.concatenate({own}({held}z[:n], at, {along}z[n:]))",
                f"    change = {start}",
            ]
            if "times" in wrt:
                lines.append(f"    change = change - slope({held}start, times[0]) * times_dot[0]")
            lines.append("    z = np.concatenate((start, change))")
            result = f"solver({rule}both, z, times)[:, n:]"
            if "times" in wrt:
                rows = f"lambda y, at: slope({held}y, at)"
                result += f" + slopes_along({rows}, path, times) * np.reshape(times_dot, (-1, 1))"
            text = "\n".join((*lines, f"    return {result}", ""))
            found = self.made["pushed", wrt] = self.written(text, "pushed")
        return found


def by_directions(change: Callable[[Any], Any], like: Any) -> Any:
    """The gradient of which each part is the change along one direction."""
    if np.ndim(like) == 0:
        return change(1.0)
    parts = []
    for seed in unit_seeds(like):
        parts.append(change(seed))
    return np.reshape(np.array(parts), np.shape(like))


def slopes_along(slope: Callable[[Any, Any], Any], path: Any, times: Any) -> Any:
    """The slopes of a solution at its times."""
    rows = []
    for k in range(len(times)):
        rows.append(slope(path[k], times[k]))
    return np.stack(rows)


def at_times(seed: Any, slopes: Any, change: Callable[[Any], Any]) -> Any:
    """The adjoint of the times: what is there moves along its slope; when it began, the start does.
    change: that of the whole along a change of the start.
    """
    bars = np.sum(seed * slopes, axis=1)
    first = np.reshape(bars[0] - change(slopes[0]), (1,))
    return np.concatenate((first, bars[1:]))
