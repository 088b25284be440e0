"""How much memory a call takes at its peak."""

from __future__ import annotations

import sys
from pathlib import Path

_STATUS, _RESET = Path("/proc/self/status"), Path("/proc/self/clear_refs")


def peak(function, arguments):
    """Bytes that a call adds to the memory of the process, at its peak; None where not known."""
    if not sys.platform.startswith("linux"):
        return None
    try:
        _RESET.write_text("5")  # the peak is what is used now
    except OSError:
        return None
    before = _resident("VmRSS")
    function(*arguments)
    return max(_resident("VmHWM") - before, 0)


def _resident(field):
    [line] = [line for line in _STATUS.read_text().splitlines() if line.startswith(field)]
    return int(line.split()[1]) * 1024
