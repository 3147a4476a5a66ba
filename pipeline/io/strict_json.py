"""JSON read strictly: refused is what would be lost, is no number, or cannot be written again."""

import json
import math
import re


class JsonError(ValueError):
    """Text that is no JSON, or JSON that is not taken; the message says why."""


def parse_json(text, halves=False):
    """The value that ``text`` has; raises :class:`JsonError`.

    Refused are ``NaN`` and ``Infinity``, numbers too large for a float or of more than some thousand digits,
    a key that comes twice in an object, values nested too deep for the stack and, unless ``halves``, texts
    with half of a surrogate pair, which no file in UTF-8 can hold.
    """
    try:
        value = _DECODER.decode(text)
    except json.JSONDecodeError as error:
        nul = ", there are NUL bytes; is it UTF-16?" if "\0" in text else ""
        raise JsonError(f"{error.msg} at column {error.colno}{nul}") from None
    except RecursionError:
        raise JsonError("nested too deep") from None
    except JsonError:
        raise
    except ValueError:  # of int()
        raise JsonError("a number of thousands of digits") from None
    if not halves and _HALF_PAIR.search(text) and (half := find_half(json.dumps(value, ensure_ascii=False))):
        raise JsonError(f"half of a surrogate pair, {half}")
    return value


def find_half(text):
    r"""The first character of ``text`` that is half of a surrogate pair, as ``\ud83d``, or None."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        return f"\\u{ord(text[error.start]):x}"
    return None


_HALF_PAIR = re.compile(r"\\u[dD][89a-fA-F]")


def _object(pairs):
    found = dict(pairs)
    if len(found) != len(pairs):
        keys = [key for key, _ in pairs]
        raise JsonError(f"the key `{next(key for key in keys if keys.count(key) > 1)}` comes twice")
    return found


def _float(text):
    number = float(text)
    if math.isinf(number):
        raise JsonError(f"{text:.40} is too large for a number")
    return number


def _constant(text):
    raise JsonError(f"{text} is no number")


_DECODER = json.JSONDecoder(object_pairs_hook=_object, parse_float=_float, parse_constant=_constant)
