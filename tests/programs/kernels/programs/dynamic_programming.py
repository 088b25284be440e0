"""Tables filled cell by cell: alignments, hidden Markov models, shortest paths."""

import numpy as np

from tests.language.corpus import program
from tests.programs.kernels.data import fixed, wavy


def softmin(a, b, c, gamma):
    low = min(a, b, c)
    total = np.exp((low - a) / gamma) + np.exp((low - b) / gamma) + np.exp((low - c) / gamma)
    return low - gamma * np.log(total)


@program([(wavy(4), wavy(5, phase=0.7), 0.5)], analytic=True)
def soft_dtw(x, y, gamma):
    n, m = len(x), len(y)
    r = np.full((n + 1, m + 1), 1e10)
    r[0, 0] = 0.0
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            cost = (x[i - 1] - y[j - 1]) ** 2
            r[i, j] = cost + softmin(r[i - 1, j], r[i, j - 1], r[i - 1, j - 1], gamma)
    return r[n, m]


@program([(wavy(5, 2), wavy(4, 2, phase=0.7))], analytic=True)
def dtw(x, y):
    n, m = len(x), len(y)
    d = np.zeros((n, m))
    for i in range(n):
        for j in range(m):
            d[i, j] = np.sqrt(np.sum((x[i] - y[j]) ** 2))
    for i in range(1, n):
        d[i, 0] += d[i - 1, 0]
    for j in range(1, m):
        d[0, j] += d[0, j - 1]
    for i in range(1, n):
        for j in range(1, m):
            d[i, j] += min(d[i - 1, j], d[i, j - 1], d[i - 1, j - 1])
    return d[-1, -1]


@program([(wavy(4, 5, low=0.0), 0.7, 0.9, 0.4)], analytic=True)
def soft_edit_distance(substitution, insert, delete, gamma):
    n, m = substitution.shape
    previous = np.zeros(m + 1)
    current = np.zeros(m + 1)
    for j in range(1, m + 1):
        previous[j] = previous[j - 1] + insert
    for i in range(n):
        current[0] = previous[0] + delete
        for j in range(m):
            current[j + 1] = softmin(
                previous[j] + substitution[i, j],
                previous[j + 1] + delete,
                current[j] + insert,
                gamma,
            )
        previous, current = current, previous
    return previous[m]


@program([(wavy(3, 3), wavy(3, 4), wavy(3))], analytic=True)
def hmm_forward_scaled(a, b, start):
    trans = np.exp(a)
    trans /= trans.sum(axis=1, keepdims=True)
    emit = np.exp(b)
    emit /= emit.sum(axis=1)[:, None]
    pi = np.exp(start)
    pi /= pi.sum()
    observed = [0, 2, 3, 1, 0]
    alpha = np.zeros((len(observed), 3))
    scale = np.zeros(len(observed))
    alpha[0] = pi * emit[:, observed[0]]
    scale[0] = alpha[0].sum()
    alpha[0] /= scale[0]
    for t in range(1, len(observed)):
        alpha[t] = alpha[t - 1] @ trans * emit[:, observed[t]]
        scale[t] = np.sum(alpha[t])
        alpha[t] /= scale[t]
    return np.sum(np.log(scale))


@program([(wavy(3, 3), wavy(5, 3), 0.3)], analytic=True)
def soft_viterbi(log_a, log_b, temperature):
    steps, states = log_b.shape
    score = np.zeros((steps, states))
    score[0, :] = log_b[0]
    for t in range(1, steps):
        for s in range(states):
            options = score[t - 1] + log_a[:, s]
            best = options.max()
            soft = np.log(np.sum(np.exp((options - best) / temperature)))
            score[t, s] = best + temperature * soft + log_b[t, s]
    return score


