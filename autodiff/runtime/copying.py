"""Copies of values that generated code is about to change."""

from __future__ import annotations

from bisect import bisect_right
from numbers import Number
from typing import Any

import numpy as np

from autodiff.errors import NonDifferentiableError, SharedMemoryError
from autodiff.runtime.structure import as_tuple, blank, fields, in_form, is_record

IMMUTABLE = (bool, int, float, complex, str, bytes, np.generic)


def copied(x: Any) -> Any:
    """A copy that shares no mutable memory with `x`: arrays, lists, dicts and objects, nested."""
    if isinstance(x, np.ndarray):
        return x.copy(order="K")
    return in_form(x, {}, copied, x)


def replica(x: Any) -> Any:
    """A copy of an array that lies in memory as `x` does; of anything else, as `copied`.

    Whether `x.reshape(-1)` is a view depends on how `x` lies in memory. Elements that are the same
    memory (`np.broadcast_to`) are not in the copy.
    """
    if not isinstance(x, np.ndarray) or x.dtype.hasobject:
        return copied(x)
    if x.flags.c_contiguous or x.flags.f_contiguous or not x.size:
        return x.copy(order="K")
    strides = unshared(x)
    spans = [(n - 1) * stride for n, stride in zip(x.shape, strides)]
    low = sum(span for span in spans if span < 0)
    high = sum(span for span in spans if span > 0)
    buffer = np.zeros(high - low + x.itemsize, np.uint8)
    result: Any = np.ndarray(x.shape, x.dtype, buffer, offset=-low, strides=strides)
    result[...] = x
    return result


def unshared(x: np.ndarray[Any, Any]) -> tuple[int, ...]:
    """The strides of an array; further apart, and with gaps, where elements are the same memory: no
    reshape is a view that was a copy.

    >>> unshared(np.broadcast_to([1.0, 2.0, 3.0], (2, 3)))
    (48, 8)
    """
    strides, end, overlap = [*x.strides], x.itemsize, False
    axes = [axis for axis, n in enumerate(x.shape) if n > 1]
    for axis in sorted(axes, key=lambda k: (not strides[k], abs(strides[k]), -k)):
        overlap = overlap or abs(strides[axis]) < end
        if overlap:
            strides[axis] = 2 * end
        end += (x.shape[axis] - 1) * abs(strides[axis])
    return tuple(strides)


def zeros_alike(x: Any) -> Any:
    """Zeros that lie in memory as `x` does, gaps included."""
    made = replica(x)
    made[...] = 0
    return made


def shadow_of(part: Any, whole: Any, shadow: Any) -> Any:
    """What `part` is of `whole`, of an array that lies in memory as that does; zeros in the form of
    `part` if it is memory of its own.

    >>> x, bars = np.zeros(4), np.arange(4.0)
    >>> shadow_of(x[2:], x, bars)
    array([2., 3.])
    """
    if not np.may_share_memory(part, whole):
        return zeros_alike(part)
    assert shadow.strides == whole.strides
    root = shadow if shadow.base is None else shadow.base
    places = [array.__array_interface__["data"][0] for array in (part, whole, shadow, root)]
    buffer = root.transpose(np.argsort(root.strides)[::-1])
    offset = places[0] - places[1] + places[2] - places[3]
    return np.ndarray(part.shape, part.dtype, buffer, offset, part.strides)


def duplicates(*values: Any) -> Any:
    """Copies of values that share memory among each other as the values do, views included.

    A reverse sweep that puts back what was overwritten works on them, so that it can run again.

    >>> u = np.zeros(3)
    >>> v, w = duplicates(u, u[1:])
    >>> w[:] = 1.0
    >>> v, u
    (array([0., 1., 1.]), array([0., 0., 0.]))
    """
    alone = [value for value in values if not isinstance(value, IMMUTABLE)]
    if len(alone) == 1 and type(alone[0]) is np.ndarray and not alone[0].dtype.hasobject:
        return tuple(replica(value) if value is alone[0] else value for value in values)
    blocks = _blocks(arrays_in(*values))
    made: dict[int, Any] = {}
    return tuple(_duplicate(value, made, blocks) for value in values)


