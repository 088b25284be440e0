"""An estimator of scikit-learn whose fit is gradients of a loss in plain NumPy.

    python examples/sklearn_estimator.py            # --source prints the generated code

Poisson regression: the loss is two lines, `value_and_grad` and L-BFGS do the rest. It is cloned,
put into a pipeline and searched over in two processes as any estimator is. The last line compares
its score with that of scikit-learn's own.
"""

from __future__ import annotations

import sys

import numpy as np
from scipy.optimize import minimize
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.linear_model import PoissonRegressor
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.validation import check_is_fitted, validate_data

from autodiff import value_and_grad


def loss(w, x, y, alpha):
    """Half the mean deviance, up to a constant, and a penalty on all but the intercept."""
    scores = x @ w[1:] + w[0]
    return np.mean(np.exp(scores) - y * scores) + 0.5 * alpha * np.sum(w[1:] ** 2)


class Counts(RegressorMixin, BaseEstimator):
    def __init__(self, alpha=1.0):
        self.alpha = alpha

    def fit(self, X, y):
        X, y = validate_data(self, X, y, y_numeric=True)
        start = np.zeros(X.shape[1] + 1)
        data = (X, y.astype(float), float(self.alpha))
        options = {"ftol": 1e-15, "gtol": 1e-10}
        found = minimize(
            value_and_grad(loss), start, data, jac=True, method="L-BFGS-B", options=options
        )
        self.intercept_, self.coef_ = found.x[0], found.x[1:]
        return self

    def predict(self, X):
        check_is_fitted(self)
        return np.exp(validate_data(self, X, reset=False) @ self.coef_ + self.intercept_)


def searched(estimator, x, y):
    """The best of three penalties, in a pipeline, by two processes."""
    name = type(estimator).__name__.lower()
    grid = {f"{name}__alpha": [0.01, 0.1, 1.0]}
    pipeline = make_pipeline(StandardScaler(), estimator)
    scoring = "neg_mean_poisson_deviance"
    return GridSearchCV(pipeline, grid, scoring=scoring, n_jobs=2, cv=3).fit(x, y)


def main():
    rng = np.random.default_rng(0)
    x = rng.standard_normal((400, 6)) * [1, 2, 3, 1, 2, 3]
    y = rng.poisson(np.exp(x @ [0.3, -0.2, 0.1, 0.0, 0.2, 0.0] + 0.5))
    if "--source" in sys.argv:
        print(value_and_grad(loss).source_for(np.zeros(7), x, y.astype(float), 1.0))
    found = searched(Counts(), x, y)
    reference = searched(PoissonRegressor(tol=1e-10, max_iter=1000), x, y)
    print(f"best penalty: {found.best_params_}, scikit-learn {reference.best_params_}")
    weights = found.best_estimator_[-1].coef_ - reference.best_estimator_[-1].coef_
    print(f"largest difference of a weight: {np.max(np.abs(weights)):.1e}")
    found = np.sqrt(np.mean((found.predict(x) - y) ** 2))
    expected = np.sqrt(np.mean((reference.predict(x) - y) ** 2))
    print(f"root mean square of the residuals: {found:.7f} (expected {expected:.7f})")


if __name__ == "__main__":
    main()
