"""Constants as text."""

from __future__ import annotations

import math

from autodiff.errors import InternalError


def literal(value: object) -> str:
    """The text of a constant. A number may come out as an operation: `-1`, `1.0 + 2j`.

    >>> literal(2.0), literal(-1), literal("text"), literal(...), literal(float("inf"))
    ('2.0', '-1', '"text"', '...', '1e309')
    """
    if value is None or value is True or value is False:
        return repr(value)
    if value is Ellipsis:
        return "..."
    if isinstance(value, (str, bytes)):
        return string(value)
    if isinstance(value, int):
        try:
            return int.__repr__(value)
        except ValueError:  # Python prints no number of thousands of digits, but reads hexadecimal
            return hex(value)
    if isinstance(value, float):
        return _real(value)
    if isinstance(value, complex):
        return _complex(value)
    raise InternalError(f"emit: the constant {value!r} has no literal")


def string(value: str | bytes) -> str:
    """A string or bytes, in double quotes where those need no more escapes.

    >>> print(string("it's"), string('"'), string(b"bytes"))
    "it's" '"' b"bytes"
    """
    text = repr(value)
    if text[-1] == '"' or '"' in text:
        return text
    return text.replace("'", '"')


def docstring(value: str) -> str:
    """A string between triple quotes, with escapes only where they are needed."""
    text = value.replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
    if (len(value) - len(value.rstrip('"'))) % 3:  # the last quote is not escaped yet
        text = text[:-1] + '\\"'
    if not all(c == "\n" or c.isprintable() for c in text):
        text = "".join(c if c == "\n" or c.isprintable() else repr(c)[1:-1] for c in text)
    return f'"""{text}"""'


def quoted(value: str, quote: str) -> str:
    """What stands between quotes of a kind for the text of an f-string."""
    text = "".join([c if c in "'\"" else repr(c)[1:-1] for c in value])
    return text.replace(quote, "\\" + quote).replace("{", "{{").replace("}", "}}")


def _real(value: float) -> str:
    if math.isnan(value):
        return "(1e309 - 1e309)"
    return float.__repr__(value).replace("inf", "1e309")


def _complex(value: complex) -> str:
    imaginary = complex.__repr__(complex(0.0, abs(value.imag))).replace("inf", "1e309")
    if math.isnan(value.imag):
        imaginary = "(1e309j - 1e309j)"
    minus = math.copysign(1.0, value.imag) < 0
    if value.real == 0 and not minus and math.copysign(1.0, value.real) > 0:
        return imaginary
    return f"{_real(value.real)} {'-' if minus else '+'} {imaginary}"
