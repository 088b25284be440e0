"""The pictures of the gallery, drawn from what the code on that page leaves.

    python docs/pictures.py [folder]            # needs SciPy and matplotlib

Each section of `gallery.md` is run, then the function below that is named as its picture draws what
the section computed: `names` is all that the code has given names to. The same versions of NumPy,
SciPy and matplotlib write the same files.
"""

from __future__ import annotations

import re
import sys
import tempfile
from pathlib import Path
from types import SimpleNamespace

import matplotlib as mpl
import numpy as np
from matplotlib.collections import PolyCollection
from matplotlib.figure import Figure

from autodiff import jacfwd, value_and_grad

HERE = Path(__file__).parent
STYLE = {
    "axes.grid": True,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "font.size": 9,
    "grid.color": "0.9",
    "legend.frameon": False,
    "lines.linewidth": 1.4,
    "svg.fonttype": "none",  # text is text, in the reader's font
    "svg.hashsalt": "autodiff",
}


def axes(columns=1, **options):
    """The axes of a new picture."""
    return Figure(figsize=(6.4, 2.8), layout="constrained").subplots(1, columns, **options)


def curve(names):
    picture = axes()
    slopes = jacfwd(names.model)(names.found)
    covariance = 2.0 * np.linalg.inv(names.hessian(names.chi2)(names.found))
    spread = 10.0 * np.sqrt(np.sum(slopes @ covariance * slopes, axis=1))
    fitted = names.model(names.found)
    picture.fill_between(names.t, fitted - spread, fitted + spread, color="C0", alpha=0.3, lw=0)
    picture.plot(names.t, names.measured, "k.", markersize=3, label="measured")
    picture.plot(names.t, fitted, label="fitted")
    picture.set(xlabel="t")
    picture.legend()
    return picture


def flow(names):
    picture = axes()
    x = names.x
    picture.plot(x, np.sin(np.pi * x), "k--", label="true initial state")
    picture.plot(x, names.best.x, color="C1", label="found")
    picture.plot(x, names.forecast(names.best.x.copy(), 40), color="C0", label="its forecast")
    picture.plot(x[::5], names.observed, "k.", label="observed")
    picture.set(xlabel="x")
    picture.legend()
    return picture


def beam(names):
    picture = axes()
    where = np.indices((names.wide + 1, names.high + 1)).reshape(2, -1).T
    bent = where + 0.008 * names.u.reshape(-1, 2)
    squares = PolyCollection(
        bent[names.corner],
        array=-names.sensitivity,
        cmap="Blues",
        norm="log",
        edgecolor="0.4",
        linewidth=0.5,
    )
    picture.add_collection(squares)
    tip = bent[names.node[-1, -1]]
    picture.annotate("load", tip, tip + [0.0, 2.2], ha="center", arrowprops={"arrowstyle": "->"})
    picture.plot([0, 0], [-0.5, names.high + 0.5], "k", linewidth=4)
    picture.set(aspect="equal", xlim=(-0.5, names.wide + 1.5), ylim=(-4.0, names.high + 1.5))
    picture.set_axis_off()
    picture.figure.colorbar(squares, label="stiffness won by mass")
    return picture


def modes(names):
    pictures = axes(3, sharey=True)
    stiffness = names.hessian(names.energy)(np.zeros(3))
    values, vectors = np.linalg.eigh(stiffness)
    for picture, value, vector in zip(pictures, values, vectors.T):
        vector = vector * np.sign(vector[0])
        picture.axhline(0.0, color="0.6", linewidth=0.8)
        picture.plot([1, 2, 3], vector, "o-")
        picture.set(title=f"frequency {np.sqrt(value):.3f}", xticks=[1, 2, 3], xlabel="mass")
    pictures[0].set(ylim=(-1, 1), ylabel="displacement")
    return pictures[0]


