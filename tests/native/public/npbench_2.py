"""More kernels of NPBench, and the arguments of all."""

from __future__ import annotations

import numpy as np

from tests.native.public import npbench as one
from tests.native.public.npbench import conv2d
from tests.native.public.polybench_2 import CASES as POLYBENCH
from tests.native.public.polybench_2 import _of


def relu(x):
    return np.maximum(x, 0)


def conv2d_lenet(input, weights):
    K = weights.shape[0]
    N = input.shape[0]
    H_out = input.shape[1] - K + 1
    W_out = input.shape[2] - K + 1
    C_out = weights.shape[3]
    output = np.empty((N, H_out, W_out, C_out), dtype=np.float64)
    for i in range(H_out):
        for j in range(W_out):
            output[:, i, j, :] = np.sum(
                input[:, i : i + K, j : j + K, :, np.newaxis] * weights[np.newaxis, :, :, :],
                axis=(1, 2, 3),
            )
    return output


def maxpool2d(x):
    output = np.empty([x.shape[0], x.shape[1] // 2, x.shape[2] // 2, x.shape[3]], dtype=x.dtype)
    for i in range(x.shape[1] // 2):
        for j in range(x.shape[2] // 2):
            output[:, i, j, :] = np.max(x[:, 2 * i : 2 * i + 2, 2 * j : 2 * j + 2, :], axis=(1, 2))
    return output


def lenet5(input, conv1, conv1bias, conv2, conv2bias, fc1w, fc1b, fc2w, fc2b, N, C_before_fc1):
    x = relu(conv2d_lenet(input, conv1) + conv1bias)
    x = maxpool2d(x)
    x = relu(conv2d_lenet(x, conv2) + conv2bias)
    x = maxpool2d(x)
    x = np.reshape(x, (N, C_before_fc1))
    x = relu(x @ fc1w + fc1b)
    return x @ fc2w + fc2b


def lenet_total(input, conv1, conv1bias, conv2, conv2bias, fc1w, fc1b, fc2w, fc2b, N, C_fc1):
    return np.sum(
        lenet5(input, conv1, conv1bias, conv2, conv2bias, fc1w, fc1b, fc2w, fc2b, N, C_fc1)
    )


def mandelbrot(X, Y, maxiter, horizon=2.0):
    C = X + Y[:, None] * 1j
    N = np.zeros(C.shape, dtype=np.int64)
    Z = np.zeros(C.shape, dtype=np.complex128)
    for n in range(maxiter):
        I = np.less(abs(Z), horizon)
        N[I] = n
        Z[I] = Z[I] ** 2 + C[I]
    N[N == maxiter - 1] = 0
    return Z, N


def mandelbrot_total(X, Y, maxiter):
    Z, N = mandelbrot(X, Y, maxiter)
    return np.sum(np.abs(Z))


def softmax(x):
    tmp_max = np.max(x, axis=-1, keepdims=True)
    tmp_out = np.exp(x - tmp_max)
    tmp_sum = np.sum(tmp_out, axis=-1, keepdims=True)
    return tmp_out / tmp_sum


def softmax_total(x, w):
    return np.sum(softmax(x) * w)


def mlp_softmax(x):
    tmp_max = np.max(x, axis=-1, keepdims=True)
    tmp_out = np.exp(x - tmp_max)
    tmp_sum = np.sum(tmp_out, axis=-1, keepdims=True)
    return tmp_out / tmp_sum


def mlp(input, w1, b1, w2, b2, w3, b3):
    x = relu(input @ w1 + b1)
    x = relu(x @ w2 + b2)
    x = mlp_softmax(x @ w3 + b3)
    return x


def mlp_total(input, w1, b1, w2, b2, w3, b3, w):
    return np.sum(mlp(input, w1, b1, w2, b2, w3, b3) * w)


def getAcc(pos, mass, G, softening):
    x = pos[:, 0:1]
    y = pos[:, 1:2]
    z = pos[:, 2:3]
    dx = x.T - x
    dy = y.T - y
    dz = z.T - z
    inv_r3 = dx**2 + dy**2 + dz**2 + softening**2
    inv_r3[inv_r3 > 0] = inv_r3[inv_r3 > 0] ** (-1.5)
    ax = G * (dx * inv_r3) @ mass
    ay = G * (dy * inv_r3) @ mass
    az = G * (dz * inv_r3) @ mass
    return np.hstack((ax, ay, az))


def getEnergy(pos, vel, mass, G):
    KE = 0.5 * np.sum(mass * vel**2)
    x = pos[:, 0:1]
    y = pos[:, 1:2]
    z = pos[:, 2:3]
    dx = x.T - x
    dy = y.T - y
    dz = z.T - z
    inv_r = np.sqrt(dx**2 + dy**2 + dz**2)
    inv_r[inv_r > 0] = 1.0 / inv_r[inv_r > 0]
    PE = G * np.sum(np.sum(np.triu(-(mass * mass.T) * inv_r, 1)))
    return KE, PE


def nbody(mass, pos, vel, N, Nt, dt, G, softening):
    vel -= np.mean(mass * vel, axis=0) / np.mean(mass)
    acc = getAcc(pos, mass, G, softening)
    KE = np.ndarray(Nt + 1, dtype=np.float64)
    PE = np.ndarray(Nt + 1, dtype=np.float64)
    KE[0], PE[0] = getEnergy(pos, vel, mass, G)
    t = 0.0
    for i in range(Nt):
        vel += acc * dt / 2.0
        pos += vel * dt
        acc[:] = getAcc(pos, mass, G, softening)
        vel += acc * dt / 2.0
        t += dt
        KE[i + 1], PE[i + 1] = getEnergy(pos, vel, mass, G)
    return KE, PE


def nbody_total(mass, pos, vel, N, Nt, dt, G, softening):
    KE, PE = nbody(mass, pos, vel, N, Nt, dt, G, softening)
    return np.sum(KE) + np.sum(PE)


def batchnorm2d(x, eps=1e-5):
    mean = np.mean(x, axis=0, keepdims=True)
    std = np.std(x, axis=0, keepdims=True)
    return (x - mean) / np.sqrt(std + eps)


def resnet_basicblock(input, conv1, conv2, conv3):
    padded = np.zeros((input.shape[0], input.shape[1] + 2, input.shape[2] + 2, conv1.shape[3]))
    padded[:, 1:-1, 1:-1, :] = conv2d(input, conv1)
    x = batchnorm2d(padded)
    x = relu(x)
    x = conv2d(x, conv2)
    x = batchnorm2d(x)
    x = relu(x)
    x = conv2d(x, conv3)
    x = batchnorm2d(x)
    return relu(x + input)


def resnet_total(input, conv1, conv2, conv3, w):
    return np.sum(resnet_basicblock(input, conv1, conv2, conv3) * w)


def scattering_self_energies(neigh_idx, dH, G, D, Sigma):
    for k in range(G.shape[0]):
        for E in range(G.shape[1]):
            for q in range(D.shape[0]):
                for w in range(D.shape[1]):
                    for i in range(D.shape[-2]):
                        for j in range(D.shape[-1]):
                            for a in range(neigh_idx.shape[0]):
                                for b in range(neigh_idx.shape[1]):
                                    if E - w >= 0:
                                        dHG = G[k, E - w, neigh_idx[a, b]] @ dH[a, b, i]
                                        dHD = dH[a, b, j] * D[q, w, a, b, i, j]
                                        Sigma[k, E, a] += dHG @ dHD


def scattering_self_energies_total(neigh_idx, dH, G, D, Sigma):
    scattering_self_energies(neigh_idx, dH, G, D, Sigma)
    return np.sum(np.abs(Sigma))


def spmv(A_row, A_col, A_val, x):
    y = np.empty(A_row.size - 1, A_val.dtype)
    for i in range(A_row.size - 1):
        cols = A_col[A_row[i] : A_row[i + 1]]
        vals = A_val[A_row[i] : A_row[i + 1]]
        y[i] = vals @ x[cols]
    return y


def spmv_total(A_row, A_col, A_val, x):
    return np.sum(spmv(A_row, A_col, A_val, x))


def mgrid(xn, yn):
    Xi = np.empty((xn, yn), dtype=np.int64)
    Yi = np.empty((xn, yn), dtype=np.int64)
    for i in range(xn):
        Xi[i, :] = i
    for j in range(yn):
        Yi[:, j] = j
    return Xi, Yi


def stockham_fft(N, R, K, x, y):
    dft_mat_i, dft_mat_j = np.mgrid[0:R, 0:R]
    dft_mat = np.empty((R, R), dtype=np.complex128)
    dft_mat[:] = np.exp(-2.0j * np.pi * dft_mat_i * dft_mat_j / R)
    y[:] = x[:]
    ii_coords, jj_coords = mgrid(R, R**K)
    for i in range(K):
        yv = np.reshape(y, (R**i, R, R ** (K - i - 1)))
        tmp_perm = np.transpose(yv, axes=(1, 0, 2))
        D = np.empty((R, R**i, R ** (K - i - 1)), dtype=np.complex128)
        tmp = np.exp(-2.0j * np.pi * ii_coords[:, : R**i] * jj_coords[:, : R**i] / R ** (i + 1))
        D[:] = np.repeat(np.reshape(tmp, (R, R**i, 1)), R ** (K - i - 1), axis=2)
        tmp_twid = np.reshape(tmp_perm, (N,)) * np.reshape(D, (N,))
        y[:] = np.reshape(dft_mat @ np.reshape(tmp_twid, (R, R ** (K - 1))), (N,))


def stockham_fft_total(N, R, K, x, y):
    stockham_fft(N, R, K, x, y)
    return np.sum(np.abs(y))


BET_M = 0.5
BET_P = 0.5


def vadv(utens_stage, u_stage, wcon, u_pos, utens, dtr_stage):
    I, J, K = utens_stage.shape[0], utens_stage.shape[1], utens_stage.shape[2]
    ccol = np.ndarray((I, J, K), dtype=utens_stage.dtype)
    dcol = np.ndarray((I, J, K), dtype=utens_stage.dtype)
    data_col = np.ndarray((I, J), dtype=utens_stage.dtype)
    for k in range(1):
        gcv = 0.25 * (wcon[1:, :, k + 1] + wcon[:-1, :, k + 1])
        cs = gcv * BET_M
        ccol[:, :, k] = gcv * BET_P
        bcol = dtr_stage - ccol[:, :, k]
        correction_term = -cs * (u_stage[:, :, k + 1] - u_stage[:, :, k])
        dcol[:, :, k] = (
            dtr_stage * u_pos[:, :, k] + utens[:, :, k] + utens_stage[:, :, k] + correction_term
        )
        divided = 1.0 / bcol
        ccol[:, :, k] = ccol[:, :, k] * divided
        dcol[:, :, k] = dcol[:, :, k] * divided
    for k in range(1, K - 1):
        gav = -0.25 * (wcon[1:, :, k] + wcon[:-1, :, k])
        gcv = 0.25 * (wcon[1:, :, k + 1] + wcon[:-1, :, k + 1])
        as_ = gav * BET_M
        cs = gcv * BET_M
        acol = gav * BET_P
        ccol[:, :, k] = gcv * BET_P
        bcol = dtr_stage - acol - ccol[:, :, k]
        correction_term = -as_ * (u_stage[:, :, k - 1] - u_stage[:, :, k]) - cs * (
            u_stage[:, :, k + 1] - u_stage[:, :, k]
        )
        dcol[:, :, k] = (
            dtr_stage * u_pos[:, :, k] + utens[:, :, k] + utens_stage[:, :, k] + correction_term
        )
        divided = 1.0 / (bcol - ccol[:, :, k - 1] * acol)
        ccol[:, :, k] = ccol[:, :, k] * divided
        dcol[:, :, k] = (dcol[:, :, k] - (dcol[:, :, k - 1]) * acol) * divided
    for k in range(K - 1, K):
        gav = -0.25 * (wcon[1:, :, k] + wcon[:-1, :, k])
        as_ = gav * BET_M
        acol = gav * BET_P
        bcol = dtr_stage - acol
        correction_term = -as_ * (u_stage[:, :, k - 1] - u_stage[:, :, k])
        dcol[:, :, k] = (
            dtr_stage * u_pos[:, :, k] + utens[:, :, k] + utens_stage[:, :, k] + correction_term
        )
        divided = 1.0 / (bcol - ccol[:, :, k - 1] * acol)
        dcol[:, :, k] = (dcol[:, :, k] - (dcol[:, :, k - 1]) * acol) * divided
    for k in range(K - 1, K - 2, -1):
        datacol = dcol[:, :, k]
        data_col[:] = datacol
        utens_stage[:, :, k] = dtr_stage * (datacol - u_pos[:, :, k])
    for k in range(K - 2, -1, -1):
        datacol = dcol[:, :, k] - ccol[:, :, k] * data_col[:, :]
        data_col[:] = datacol
        utens_stage[:, :, k] = dtr_stage * (datacol - u_pos[:, :, k])


def vadv_total(utens_stage, u_stage, wcon, u_pos, utens, dtr_stage):
    vadv(utens_stage, u_stage, wcon, u_pos, utens, dtr_stage)
    return np.sum(utens_stage)


def _complex(*shape, seed=0):
    return _of(*shape, seed=seed) + 1j * _of(*shape, seed=seed + 1)


def _cases():
    u, v, p = (_of(8, 7, seed=k) / 10 for k in range(3))
    flow = (u, v, 0.001, 0.3, 0.3, p)
    fields = [_of(6, 5, 7, seed=k) for k in range(4)]
    lenet = (
        _of(2, 16, 16, 1), _of(3, 3, 1, 3), _of(3), _of(2, 2, 3, 4), _of(4),
        _of(36, 5), _of(5), _of(5, 3), _of(3), 2, 36,
    )  # fmt: skip
    layers = (_of(5, 6), _of(6, 7) - 0.5, _of(7), _of(7, 8) - 0.5, _of(8), _of(8, 4), _of(4))
    bodies = (_of(6, 1), _of(6, 3), _of(6, 3, seed=1), 6, 3, 0.01, 1.0, 0.1)
    blocks = (_of(3, 8, 8, 6), _of(1, 1, 6, 4), _of(3, 3, 4, 4), _of(1, 1, 4, 6), _of(3, 8, 8, 6))
    neighbours = np.array([[1, 2], [0, 2], [0, 1]])
    scattered = (neighbours, _complex(3, 2, 2, 4, 4), _complex(2, 3, 3, 4, 4))
    scattered += (_complex(2, 2, 3, 2, 2, 2), np.zeros((2, 3, 3, 4, 4), dtype=np.complex128))
    rows, columns = np.array([0, 2, 5, 6, 9]), np.array([0, 3, 1, 2, 4, 0, 2, 3, 4])
    radius = _of(40, seed=7)
    return [
        (one.arc_distance_total, tuple(_of(9, seed=k) for k in range(4)), (0, 1, 2, 3)),
        (one.azimint_total, (_of(40), radius, 4), 0),
        (one.cavity_flow_total, (7, 8, 3, 4, *flow, 1.0, 0.1), (4, 5, 9)),
        (one.channel_flow_total, (4, u, v, 0.05, 1.0, 1.0, p, 1.0, 0.1, 1.0), (1, 2, 6)),
        (one.compute_total, (8 * _of(9, 8), _of(9, 8, seed=1), 4.0, 3.0, 9.0), (0, 1)),
        (one.conv2d_bias_total, (_of(2, 6, 6, 3), _of(3, 3, 3, 4), _of(4)), (0, 1, 2)),
        (one.crc16_total, (np.arange(20, dtype=np.uint8), _of(5)), 1),
        (one.go_fast_total, (_of(9, 9),), 0),
        (one.hdiff_total, (_of(10, 11, 5), _of(6, 7, 5), _of(6, 7, 5, seed=1)), (0, 2)),
        (lenet_total, lenet, (0, 1, 5)),
        (mandelbrot_total, (_of(6) / 2, _of(5) / 2, 6), (0, 1)),
        (mlp_total, (*layers, _of(5, 4, seed=2)), (0, 1, 2, 3, 4, 5, 6)),
        (nbody_total, bodies, (0, 1, 2)),
        (resnet_total, blocks, (0, 1, 2, 3)),
        (scattering_self_energies_total, scattered, (1, 2, 3)),
        (softmax_total, (_of(2, 3, 4, 5), _of(2, 3, 4, 5, seed=1)), 0),
        (spmv_total, (rows, columns, _of(9), _of(5)), (2, 3)),
        (stockham_fft_total, (8, 2, 3, _complex(8), np.zeros(8, dtype=np.complex128)), 3),
        (vadv_total, (*fields[:2], _of(7, 5, 7), *fields[2:], 0.5), (0, 1, 2, 3, 4)),
    ]


CASES = [*POLYBENCH, *_cases()]