@program([(wavy(3, 3), wavy(5, 3))], analytic=True)
def viterbi_with_pointers(log_a, log_b):
    steps, states = log_b.shape
    delta = log_b[0].copy()
    new = np.empty_like(delta)
    pointers = np.zeros((steps, states), dtype=int)
    for t in range(1, steps):
        for s in range(states):
            options = delta + log_a[:, s]
            pointers[t, s] = np.argmax(options)
            new[s] = options[pointers[t, s]] + log_b[t, s]
        delta[:] = new
    state = int(np.argmax(delta))
    total = delta[state]
    for t in range(steps - 1, 0, -1):
        state = pointers[t, state]
        total += 0.1 * log_b[t - 1, state] ** 2
    return total


@program([(wavy(4, 4, low=0.5, high=3.0), 0.2)], analytic=True)
def floyd_warshall_softmin(d, gamma):
    n = len(d)
    for i in range(n):
        d[i, i] = 0.0
    for k in range(n):
        for i in range(n):
            for j in range(n):
                through = d[i, k] + d[k, j]
                d[i, j] = -gamma * np.log(np.exp(-d[i, j] / gamma) + np.exp(-through / gamma))
    return d


@program([(wavy(5, 5, low=0.5, high=3.0),)], analytic=True)
def floyd_warshall(d):
    np.fill_diagonal(d, 0.0)
    for k in range(len(d)):
        np.minimum(d, d[:, k : k + 1] + d[k : k + 1, :], out=d)
    return d


@program([(wavy(4, 4, low=0.1), 0.8)], analytic=True)
def page_rank(links, damping):
    n = len(links)
    links[np.diag_indices(n)] = 0.0
    links /= links.sum(axis=0)
    rank = np.full(n, 1.0 / n)
    new = np.empty(n)
    for it in range(5):
        new.fill((1.0 - damping) / n)
        for i in range(n):
            for j in range(n):
                new[i] += damping * links[i, j] * rank[j]
        rank[:] = new
    return rank


@program([(wavy(6, 2), wavy(2, 2, phase=0.8), 1.5)], analytic=True)
def soft_k_means(points, centers, beta):
    n, k = len(points), len(centers)
    r = np.zeros((n, k))
    for it in range(2):
        for i in range(n):
            for c in range(k):
                r[i, c] = -beta * np.sum((points[i] - centers[c]) ** 2)
            r[i] -= r[i].max()
            r[i] = np.exp(r[i])
            r[i] /= r[i].sum()
        for c in range(k):
            centers[c] = r[:, c] @ points / np.sum(r[:, c])
    return centers


@program([(wavy(6), wavy(2), wavy(2, phase=0.9, low=0.4, high=1.0), 0.4)], analytic=True)
def gaussian_mixture_em(x, mu, sigma, weight):
    pi = np.array([weight, 1.0 - weight])
    for step in range(2):
        density = np.zeros((2, len(x)))
        for k in range(2):
            density[k] = pi[k] * np.exp(-0.5 * ((x - mu[k]) / sigma[k]) ** 2) / sigma[k]
        density /= density.sum(axis=0)
        count = density.sum(axis=1)
        pi[:] = count / len(x)
        mu[:] = density @ x / count
        for k in range(2):
            sigma[k] = np.sqrt(density[k] @ (x - mu[k]) ** 2 / count[k] + 0.01)
    return pi, mu, sigma


@program([(wavy(3, 4), wavy(3, low=0.5, high=1.5), wavy(4, low=0.5, high=1.5), 0.6)], analytic=True)
def sinkhorn(cost, a, b, epsilon):
    a /= a.sum()
    b /= b.sum()
    plan = np.exp(-cost / epsilon)
    for it in range(4):
        plan *= (a / plan.sum(axis=1))[:, np.newaxis]
        plan *= b / plan.sum(axis=0)
    return np.sum(plan * cost)


CAPACITY = fixed([2.0, 3.0, 1.0, 2.0])


@program([(wavy(4, low=0.5, high=2.0), 0.3)], analytic=True)
def soft_knapsack(values, temperature):
    best = np.zeros(7)
    for item in range(len(values)):
        w = int(CAPACITY[item])
        for c in range(6, w - 1, -1):
            take, leave = best[c - w] + values[item], best[c]
            best[c] = temperature * np.logaddexp(take / temperature, leave / temperature)
    return best
