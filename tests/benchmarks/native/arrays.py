"""Workloads of whole arrays: the cases of the main table that the native backend takes."""

from __future__ import annotations

import inspect

from tests.benchmarks import chain, mlp, overhead
from tests.benchmarks.peers import peers, torch_compiled


def workloads(small=False):
    """W5, W9 and W10 of the issue."""
    return [
        *(("W5 ", workload) for workload in mlp.workloads(small)),
        *(("W9 ", workload) for workload in chain.workloads(small)),
        *(("W10 ", workload) for workload in overhead.workloads(small)),
    ]


def places(workload):
    """With respect to what, by position."""
    names = list(inspect.signature(workload.primal).parameters)
    wrt = (workload.wrt,) if isinstance(workload.wrt, str) else workload.wrt
    return tuple(map(names.index, wrt))


def others(workload):
    """The gradients by hand and by other tools, as functions of the workload's arguments."""

    def bound(gradient, own):
        return lambda *_: gradient(*own)

    titles = {"jax": "JAX", "torch": "PyTorch"}
    tools = peers(workload)
    found = {titles.get(name, name): bound(*peer) for name, peer in tools.items()}
    if "torch" in tools:
        found["torch.compile"] = bound(*torch_compiled(workload))
    return {"NumPy": workload.hand, **found}