class _Block:
    """A stretch of memory, and the copy of its bytes."""

    def __init__(self, start: int, end: int) -> None:
        self.start = start
        interface = {"data": (start, True), "shape": (end - start,), "typestr": "|u1", "version": 3}
        self.__array_interface__ = interface
        self.bytes = np.array(self)


def _span(x: np.ndarray[Any, Any]) -> tuple[int, int]:
    """The addresses between which the elements of an array lie."""
    start = x.__array_interface__["data"][0]
    steps = [(n - 1) * stride for n, stride in zip(x.shape, x.strides)]
    low = sum(step for step in steps if step < 0)
    return start + low, start + sum(step for step in steps if step > 0) + x.itemsize


def _blocks(arrays: list[np.ndarray[Any, Any]]) -> list[_Block]:
    """The stretches of memory that the arrays cover, those that overlap joined."""
    spans = sorted(_span(x) for x in arrays if x.size and not x.dtype.hasobject)
    joined: list[list[int]] = []
    for start, end in spans:
        if joined and start < joined[-1][1]:
            joined[-1][1] = max(joined[-1][1], end)
        else:
            joined.append([start, end])
    return [_Block(start, end) for start, end in joined]


def _duplicate(x: Any, made: dict[int, Any], blocks: list[_Block]) -> Any:
    if not isinstance(x, np.ndarray):
        return in_form(x, made, lambda item: _duplicate(item, made, blocks), x)
    if id(x) in made:
        return made[id(x)]
    if not x.size or x.dtype.hasobject:
        result = x.copy()
    else:
        block = blocks[bisect_right(blocks, _span(x)[0], key=lambda b: b.start) - 1]
        offset = x.__array_interface__["data"][0] - block.start
        result = np.ndarray(x.shape, x.dtype, block.bytes, offset=offset, strides=x.strides)
    made[id(x)] = result
    return result


def arrays_in(*values: Any) -> list[np.ndarray[Any, Any]]:
    """The arrays in values: in tuples, lists, dicts and attributes of objects, too."""
    found: list[np.ndarray[Any, Any]] = []
    seen: dict[int, Any] = {}
    waiting = list(values)
    while waiting:
        value = waiting.pop()
        if isinstance(value, np.ndarray):
            found.append(value)
        elif not isinstance(value, IMMUTABLE) and value is not None and id(value) not in seen:
            seen[id(value)] = value
            waiting.extend(parts_in(value))
    return found


def containers_in(value: Any) -> list[Any]:
    """A value, and the containers and objects in it, each once."""
    found: dict[int, Any] = {}
    waiting = [value]
    while waiting:
        value = waiting.pop()
        if not isinstance(value, (*IMMUTABLE, np.ndarray)) and id(value) not in found:
            found[id(value)] = value
            waiting.extend(parts_in(value))
    return [*found.values()]


def parts_in(value: Any) -> list[Any]:
    """What a container or an object holds."""
    if isinstance(value, (tuple, list)):
        return list(value)
    if isinstance(value, dict):
        return list(value.values())
    return list(fields(value).values()) if is_record(value) else []


def _overlap(left: np.ndarray[Any, Any], right: np.ndarray[Any, Any]) -> bool:
    return bool(np.may_share_memory(left, right) and np.shares_memory(left, right))


def apart(**arrays: Any) -> None:
    """Check that an array which is updated in place, the first, shares no memory with the others.

    Those may be containers or objects that hold arrays.

    Raises:
        SharedMemoryError: it does; which of them the update changes would not be known.
    """
    (changed, array), *others = arrays.items()
    for name, other in others:
        if any(_overlap(array, part) for part in arrays_in(other)):
            raise SharedMemoryError(
                f"`{changed}` is updated in place and shares memory with `{name}`",
                why="the derivative is only known for arguments that do not",
                cure=f"pass `{name}.copy()`" if isinstance(other, np.ndarray) else "pass copies",
            )


def alike(g: Any, value: Any) -> None:
    """Check that the adjoint of an array has its shape.

    Raises:
        ValueError: it has another one; it would be broadcast, or read beyond its end.
    """
    if g.shape != value.shape:
        raise ValueError(f"the seed has the shape {g.shape}, the value {value.shape}")


def restructured(x: Any, parts: dict[str, Any]) -> Any:
    """An object of the class of `x` whose attributes are the adjoints given; others are None."""
    return assembled(type(x), **{field: parts.get(field) for field in fields(x)})


