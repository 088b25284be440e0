"""Imports go down only, as CONTRIBUTING.md says."""

import sys

import pytest

from tests.house.modules import imports, modules

# From the bottom up. What stands in one line may import each other.
LAYERS = [
    ["codegen", "deadline", "errors", "frames", "locks", "needed", "runtime"],
    ["syntax"],
    ["frontend", "rules", "normalize"],
    ["templates", "identity"],
    ["kinds"],
    ["core"],
    ["primitives"],
    ["instantiate", "loader"],
    ["dataflow"],
    ["lower"],
    ["emit"],
    ["reversal"],
    ["tangent"],
    ["lean"],
    ["native", "pipeline"],
    ["coverage", "derivatives", "inspection", "structure", "tracing"],
    ["transforms"],
    ["checking", "declared", "sparsity"],
    ["api"],
    ["", "__main__", "command", "interop"],
]
LEVEL = {name: level for level, names in enumerate(LAYERS) for name in names}
# The rooms of `lower`, from the bottom up.
LOWER = ["recipes", "entries", "flow", "expression", "statement", "functions", "lowering"]
ALLOWED = {"numpy", "gast", "astor"}


def part(module):
    """The room of the package that a module is in: `autodiff.syntax.walk` -> `syntax`."""
    return (module.split(".") + [""])[1]


@pytest.mark.parametrize("module", modules())
def test_imports_go_down(module):
    assert part(module) in LEVEL, f"{module}: add the new room to LAYERS and CONTRIBUTING.md"
    for line, name in imports(modules()[module]):
        if name.split(".")[0] != "autodiff":
            continue
        if name in ("autodiff.pipeline.compiler", "autodiff.derivatives.cache"):
            target = part(name)
        else:
            target = part(name) if name in modules() or part(name) in LEVEL else ""
        assert LEVEL[target] <= LEVEL[part(module)], f"{module}:{line} imports {name}, above it"


@pytest.mark.parametrize("module", [m for m in modules() if m.startswith("autodiff.lower.")])
def test_imports_within_lower_go_down(module):
    own = LOWER.index(module.split(".")[2])
    for line, name in imports(modules()[module]):
        if name.startswith("autodiff.lower."):
            room = LOWER.index(name.split(".")[2])
            assert room <= own, f"{module}:{line} imports {name}, above it"


@pytest.mark.parametrize("module", modules())
def test_only_three_libraries_are_needed(module):
    for line, name in imports(modules()[module]):
        top = name.split(".")[0]
        if top in sys.stdlib_module_names or top == "autodiff":
            continue
        if module.startswith("autodiff.templates."):
            libraries = ALLOWED | {module.split(".")[2]}  # rules for a library may import it
        elif module.startswith("autodiff.runtime"):
            libraries = {"numpy"}
        elif module == "autodiff.inspection.graph":
            libraries = ALLOWED | {"networkx", "graphviz"}
        elif module == "autodiff.command.printed":
            libraries = ALLOWED | {"rich"}
        elif module == "autodiff.inspection.view":
            libraries = ALLOWED | {"pygments"}
        elif module in ("autodiff.interop.torch", "autodiff.interop.jax"):
            libraries = ALLOWED | {module.split(".")[2]}
        elif module == "autodiff.sparsity.pattern":
            libraries = ALLOWED | {"scipy"}
        elif module.startswith(("autodiff.native", "autodiff.codegen")):
            libraries = ALLOWED | {"numba", "llvmlite"}  # the second comes with the first
        else:
            libraries = ALLOWED
        assert top in libraries, f"{module}:{line} imports {name}"


def test_runtime_needs_numpy_only():
    """And the errors that it raises, which need nothing."""
    for module, file in modules().items():
        if part(module) in ("runtime", "errors"):
            for line, name in imports(file):
                if name.split(".")[0] == "autodiff":
                    assert part(module) == "runtime", f"{module}:{line} imports {name}"
                    assert part(name) in ("runtime", "errors"), f"{module}:{line} imports {name}"
