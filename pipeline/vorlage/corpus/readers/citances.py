"""Reads citances, the sentences of other papers that cite a paper, in the layout of ScisummNet.

A file is a list of objects, one for each citance:

    {"citance_No": 1, "citing_paper_id": "W00-0000", "citing_paper_authority": 3,
     "citing_paper_authors": "Ada, Example", "raw_text": "…", "clean_text": "…", "keep_for_gold": 0}

Only the number and the text are read: `keep_for_gold` does not choose among the citances.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from vorlage.command.errors import InputError, shorten
from vorlage.corpus.readers.files import read_json_file, unescape

CITANCES = "citing_sentences_annotated.json"


def read_citances(file: Path) -> list[tuple[int, str, str]]:
    """Return the number, the place (for messages) and the text of each citance of a file, in its order.

    The text is `clean_text` or, where that is missing or blank, `raw_text`. Raise `InputError`
    naming the file, the citance and the field for anything that is not in the layout.
    """
    citances = read_json_file(file)
    if not isinstance(citances, list):
        raise InputError(f"{file}: is a {type(citances).__name__}; it must be a list of citances")
    found, numbers = [], set[int]()
    for index, citance in enumerate(citances, 1):
        place = f"{file}, citance {index} of the list"
        if not isinstance(citance, dict):
            raise InputError(f"{place}: is {shorten(citance)}; it must be an object with `citance_No`")
        number = citance.get("citance_No")
        if type(number) is not int or number < 0:
            raise InputError(f"{place}: `citance_No` is {shorten(number)}; make it a whole number from 0")
        if number in numbers:
            raise InputError(f"{place}: `citance_No` {number} comes twice; number the citances differently")
        numbers.add(number)
        found.append((number, place, _text(citance, place)))
    return found


def _text(citance: Mapping[str, Any], place: str) -> str:
    """Return the text of a citance."""
    given = {key: citance[key] for key in ("clean_text", "raw_text") if key in citance}
    for key, text in given.items():
        if not isinstance(text, str):
            raise InputError(f"{place}: `{key}` is {shorten(text)}; make it a string")
    if not given:
        raise InputError(f"{place}: no `clean_text`; add it, or `raw_text`")
    return unescape(next((text for text in given.values() if text.strip()), "")).strip()
