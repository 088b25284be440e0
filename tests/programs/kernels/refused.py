"""Kernels that the compiler refuses today, with its reason. To shrink to nothing."""

# ruff: noqa: E501

REFUSED: dict[str, str] = {
    "objects.parameters_in_a_dict": "`params_b` carries a derivative and is updated in place, while `params_w`, which may share its memory, is still used",
    "objects.grid_of_blocks": "`grid_2` may be an object that is held elsewhere too, and is changed or compared by identity here",
}
