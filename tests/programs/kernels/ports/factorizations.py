"""Direct methods of linear algebra: by dense solves, library factorizations, uniqueness."""

from tests.programs.kernels.peers import jax

jnp = jax.numpy


def thomas(a, b, c, d):
    return jnp.linalg.solve(jnp.diag(b) + jnp.diag(a[1:], -1) + jnp.diag(c[:-1], 1), d)


def lu_in_place(a):
    # Without pivoting, by the ratios of minors: L and U are unique.
    if len(a) == 1:
        return a
    column = a[1:, :1] / a[0, 0]
    rest = lu_in_place(a[1:, 1:] - column @ a[:1, 1:])
    return jnp.block([[a[:1, :1], a[:1, 1:]], [column, rest]])


def lu_outer(a):
    upper = jnp.diag(lu_in_place(a))
    return 2.0 * jnp.sum(jnp.log(jnp.abs(upper)))


def lu_partial_pivoting(a, b):
    return jnp.linalg.solve(a, b)


def gaussian_elimination(a, b):
    return jnp.linalg.solve(a, b)


def gauss_jordan_inverse(a):
    return jnp.linalg.inv(a)


def lower_only(a):
    """The matrix of which `a` gives the lower triangle, symmetric."""
    return jnp.tril(a) + jnp.tril(a, -1).T


def cholesky_banachiewicz(a):
    return jnp.linalg.cholesky(lower_only(a), symmetrize_input=False)


def cholesky_in_place(a, y):
    a = lower_only(a)
    return 0.5 * y @ jnp.linalg.solve(a, y) + 0.5 * jnp.linalg.slogdet(a)[1]


def forward_substitution(a, b):
    return jnp.linalg.solve(jnp.tril(a), b)


def back_substitution(a, b):
    return jnp.linalg.solve(jnp.triu(a), b)


def positive_qr(a):
    """The QR factorization with a positive diagonal of R, which is unique."""
    r = jnp.linalg.cholesky(a.T @ a).T
    return jnp.linalg.solve(r.T, a.T).T, r


def gram_schmidt_classical(a):
    return positive_qr(a)[0]


def gram_schmidt_modified(a):
    return positive_qr(a)


def qr_householder(a, b):
    return jnp.linalg.solve(a.T @ a, a.T @ b)


def toeplitz(first):
    n = len(first)
    return jnp.stack([jnp.stack([first[abs(i - j)] for j in range(n)]) for i in range(n)])


def durbin(r):
    t = toeplitz(jnp.concatenate([jnp.ones(1), r[:-1]]))
    return jnp.linalg.solve(t, -r)


def levinson(r, b):
    return jnp.linalg.solve(toeplitz(jnp.concatenate([jnp.ones(1), r[:-1]])), b)
