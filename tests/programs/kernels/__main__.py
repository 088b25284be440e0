"""Write `refused.py` anew: `python -m tests.programs.kernels`. Kernels that fail are printed."""

from __future__ import annotations

import traceback
from pathlib import Path

from autodiff.errors import AutodiffError
from tests.programs.kernels import checks, refused

HEAD = f'''"""{refused.__doc__}"""

# ruff: noqa: E501

REFUSED: dict[str, str] = {{
'''


def main() -> None:
    lines = []
    for entry in checks.KERNELS:
        try:
            checks.check_gradient(entry)
        except AutodiffError as error:
            reason = str(error).splitlines()[0].replace('"', "'")
            lines.append(f'    "{entry.name}": "{reason}",')
        except Exception:
            print(f"{entry.name} fails")
            print("    " + traceback.format_exc(limit=-1).strip().replace("\n", "\n    "))
    text = HEAD + "".join(f"{line}\n" for line in lines) + "}\n"
    Path(refused.__file__).write_text(text, encoding="utf-8")
    print(f"{len(lines)} of {len(checks.KERNELS)} refused")


if __name__ == "__main__":
    main()
