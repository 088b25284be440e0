"""Differential equations, by the equation of variations, which the same solver solves."""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"
from __future__ import annotations

import numpy as np
from autodiff.templates.scipy.callbacks import Found
from scipy import integrate

from autodiff.errors import NonDifferentiableError
from autodiff.rules import registry
from autodiff.rules.taking import as_it_is, flow_of, rather_followed, refused
from autodiff.runtime import ended, formed, said, size_of, valued


def completed(path, said):
    """A solution that reaches the last time."""
    if not ended(said):
        raise NonDifferentiableError(
            "odeint does not reach the last time with the equation of variations",
            why="it needs too many steps, or cannot keep to the tolerances",
            cure="give larger `rtol` and `atol`, or call scipy.integrate.solve_ivp",
        )
    return path


def odeint(func, y0, t, args=(), Dfun=None, col_deriv=0, full_output=0, *, tfirst=False, **options):
    start, times = np.ravel(np.asarray(y0, dtype=float)), np.asarray(t, dtype=float)
    named = {"full_output": full_output, "tfirst": tfirst, **options}
    sample = (times[0], start, *args) if tfirst else (start, times[0], *args)
    found = as_it_is(sample, integrate.odeint, func, y0, t, args, Dfun, col_deriv, **named)
    if "ml" in options or "mu" in options or np.ndim(options.get("atol", 0.0)) > 0:
        refused(
            "odeint with a banded Jacobian or a tolerance for each unknown",
            "the equation of variations has other unknowns, too",
            "leave out `ml` and `mu`, give one tolerance, and scale the unknowns",
        )

    def rhs(y, at):
        return func(at, y, *args) if tfirst else func(y, at, *args)

    more = {**options, "mxstep": options.get("mxstep", 0) or 5000}

    def again(slope, state, at):
        path, said = integrate.odeint(slope, state, at, full_output=1, **more)
        return completed(path, said)

    like = np.zeros((np.size(times), np.size(start)))
    if full_output:
        return flow_of(rhs, again, start, times, formed(found, 0, like)), said(found, 1)
    return flow_of(rhs, again, start, times, formed(found, None, like))


def arrived(found):
    """What `solve_ivp` gives, if that reaches the last time."""
    if not found.success:
        raise NonDifferentiableError(
            "solve_ivp does not reach the last time with the equation of variations",
            why="the step it needs is too small",
            cure="give larger `rtol` and `atol`",
        )
    return found.y


def solve_ivp(
    fun,
    t_span,
    y0,
    method="RK45",
    t_eval=None,
    dense_output=False,
    events=None,
    vectorized=False,
    args=None,
    *,
    jac=None,
    **options,
):
    stepping = method not in ("Radau", "BDF", "LSODA")
    if stepping and not dense_output and events is None:
        rather_followed(
            "solve_ivp by an explicit method",
            "its steps are followed where it runs, which `trace=False` forbids",
            "leave out `trace=False`",
        )
    if dense_output or events is not None:
        refused(
            "solve_ivp with events or with a dense output",
            "its steps are followed where it runs, but not by `trace=False` or in another solver",
            "leave out `trace=False`; in another solver give `t_eval`",
        )
    if np.ndim(options.get("atol", 0.0)) > 0 or "lband" in options or "uband" in options:
        refused(
            "solve_ivp with a banded Jacobian or a tolerance for each unknown",
            "the equation of variations has other unknowns, too",
            "leave out `lband` and `uband`, give one tolerance, and scale the unknowns",
        )
    more = () if args is None else args
    begin, end = t_span
    start = np.asarray(y0, dtype=float)
    named = {"vectorized": vectorized, "args": args, "jac": jac, **options}
    if jac is None and (stepping or method == "LSODA"):
        named = {"vectorized": vectorized, "args": args, **options}
    sample = (begin, start, *more)
    found = as_it_is(sample, integrate.solve_ivp, fun, t_span, y0, method, t_eval, **named)

    def rhs(y, at):
        return fun(at, y, *more)

    def again(slope, state, at):
        def turned(at, y):
            return slope(y, at)

        ends, others = (at[0], at[-1]), at[1:]
        made = integrate.solve_ivp(turned, ends, state, method, others, **options)
        return np.concatenate((np.reshape(state, (1, -1)), np.transpose(arrived(made))))

    n = np.size(start)
    if t_eval is None:
        count = size_of(found, "t")
        steps = formed(found, "t", np.zeros(count))
        share = (steps - steps[0]) / (steps[-1] - steps[0])
        times = begin + share * (end - begin)
        path = formed(found, "y", np.zeros((n, count)))
        path = flow_of(rhs, again, start, times, np.transpose(path))
        return Found(found, t=valued(steps, times), y=np.transpose(path))
    asked = np.asarray(t_eval, dtype=float)
    times = np.concatenate((np.reshape(begin, (1,)), asked))
    path = formed(found, "y", np.zeros((n, np.size(asked))))
    whole = np.concatenate((np.reshape(start, (1, -1)), np.transpose(path)))
    path = flow_of(rhs, again, start, times, whole)[1:]
    return Found(found, t=asked, y=np.transpose(path))


registry.add_written({integrate.odeint: odeint, integrate.solve_ivp: solve_ivp})
