"""Adjoints of products of tensors."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from autodiff.runtime.broadcasting import conj, fit

_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"


def matmul_left(g: Any, x: Any, y: Any) -> Any:
    """The adjoint of `x` when `g` is that of `x @ y`, for stacks of matrices."""
    if np.ndim(y) == 1:
        return fit(np.expand_dims(g, -1) * conj(y), np.shape(x))
    if np.ndim(x) == 1:
        g = np.expand_dims(g, -2)
        return fit((g @ conj(np.swapaxes(y, -1, -2)))[..., 0, :], np.shape(x))
    return fit(g @ conj(np.swapaxes(y, -1, -2)), np.shape(x))


def turned(g: Any, b: Any, axis_b: int, axis: int) -> Any:
    """The adjoint of `a` when `g` is that of `np.cross(a, b)`, of vectors with two components."""
    b = np.asarray(b)
    first, second = np.take(b, 0, axis_b), np.take(b, 1, axis_b)
    return np.stack([g * second, -g * first], axis)


def matmul_right(g: Any, x: Any, y: Any) -> Any:
    """The adjoint of `y` when `g` is that of `x @ y`, for stacks of matrices."""
    if np.ndim(x) == 1:
        return fit(np.expand_dims(conj(x), -1) * np.expand_dims(g, -2), np.shape(y))
    if np.ndim(y) == 1:
        return np.tensordot(g, conj(x), np.ndim(g))
    return fit(conj(np.swapaxes(x, -1, -2)) @ g, np.shape(y))


def tensordot_left(g: Any, a: Any, b: Any, axes: Any) -> Any:
    """The adjoint of `a` when `g` is that of `np.tensordot(a, b, axes)`."""
    a_axes, b_axes = _contracted(axes, np.ndim(a), np.ndim(b))
    a_free = [k for k in range(np.ndim(a)) if k not in a_axes]
    b_free = [k for k in range(np.ndim(b)) if k not in b_axes]
    result = np.tensordot(g, conj(b), (list(range(len(a_free), np.ndim(g))), b_free))
    places = a_free + [a_axes[b_axes.index(k)] for k in sorted(b_axes)]
    return np.transpose(result, np.argsort(places)) if places else result[()]


def tensordot_right(g: Any, a: Any, b: Any, axes: Any) -> Any:
    """The adjoint of `b` when `g` is that of `np.tensordot(a, b, axes)`."""
    a_axes, b_axes = _contracted(axes, np.ndim(a), np.ndim(b))
    a_free = [k for k in range(np.ndim(a)) if k not in a_axes]
    b_free = [k for k in range(np.ndim(b)) if k not in b_axes]
    result = np.tensordot(conj(a), g, (a_free, list(range(len(a_free)))))
    places = [b_axes[a_axes.index(k)] for k in sorted(a_axes)] + b_free
    return np.transpose(result, np.argsort(places)) if places else result[()]


def _contracted(axes: Any, a_rank: int, b_rank: int) -> tuple[list[int], list[int]]:
    if isinstance(axes, (int, np.integer)):
        return list(range(a_rank - axes, a_rank)), list(range(axes))
    left, right = ([k] if isinstance(k, (int, np.integer)) else list(k) for k in axes)
    return [int(k) % a_rank for k in left], [int(k) % b_rank for k in right]


@lru_cache(maxsize=256)
def subscripts_of(subscripts: str, ranks: tuple[int, ...]) -> tuple[tuple[str, ...], str]:
    """The letters of each operand and of the result, ellipses written out."""
    subscripts = subscripts.replace(" ", "")
    inputs, arrow, output = subscripts.partition("->")
    terms = inputs.split(",")
    free = [letter for letter in reversed(_LETTERS) if letter not in subscripts]
    hidden = [rank - len(term) + 3 for term, rank in zip(terms, ranks) if "..." in term]
    dots = "".join(free[: max(hidden, default=0)])
    if not arrow:
        letters = sorted(set(inputs) - set(".,"))
        output = "..." * ("..." in inputs) + "".join(c for c in letters if inputs.count(c) == 1)
    full = []
    for term, rank in zip(terms, ranks):
        count = rank - len(term) + 3
        full.append(term.replace("...", dots[len(dots) - count :] if count else ""))
    return tuple(full), output.replace("...", dots)


def einsum_adjoint(g: Any, subscripts: Any, operands: Sequence[Any], k: int) -> Any:
    """The adjoint of operand `k` when `g` is that of `np.einsum(subscripts, *operands)`."""
    if not isinstance(subscripts, str):
        raise TypeError("the derivative of einsum needs its subscripts as a string")
    terms, output = subscripts_of(subscripts, tuple(np.ndim(x) for x in operands))
    own = "".join(dict.fromkeys(terms[k]))
    others = [j for j in range(len(operands)) if j != k]
    known = set(output).union(*(terms[j] for j in others))
    kept = "".join(letter for letter in own if letter in known)
    text = ",".join([output, *(terms[j] for j in others)]) + "->" + kept
    result = np.einsum(text, g, *(conj(operands[j]) for j in others), optimize=len(operands) > 2)
    shape = np.shape(operands[k])
    if kept == terms[k]:
        return fit(result, shape)
    # Letters that only this operand has were summed over, repeated ones name its diagonal.
    places = tuple(slice(None) if letter in kept else None for letter in own)
    whole = np.zeros(shape, result.dtype)
    diagonal = np.einsum(f"{terms[k]}->{own}", whole) if own else whole
    diagonal[...] = fit(result[places], diagonal.shape)
    return whole


def einsum_listed_adjoint(g: Any, first: Any, rest: Sequence[Any], k: int) -> Any:
    """The adjoint of `rest[k]` (of `first` for -1) in `np.einsum(first, [0, 1], second, ...)`."""
    items = [first, *rest]
    operands, lists = items[0::2], items[1::2]
    if k % 2 == 0 or k // 2 + 1 >= len(lists):  # a list of subscripts
        return [0.0] * len(rest[k])
    if len(operands) > len(lists):
        output = operands.pop()
    else:
        flat = [label for own in lists for label in own if label is not Ellipsis]
        output = sorted(label for label in set(flat) if flat.count(label) == 1)
        if any(Ellipsis in own for own in lists):
            output = [Ellipsis, *output]

    def written(labels: Sequence[Any]) -> str:
        return "".join("..." if label is Ellipsis else _LETTERS[label] for label in labels)

    text = ",".join(map(written, lists)) + "->" + written(output)
    return einsum_adjoint(g, text, operands, (k + 1) // 2)


def kron_left(g: Any, a: Any, b: Any) -> Any:
    """The adjoint of `a` when `g` is that of `np.kron(a, b)`."""
    a_shape, b_shape, pairs = blocked(a, b)
    rank = len(a_shape)
    other = conj(np.reshape(b, b_shape))
    over, kept = list(range(1, 2 * rank, 2)), list(range(0, 2 * rank, 2))
    blocks = np.einsum(np.reshape(g, pairs), list(range(2 * rank)), other, over, kept)
    return np.reshape(blocks, np.shape(a))


def kron_right(g: Any, a: Any, b: Any) -> Any:
    """The adjoint of `b` when `g` is that of `np.kron(a, b)`."""
    a_shape, _, pairs = blocked(a, b)
    rank = len(a_shape)
    other = conj(np.reshape(a, a_shape))
    over, kept = list(range(0, 2 * rank, 2)), list(range(1, 2 * rank, 2))
    blocks = np.einsum(np.reshape(g, pairs), list(range(2 * rank)), other, over, kept)
    return np.reshape(blocks, np.shape(b))


def blocked(a: Any, b: Any) -> tuple[tuple[int, ...], tuple[int, ...], list[int]]:
    rank = max(np.ndim(a), np.ndim(b))
    a_shape = (1,) * (rank - np.ndim(a)) + np.shape(a)
    b_shape = (1,) * (rank - np.ndim(b)) + np.shape(b)
    return a_shape, b_shape, [length for pair in zip(a_shape, b_shape) for length in pair]


def replaced(items: Sequence[Any], k: int, new: Any) -> list[Any]:
    """The items with another in place of number `k`."""
    return [new if j == k else item for j, item in enumerate(items)]


def multi_dot_adjoint(g: Any, arrays: Sequence[Any], k: int) -> Any:
    """The adjoint of `arrays[k]` when `g` is that of `np.linalg.multi_dot(arrays)`."""
    last = arrays[-1]
    if np.ndim(last) == 1:
        last = np.expand_dims(last, 1)
    matrices = [np.atleast_2d(arrays[0]), *arrays[1:-1], last]
    g = np.reshape(g, (np.shape(matrices[0])[0], np.shape(last)[1]))
    for matrix in matrices[:k]:
        g = np.transpose(conj(matrix)) @ g
    for matrix in reversed(matrices[k + 1 :]):
        g = g @ np.transpose(conj(matrix))
    g = np.reshape(g, np.shape(arrays[k]))
    return g if np.iscomplexobj(arrays[k]) else np.real(g)


def other_factor_adjoint(g: Any, arrays: Sequence[Any], k: int, bar: Any, j: int) -> Any:
    """The adjoint of `arrays[j]` when `bar` is that of `multi_dot_adjoint(g, arrays, k)`."""
    if j == k:
        return np.zeros_like(arrays[k])
    return multi_dot_adjoint(g, replaced(arrays, k, bar), j)


def einsum_with(subscripts: str, operands: Sequence[Any], k: int, new: Any) -> Any:
    """`np.einsum` with another operand in place of number `k`; new, also where NumPy has a view."""
    return np.array(np.einsum(subscripts, *replaced(operands, k, new)))


def other_operand_adjoint(
    g: Any, subscripts: str, operands: Sequence[Any], k: int, bar: Any, j: int
) -> Any:
    """The adjoint of `operands[j]` when `bar` is that of `einsum_adjoint(g, ..., operands, k)`."""
    if j == k:
        return np.zeros_like(operands[k])
    return einsum_adjoint(g, subscripts, replaced(operands, k, bar), j)
