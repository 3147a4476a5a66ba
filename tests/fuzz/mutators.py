"""Small changes to inputs that stay near their format. Each takes bytes and a ``random.Random``."""

import io
import json
import re
import struct
import zipfile
import zlib

import numpy as np
import yaml

TEXTS = (
    *("", " ", "a", "The old printer ships.", "\0", "\n", "\r", "\t", "\x85", "\ufeff", "\u200b", "\u00a0"),
    *("\u2028", "\ud800", "\udfff", "\U0001f469\u200d\U0001f4bb", "e\u0301", "\u0645\u0631\u062d", "\u202e"),
    *("../../x", "a/b", "con", "$(x)", "'", '"', "<b>", "&amp;", "-LRB-", "(", "null", "1e5", "[", "---"),
)
NUMBERS = (0, 1, -1, 2, 3, 7, 2**31, 2**63, 10**30, -(2**63) - 1, 0.0, -0.0, 0.5, 1.5, 1e-320, 1e308)
NOT_FINITE = (float("nan"), float("inf"), float("-inf"))
OTHERS = (None, True, False, [], {}, [[]], [0, 1], [1, 0], [-1, 2], [[0, 1], [2, 3]], {"a": 1}, "x" * 300)
BYTES = (
    *(b"\0", b"\xff", b"\xfe\xff", b"\xef\xbb\xbf", b"\r", b"\r\n", b"\n", b"\n\n", b"\xed\xa0\x80", b"\x1a"),
    *(b" ", b"\t", b"\xc2\x85", b"\xe2\x80\xa8", b"\\ud800", b"\\u0000", b"\x1f\x8b", b"NaN", b"1e999"),
    b"[" * 200,
)
# The errors of NumPy for a file that is not an archive of arrays.
NO_ARCHIVE = (OSError, ValueError, EOFError, KeyError, NotImplementedError, RuntimeError, MemoryError)
NO_ARCHIVE = (*NO_ARCHIVE, zipfile.BadZipFile, zlib.error, struct.error)
_PIECE = re.compile(rb"</?\w*|&[#\w]*;?|\w+|\s+|.", re.DOTALL)
_JSON_FIELD = re.compile(r"\s*[\[{]")


def damage(data, random):
    """Return ``data`` with a run of bytes removed, inserted, repeated or changed."""
    start = random.randint(0, len(data))
    end = min(len(data), start + random.choice((0, 1, 1, 4, 16, len(data))))
    new = random.choice((b"", random.choice(BYTES), data[start:end] * 2, bytes([random.randrange(256)])))
    return data[:start] + new + data[end:]


def json_lines(data, random):
    """Change a value or the lines of a JSON-lines file; call :func:`damage` if it is not JSON."""
    lines = data.split(b"\n")
    at = random.randrange(len(lines))
    if random.random() < 0.2:
        lines[at : at + 1] = random.choice(([], [lines[at]] * 2, [lines[at], random.choice(lines)], [b""]))
        return b"\n".join(lines)
    try:
        record = altered(json.loads(lines[at]), random)
        text = json.dumps(record, ensure_ascii=random.random() < 0.5)
    except (ValueError, RecursionError):
        return damage(data, random)
    lines[at] = text.encode("utf-8", "surrogatepass")
    return b"\n".join(lines)


def yaml_document(data, random):
    """Change a value of a YAML document; call :func:`damage` if it is not YAML."""
    try:
        value = altered(yaml.safe_load(data), random)
        return yaml.safe_dump(value, allow_unicode=True, sort_keys=False).encode()
    except (ValueError, RecursionError, yaml.YAMLError):
        return damage(data, random)


def pieces(data, random):
    """Remove, repeat or move some words, tags, brackets or spaces of a text."""
    found = _PIECE.findall(data)
    if not found:
        return damage(data, random)
    start = random.randrange(len(found))
    end = start + random.choice((1, 1, 2, 5, 20))
    other = random.randrange(len(found))
    new = random.choice(
        (
            [],
            found[start:end] * 2,
            found[other : other + end - start],
            [random.choice(BYTES)],
            found[start:end][::-1],
        )
    )
    found[start:end] = new
    return b"".join(found)


def npz(data, random):
    """Change, remove or replace an array of an npz archive."""
    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as file:
            arrays = dict(file)
    except NO_ARCHIVE:
        return damage(data, random)
    if not arrays:
        return damage(data, random)
    name = random.choice(sorted(arrays))
    change = random.randrange(8)
    if change == 0:
        del arrays[name]
    elif change == 1:
        arrays[name] = arrays[random.choice(sorted(arrays))]
    else:
        arrays[name] = _changed(arrays[name], random)
    out = io.BytesIO()
    np.savez(out, **arrays)
    return out.getvalue()


def altered(value, random):
    """Return a JSON value with one random part changed."""
    inner = (
        list(value.items() if isinstance(value, dict) else enumerate(value))
        if isinstance(value, dict | list)
        else []
    )
    if inner and random.random() < 0.85:
        key, part = random.choice(inner)
        value = value.copy()
        change = random.randrange(10)
        if change == 0:
            del value[key]
        elif change == 1:
            value[key] = random.choice(inner)[1]
        elif change == 2 and isinstance(value, dict):
            value[random.choice(TEXTS)] = part
        elif change == 2:
            value.insert(key, part)
        else:
            value[key] = altered(part, random)
        return value
    return _other(value, random)


def _other(value, random):
    if isinstance(value, str) and random.random() < 0.5:
        at = random.randint(0, len(value))
        return value[:at] + random.choice(TEXTS) + value[at + random.choice((0, 0, 1, len(value))) :]
    if type(value) in (int, float) and random.random() < 0.5:
        return random.choice((value + 1, value - 1, -value, value * 2, f"{value}"))
    return random.choice(
        random.choice((TEXTS, NUMBERS, NOT_FINITE, OTHERS, ([value], {"a": value}, [value] * 2)))
    )


def _changed(array, random):
    if array.dtype == np.uint8 and random.random() < 0.8:
        return _changed_text(array, random)
    change = random.randrange(7)
    if change == 0:
        return array[: random.randint(0, len(array))] if array.ndim else array.reshape(1)
    if change == 1:
        return np.concatenate([array, array]) if array.ndim else array.reshape(1, 1)
    if change == 2 and array.dtype.kind in "biuf":
        kind = random.choice(
            (np.float32, np.float64, np.int64, np.int8, np.uint8, np.bool_, np.complex128, "S3", "U2")
        )
        with np.errstate(all="ignore"):
            return array.astype(kind)
    if change == 3:
        return array.ravel() if array.ndim > 1 else array[..., None]
    if change == 4:
        return array.T[..., ::-1] if array.ndim else array
    return _with_odd_entry(array, random)


def _with_odd_entry(array, random):
    array = array.copy()
    if array.size and array.dtype.kind in "iuf":
        at = random.randrange(array.size)
        values = (0, 1, -1, 2, 10**6, 2**31 - 1, array.flat[random.randrange(array.size)])
        odd = random.choice((*values, *NOT_FINITE, 1e308, 1e-320) if array.dtype.kind == "f" else values)
        with np.errstate(all="ignore"):
            array.flat[at] = np.array(odd).astype(array.dtype)
    return array


def _changed_text(array, random):
    """Return an array of bytes, which hold text or JSON, with a change."""
    text = array.tobytes()
    if _JSON_FIELD.match(text.decode("utf-8", "replace")):
        new = json_lines(text, random)
    else:
        new = random.choice((damage, pieces))(text, random)
    return np.frombuffer(new, dtype=np.uint8)