def greeks(names):
    pictures = axes(2)
    spots = np.linspace(60.0, 150.0, 91)
    delta = names.grad(names.call)
    gamma = names.grad(delta)
    for years in (0.1, 0.5, 2.0):
        rest = (*names.market[1:4], years)
        pictures[0].plot(spots, [delta(spot, *rest) for spot in spots.tolist()], label=f"{years} y")
        pictures[1].plot(spots, [gamma(spot, *rest) for spot in spots.tolist()])
    for picture, title in zip(pictures, ("delta", "gamma")):
        picture.axvline(names.market[1], color="0.6", linewidth=0.8)
        picture.set(title=title, xlabel="spot")
    pictures[0].legend()
    return pictures[0]


def portfolio(names):
    picture = axes()
    views = np.linspace(0.0, 0.16, 65)
    all_views = [np.array([names.view[0], view]) for view in views]
    weights = np.array([names.portfolio(view, names.doubt).x for view in all_views])
    for k in range(4):
        picture.plot(views, weights[:, k], color=f"C{k}", label=f"asset {k + 1}")
        at = names.portfolio(names.view, names.doubt).x[k]
        line = at + names.moved[k, 1] * (views - names.view[1])
        picture.plot(views, line, "--", color=f"C{k}", linewidth=0.9)
    picture.axvline(names.view[1], color="0.6", linewidth=0.8)
    picture.set(xlabel="view on the first asset", ylabel="weight", ylim=(-0.05, 0.75))
    picture.legend(ncols=2)
    return picture


def likelihood(names):
    picture = axes()
    noise, walk = np.linspace(-2.6, 0.8, 24), np.linspace(-3.6, 0.8, 24)
    heights = [[names.negative(np.array([a, b])) for a in noise] for b in walk]
    levels = np.min(heights) + np.geomspace(0.5, 200.0, 10)
    picture.contour(noise, walk, heights, levels, cmap="viridis", linewidths=0.9)
    slope = value_and_grad(names.negative)
    a, b = np.meshgrid(noise[2::5], walk[2::5])
    down = -np.array([slope(np.array(p))[1] for p in zip(a.ravel(), b.ravel())]).T
    down /= np.sqrt(np.hypot(*down))
    picture.quiver(a, b, *down, angles="xy", width=0.008, scale=80.0, color="0.4")
    path = [np.zeros(2)]
    names.minimize(slope, path[0], jac=True, method="BFGS", callback=lambda p: path.append(p + 0.0))
    picture.plot(*np.transpose(path), "C1.-")
    picture.set(xlabel="log noise", ylabel="log walk", aspect="equal")
    return picture


def sensitivities(names):
    pictures = axes(2)
    time = 0.05 * np.arange(1, 51)
    pictures[0].plot(time, names.concentrations(np.array([1.0, 0.3])))
    pictures[0].set(title="amount", xlabel="time")
    for k in (0, 1):
        pictures[1].plot(time, names.sensitivity[:, k], label=f"by rate {k + 1}")
    pictures[1].set(title="derivatives", xlabel="time")
    pictures[1].legend()
    return pictures[0]


def lens(names):
    pictures = axes(2)
    edge, shape = np.linspace(-1.2, 1.2, 61), names.lens

    def front(y):
        return shape[0] * y**2 + shape[1] * y**4 + shape[2] * y**6

    outline = np.append(front(edge), [1.0, 1.0]), np.append(edge, [1.2, -1.2])
    pictures[0].fill(*outline, color="C0", alpha=0.25)
    for y in names.heights[::2]:
        at_back, landed = (names.landed(shape, y, screen=screen) for screen in (1.0, 4.0))
        beyond = landed + 0.2 * (landed - at_back)
        ways = [-0.8, front(y), 1.0, 4.6], [y, y, at_back, beyond]
        pictures[0].plot(*ways, color="C1", linewidth=0.8)
    pictures[0].axvline(4.0, color="0.3", linewidth=1.0)
    pictures[0].grid(False)
    pictures[0].set(title="the lens", aspect="equal", xlim=(-0.8, 4.6))
    for label, form in (("sphere", names.sphere), ("found", shape)):
        pictures[1].plot(names.heights, names.landed(form, names.heights), ".-", label=label)
    pictures[1].set(title="where a ray meets the screen", xlabel="height at which it comes in")
    pictures[1].legend()
    return pictures[0]


