# Derivative of sum_of_windows (memory.py:226), written by autodiff.

import numpy as np
from autodiff.runtime import unbroadcast


def sum_of_windows_grad(image, kernel):
    """Gradient of sum_of_windows (memory.py:226) with respect to image, kernel."""
    # Forward sweep
    rows, columns = image.shape
    h, w = kernel.shape
    out = np.zeros((rows - h + 1, columns - w + 1))
    for i in range(h):
        for j in range(w):
            out += kernel[i, j] * image[i : i + rows - h + 1, j : j + columns - w + 1]

    # Reverse sweep
    # return np.sum(np.tanh(out))
    out_bar = 1 - np.tanh(out) ** 2
    image_bar = np.zeros_like(image)
    kernel_bar = np.zeros_like(kernel)
    for i in reversed(range(h)):
        for j in reversed(range(w)):
            # out += kernel[i, j] * image[i : i + rows - h + 1, j : j + columns - w + 1]
            kernel_pair = kernel[i, j]
            image_pair = image[i : i + rows - h + 1, j : j + columns - w + 1]
            product_bar = unbroadcast(out_bar, kernel_pair * image_pair)
            image_pair_bar = product_bar * kernel_pair
            image_bar[i : i + rows - h + 1, j : j + columns - w + 1] += image_pair_bar
            kernel_bar[i, j] = np.vdot(product_bar, image_pair)
    return image_bar, kernel_bar
