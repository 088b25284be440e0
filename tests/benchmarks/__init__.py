"""How fast the generated gradients are: against hand-written NumPy adjoints, and against autograd.

    python -m tests.benchmarks            # a table, and RESULTS.md beside this file

One file per workload. Each holds the primal in plain NumPy, the adjoint that a careful expert
would write by hand with the tricks known for it (in-place updates, no temporaries, recomputation
where that is cheaper than the tape), and the data. autograd runs the primal's own code with `np`
replaced.
"""