def river(names):
    picture = axes()
    goal = np.array([0.0, 1.0])
    heading = names.minimize(
        lambda p: p[1],
        [2.2, 1.5],
        constraints={"type": "eq", "fun": lambda p: names.missed(straight(p))},
    ).x
    x, y = np.meshgrid(np.linspace(-0.35, 0.35, 8), np.linspace(0.0, 1.0, 11))
    picture.quiver(x, y, 3.6 * y * (1.0 - y), 0.0 * y, color="0.75", width=0.003, scale=14)
    constant = f"constant heading, {heading[1]:.3f}"
    picture.plot(*(names.sailed(straight(heading)) + goal).T, "k--", label=constant)
    picture.plot(*(names.sailed(names.plan) + goal).T, label=f"fastest, {names.plan[-1]:.3f}")
    picture.plot([0, 0], [0, 1], "ko", markersize=4)
    picture.grid(False)
    picture.set(xlabel="along the river", ylabel="across", xlim=(-0.4, 0.7))
    picture.legend(loc="upper right")
    return picture


def straight(p):
    """The plan of a boat that does not turn: its heading and its time."""
    return np.append(np.full(40, p[0]), p[1])


def process(names):
    pictures = axes(2, sharey=True)
    fine = np.linspace(-0.5, 6.5, 120)
    start = np.log([0.3, 1.0, 0.3])
    for picture, p in zip(pictures, (start, names.smooth)):
        own = names.covariance(p, names.place, names.place) + np.exp(2.0 * p[2]) * np.eye(30)
        across = names.covariance(p, fine, names.place)
        mean = across @ np.linalg.solve(own, names.value)
        lost = np.sum(across * np.linalg.solve(own, across.T).T, axis=1)
        spread = 2.0 * np.sqrt(np.exp(2.0 * p[1]) - lost)
        picture.fill_between(fine, mean - spread, mean + spread, color="C0", alpha=0.25, lw=0)
        picture.plot(fine, mean)
        picture.plot(names.place, names.value, "k.", markersize=4)
        length, _, noise = np.exp(p)
        picture.set(title=f"length {length:.2f}, noise {noise:.2f}")
    return pictures[0]


PICTURES = (
    *(curve, flow, beam, modes, greeks, portfolio, likelihood, sensitivities, lens, river),
    process,
)


def sections(text):
    """The code of a page with its lines where they are; of each section its lines, its picture."""
    code, starts, pictures, inside = [], [0], [None], False
    for number, line in enumerate(text.splitlines()):
        if line.startswith("## ") and not inside:
            starts.append(number)
            pictures.append(None)
        found = re.match(r"!\[.+\]\(pictures/(\w+)\.svg\)$", line)
        pictures[-1] = found[1] if found else pictures[-1]
        inside = inside and not line.startswith("```")
        code.append(line if inside else "")
        inside = inside or line.strip() == "```python"
    return code, zip(starts, [*starts[1:], len(code)], pictures)


def draw(folder):
    """Draw all pictures into a folder; their files."""
    functions = {function.__name__: function for function in PICTURES}
    code, parts = sections((HERE / "gallery.md").read_text(encoding="utf-8"))
    names = {"__name__": "gallery"}
    drawn = []
    with tempfile.TemporaryDirectory() as place, mpl.rc_context(STYLE):
        file = Path(place) / "gallery.py"  # a derivative is made of text that is in a file
        file.write_text("\n".join(code), encoding="utf-8")
        for start, end, name in parts:
            exec(compile("\n" * start + "\n".join(code[start:end]), file, "exec"), names)
            if name is not None:
                path = folder / f"{name}.svg"
                picture = functions.pop(name)(SimpleNamespace(**names))
                picture.figure.savefig(path, metadata={"Date": None})
                drawn.append(path)
    assert not functions, f"no section shows {', '.join(functions)}"
    return drawn


def main():
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else HERE / "pictures"
    folder.mkdir(exist_ok=True)
    for path in draw(folder):
        print(f"{path.stat().st_size / 1000:5.1f} kB {path}")


if __name__ == "__main__":
    main()
