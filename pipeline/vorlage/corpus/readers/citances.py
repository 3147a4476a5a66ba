"""Reads citances, the sentences of other papers that cite a paper, in the layout of ScisummNet.

A file is a list of objects, one for each citance:

    {"citance_No": 1, "citing_paper_id": "W00-0000", "citing_paper_authority": 3,
     "citing_paper_authors": "Ada, Example", "raw_text": "…", "clean_text": "…", "keep_for_gold": 0}

Only the number and the text are read: `keep_for_gold` does not choose among the citances.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from pydantic import Field, StrictInt, TypeAdapter

from vorlage.corpus.form import parse
from vorlage.corpus.readers.files import read_json_file, unescape

CITANCES = "citing_sentences_annotated.json"


@dataclass(frozen=True)
class Citance:
    """A citance; its text is `clean_text` or, where that is missing or blank, `raw_text`."""

    number: Annotated[StrictInt, Field(validation_alias="citance_No", ge=0)]
    clean_text: str = ""
    raw_text: str = ""

    @property
    def text(self) -> str:
        """The text."""
        return unescape(self.clean_text if self.clean_text.strip() else self.raw_text).strip()


def read_citances(file: Path) -> list[Citance]:
    """Return the citances of a file; raise `InputError` for anything that is not in the layout."""
    return parse(TypeAdapter(list[Citance]), read_json_file(file), str(file))
