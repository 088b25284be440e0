"""Write the text of the derivatives as it is now: `python -m tests.golden [NAME ...]`.

`--print` prints it instead.
"""

from __future__ import annotations

import sys

from tests.golden.case import EXPECTED, collect


def main(arguments: list[str]) -> None:
    names = [argument for argument in arguments if not argument.startswith("-")]
    cases = [case for case in collect() if not names or case.name in names]
    for case in cases:
        text = case.text()
        if "--print" in arguments:
            print(f"# {case.name}", text, sep="\n")
        elif not case.file.exists() or case.file.read_text(encoding="utf-8") != text:
            case.file.write_text(text, encoding="utf-8")
            print(f"wrote {case.file.relative_to(EXPECTED.parent)}")
    if not names:
        for file in sorted(set(EXPECTED.glob("*.py")) - {case.file for case in cases}):
            file.unlink()
            print(f"removed {file.relative_to(EXPECTED.parent)}")


if __name__ == "__main__":
    main(sys.argv[1:])