def assembled(cls: type, /, **parts: Any) -> Any:
    """An object of a class with these attributes, made without calling its `__init__`."""
    result = blank(cls)
    for field, item in parts.items():
        object.__setattr__(result, field, item)
    return result


def distinct(classes: tuple[type, ...], *values: Any) -> None:
    """An error if an object of one of the classes is reached on two ways: one of them changes it.

    Raises:
        SharedMemoryError: two arguments, or parts of arguments, are the same object.
    """
    seen: dict[int, Any] = {}
    arrays: list[np.ndarray[Any, Any]] = []
    waiting = list(values)
    while waiting:
        value = waiting.pop()
        if isinstance(value, np.ndarray) and np.ndarray in classes:
            if any(_overlap(value, other) for other in arrays):
                raise SharedMemoryError(
                    "arrays that share memory are passed to a derivative",
                    why="the function changes them in place",
                    cure="pass copies",
                )
            arrays.append(value)
        if isinstance(value, (*IMMUTABLE, np.ndarray)) or value is None:
            continue
        if id(value) in seen:
            if isinstance(value, classes):
                raise SharedMemoryError(
                    f"the same {type(value).__name__} is passed twice to a derivative",
                    why="the function changes it",
                    cure="pass a copy",
                )
            continue
        seen[id(value)] = value
        waiting.extend(parts_in(value))


def adjoint_of(g: Any, like: Any) -> Any:
    """The adjoint `g` as a new value with the structure, shape and dtype of `like`.

    Real where `like` is real; repeated along axes where `g` stands for equal elements.
    """
    if isinstance(like, np.ndarray) and like.dtype.kind in "fc":
        result = np.empty_like(like, subok=False)
        result[...] = np.real(g) if like.dtype.kind == "f" else g
        return result
    if isinstance(like, np.generic) and like.dtype.kind in "fc":
        g = np.asarray(g)
        return like.dtype.type((g if like.dtype.kind == "c" else g.real)[()])
    if isinstance(like, float):
        return g.real if isinstance(g, (complex, np.complexfloating)) else g
    if isinstance(like, tuple) and isinstance(g, (tuple, list)):
        return as_tuple(like, [adjoint_of(part, own) for part, own in zip(g, like)])
    if isinstance(like, list) and isinstance(g, (tuple, list, np.ndarray)):
        return [adjoint_of(part, own) for part, own in zip(g, like)]
    return copied(g)


def numeric(value: Any) -> Any:
    """The number or array that a value is now, of which nothing was known before.

    Raises:
        NonDifferentiableError: it is neither; nobody knows what an operator on it does.
    """
    if type(value) is np.ndarray and value.dtype.kind in "biufc":
        return value.copy()
    if isinstance(value, Number) and not isinstance(value, np.timedelta64):
        return value
    error = NonDifferentiableError(
        f"the derivative meets a {type(value).__name__}, not a number or an array",
        why="what operators and functions do to it is not known",
        cure="make an array of it, np.asarray(...), or write a function of it with @custom",
    )
    error.met = True
    raise error


def scalar_seed(y: Any) -> float:
    """The seed of a gradient, 1; an error where the result `y` is not one real number.

    Raises:
        NonDifferentiableError: `y` is an array with several elements, complex, or no number at all.
    """
    if isinstance(y, (float, np.floating, int, np.integer)):
        return 1.0
    if isinstance(y, np.ndarray) and not y.shape and y.dtype.kind == "f":
        return 1.0
    raise no_real_scalar("the function", y)


def no_real_scalar(function: str, y: Any) -> NonDifferentiableError:
    """What is said of a result `y` that has no gradient."""
    cure = "return a number, as np.sum does, or use jacobian or vjp"
    if y is None:
        cure = "return a number: where a function ends without `return`, it returns None"
    elif np.iscomplexobj(y):
        cure = "return a real number, such as z.real or abs(z)**2, or use jacobian"
    elif not isinstance(y, (np.ndarray, np.generic)) and getattr(y, "shape", None) == ():
        cure = "return the number in it, float(...)"
    shape = f" of shape {y.shape}" if isinstance(y, np.ndarray) else ""
    return NonDifferentiableError(
        f"{function} does not return a real scalar",
        why=f"it returned {'None' if y is None else type(y).__name__}{shape}",
        cure=cure,
    )
