"""`python -m tests.world`: judge the calls into packages, each package in a process of its own.

python -m tests.world                 # all that are installed; writes docs/world.md
python -m tests.world fluids thermo   # these, with each call that is not right
python -m tests.world fluids:Reynolds # this call, with the whole message
"""

from __future__ import annotations

import importlib
import json
import pkgutil
import subprocess
import sys
from collections import Counter, defaultdict
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path
from typing import Any

from tests.world import packages

REPORT = Path(__file__).parents[2] / "docs" / "world.md"
_WHOLE = 1200
"""Seconds that all calls into a package may take together."""
KINDS = ("right", "wrong", "NaN", "refused", "crash", "slow", "not judged")


def main(wanted: list[str]) -> None:
    """Judge, print, and of a whole run write the report."""
    if wanted[:1] == ["--one"]:
        _one(wanted[1], set(wanted[2:]))
        return
    names = [name for _, name, _ in pkgutil.iter_modules(packages.__path__)]
    asked = dict(word.partition(":")[::2] for word in wanted)
    rows: list[dict[str, Any]] = []
    for name in names:
        if asked and name not in asked:
            continue
        found = _judged(name, asked.get(name, ""))
        rows += found
        counts = Counter(row["what"] for row in found)
        print(name, dict(counts), flush=True)
        for row in found if wanted else ():
            if row["what"] not in ("right",):
                why = row["why"] if asked[name] else _reason(row["why"])
                print(f"  {row['call']} ({row['mode']}) {row['what']}: {why}")
    print(_table(rows))
    if not wanted:
        REPORT.write_text(_report(rows), encoding="utf-8")


def _judged(name: str, call: str) -> list[dict[str, Any]]:
    """What a process of its own finds of a package; what it dies at is a crash."""
    command = [sys.executable, "-W", "ignore", "-m", "tests.world", "--one", name]
    command += call.split(",") if call else []
    try:
        run = subprocess.run(command, capture_output=True, text=True, timeout=_WHOLE, check=False)
        out, err = run.stdout, run.stderr
    except subprocess.TimeoutExpired as late:
        out = late.stdout.decode() if isinstance(late.stdout, bytes) else late.stdout or ""
        err = "Killed\nslow"
    lines = [json.loads(line[1:]) for line in out.splitlines() if line.startswith("\0")]
    rows = [row for row in lines if "what" in row]
    started = [row["call"] for row in lines if "what" not in row and row["call"] != "end"]
    if not any(row["call"] == "end" for row in lines):
        last = started[-1] if started else "import"
        done = {(row["call"], row["mode"]) for row in rows}
        if not started:
            return [_row(name, last, mode, "not judged", err[-300:]) for mode in ("grad", "jvp")]
        rows += [
            _row(name, last, mode, "crash", err[-300:])
            for mode in ("grad", "jvp")
            if (last, mode) not in done
        ]
    return rows


def _row(name: str, call: str, mode: str, what: str, why: str, seconds: float = 0.0) -> Any:
    return {
        "package": name,
        "call": call,
        "mode": mode,
        "what": what,
        "why": why,
        "seconds": seconds,
    }


def _one(name: str, wanted: set[str]) -> None:
    """Judge the calls of a package, and write a line of each."""
    from tests.world.verdicts import judged

    module = importlib.import_module(f"tests.world.packages.{name}")
    for call in module.CALLS:
        title = call.function.__name__
        if wanted and title not in wanted:
            continue
        _say({"call": title})
        for mode, verdict in judged(call).items():
            _say({"package": name, "call": title, "mode": mode, **asdict(verdict)})
    _say({"call": "end"})


def _say(line: dict[str, Any]) -> None:
    print("\0" + json.dumps(line), flush=True)


def _reason(why: str) -> str:
    """The line of a message that says why."""
    lines = [line.strip() for line in why.strip().splitlines() if line.strip()]
    if why.startswith("Traceback"):
        return lines[-1][:200] if lines else ""
    return next((line for line in lines if not line.startswith("File ")), "")[:200]


def _table(rows: list[dict[str, Any]]) -> str:
    """How many calls of each package came out how, `grad` and `jvp` apart."""
    titles = ["package"] + [f"{kind}" for kind in KINDS]
    lines = ["| " + " | ".join(titles) + " |", "| --- |" + " ---: |" * len(KINDS)]
    counts: dict[str, Counter[Any]] = defaultdict(Counter)
    for row in rows:
        for title in (row["package"], "all"):
            counts[title][row["mode"], row["what"]] += 1
    whole = counts.pop("all", Counter())
    for title, count in [*sorted(counts.items()), ("all", whole)]:
        cells = [f"{count['grad', kind]} / {count['jvp', kind]}" for kind in KINDS]
        cells = ["" if cell == "0 / 0" else cell for cell in cells]
        lines.append("| " + " | ".join([title, *cells]) + " |")
    return "\n".join(lines)


def _report(rows: list[dict[str, Any]]) -> str:
    """The page of the documents."""
    reasons = Counter(
        f"{row['what']}: {_reason(row['why'])}"
        for row in rows
        if row["what"] not in ("right", "not judged") and row["mode"] == "grad"
    )
    listed = "\n".join(f"* {count} x {reason}" for reason, count in reasons.most_common(40))
    versions = ", ".join(sorted({_versioned(row["package"]) for row in rows}))
    return (
        "# Calls into public packages\n\n"
        "Written by `make world`: calls as users of the packages write them (`tests/world/`), "
        "judged by differences at two points, in reverse / forward mode.\n\n"
        f"{_table(rows)}\n\n## What is not right, in reverse mode\n\n{listed}\n\n"
        f"Versions: {versions}.\n"
    )


def _versioned(name: str) -> str:
    module = importlib.import_module(f"tests.world.packages.{name}")
    title = getattr(module, "DISTRIBUTION", name)
    return f"{title} {version(title)}"


main(sys.argv[1:])
