"""Gradients added up in buffers."""

import pickle
import threading
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

from autodiff import AutodiffError, Parameter, backward, grad


@dataclass
class Layer:
    weights: Any
    bias: Any
    name: str = "dense"


def loss(model, x):
    layers, scale = model["layers"], model["scale"]
    for layer in layers:
        x = np.tanh(x @ layer.weights + layer.bias)
    return scale * np.sum(x**2)


def model_of(wrap):
    rng = np.random.default_rng(0)
    shapes = (3, 4), (4, 2)
    layers = [Layer(wrap(rng.standard_normal(s)), wrap(np.zeros(s[1]))) for s in shapes]
    return {"layers": layers, "scale": wrap(np.array(0.5)), "steps": 3}


def test_gradients_add_up_in_the_same_buffers():
    params, plain = model_of(Parameter), model_of(lambda x: x)
    step = backward(loss, params)
    first = params["layers"][0].weights
    buffer = first.grad
    assert len(step.parameters) == 5
    points = np.random.default_rng(1).standard_normal((3, 5, 3))
    for x in points:
        assert_allclose(step(x), loss(plain, x))
    expected = [grad(loss)(plain, x) for x in points]
    assert_allclose(first.grad, sum(e["layers"][0].weights for e in expected))
    assert_allclose(params["scale"].grad, sum(e["scale"] for e in expected))
    assert first.grad is buffer
    step.zero_grad()
    assert not np.any(buffer) and first.grad is buffer


def test_a_parameter_in_two_places_gets_both_parts():
    w = Parameter(np.array([1.0, 2.0]))
    step = backward(lambda p, x: np.sum(p[0] * p[1] * x), (w, w))
    step(np.array([1.0, 10.0]))
    assert_allclose(w.grad, [2.0, 40.0])
    assert step.parameters == [w]


def test_threads_add_to_one_buffer():
    w = Parameter(np.zeros(1000, np.float32))
    step = backward(lambda w, x: np.sum(w * x), w)

    def work():
        for _ in range(50):
            step(np.ones(1000, np.float32))

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert w.grad.dtype == np.float32
    assert_allclose(w.grad, 400.0)


def test_has_aux_and_keywords():
    w = Parameter(2.0)
    value, aux = backward(lambda w, x, k=1.0: (w * x * k, "aux"), w, has_aux=True)(3.0, k=2.0)
    assert (value, aux, w.grad) == (12.0, "aux", 6.0)


def test_what_has_no_parameter_is_refused():
    with pytest.raises(AutodiffError, match="no Parameter"):
        backward(loss, {"w": np.ones(2)})
    with pytest.raises(AutodiffError, match="cannot hold 3"):
        Parameter(3)


def test_parameters_are_pickled_without_their_lock():
    w = Parameter(np.ones(2))
    w.add([1.0, 2.0])
    again = pickle.loads(pickle.dumps(w))
    again.add([1.0, 1.0])
    assert_allclose(again.grad, [2.0, 3.0])
    assert repr(w) == "Parameter(array([1., 1.]))"
