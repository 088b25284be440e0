"""Natural calls into public packages, judged by differences (`make world`).

Each module of `packages/` holds calls into one package, written as its users would write them, with
no regard to what the compiler takes. `python -m tests.world NAME ...` judges the packages that are
installed; `docs/world.md` has the table of the last whole run.
"""
