"""The folder in which derivatives are kept from one process to the next.

`AUTODIFF_CACHE` is a folder, or 0 for none; else it is `autodiff` in the user's folder for caches,
as platformdirs gives it: `$XDG_CACHE_HOME`, `~/.cache`, on macOS `~/Library/Caches`, on Windows
`%LOCALAPPDATA%` (and `Cache` in ours). Each entry is a file with the hash of its content before it,
replaced as a whole: who reads meanwhile finds the old one or the new one, and what is torn is as if
it were not there. Where nothing can be written nothing is kept.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import sys
import threading
from pathlib import Path

MOST = 1000
"""So many entries are kept; then the quarter that was used least lately goes."""
_HASH = 64


def folder() -> Path | None:
    """Where entries are; None if none are kept."""
    given = os.environ.get("AUTODIFF_CACHE", "")
    if given == "0":
        return None
    if given:
        return Path(given)
    with contextlib.suppress(RuntimeError):  # nobody is at home
        return of_user(sys.platform)
    return None


def of_user(system: str) -> Path:
    """Ours in the user's folder for caches."""
    if system == "win32":
        local = os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local"
        return Path(local) / "autodiff" / "Cache"
    given = os.environ.get("XDG_CACHE_HOME", "")
    if os.path.isabs(given):  # XDG: others are ignored
        return Path(given) / "autodiff"
    return Path.home() / ("Library/Caches" if system == "darwin" else ".cache") / "autodiff"


def entries() -> list[Path]:
    """The files, those that were used last come last."""
    place = folder()
    found = []
    with contextlib.suppress(OSError):
        for file in place.glob("*.derivative") if place else ():
            with contextlib.suppress(OSError):  # another process removed it
                found.append((file.stat().st_mtime, file))
    return [file for _, file in sorted(found)]


def read(key: str) -> bytes | None:
    """What was written under a key, if it is whole."""
    place = folder()
    if place is None:
        return None
    try:
        file = place / f"{key}.derivative"
        content = file.read_bytes()
        os.utime(file)
    except OSError:
        return None
    told, data = content[:_HASH], content[_HASH:]
    return data if hashlib.sha256(data).hexdigest().encode() == told else None


def write(key: str, data: bytes) -> None:
    """Keep something under a key, if that can be."""
    place = folder()
    if place is None:
        return
    new = place / f".{key}.{os.getpid()}.{threading.get_ident()}"
    with contextlib.suppress(OSError):
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
        try:
            new.write_bytes(hashlib.sha256(data).hexdigest().encode() + data)
            os.replace(new, place / f"{key}.derivative")
        finally:
            new.unlink(missing_ok=True)
        clear(MOST * 3 // 4, MOST)


def clear(left: int = 0, most: int = 0) -> int:
    """Remove all but so many entries if there are more than `most`; how many went."""
    found = entries()
    if len(found) <= most:
        return 0
    gone = found[: len(found) - left]
    for file in gone:
        with contextlib.suppress(OSError):
            file.unlink(missing_ok=True)
    return len(gone)
