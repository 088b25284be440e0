"""Same input, same text, byte for byte."""

import os
import subprocess
import sys


def test_two_processes_generate_the_same_text(root):
    texts = [
        subprocess.run(
            [sys.executable, "-m", "tests.house.determinism"],
            cwd=root,
            env={**os.environ, "PYTHONHASHSEED": seed},
            check=True,
            capture_output=True,
        ).stdout
        for seed in ("1", "2")
    ]
    assert texts[0] == texts[1]
    assert texts[0].count(b"\ndef ") > 10
