"""The work of one annotator on one pair: a line of a gold file, with what the annotation page adds to it.

    {"id": "a1", "annotator": "A", "unit": "token", "alignments": [{"summary": [3, 5], "document": [17, 20],
     "sure": true}], "seconds": 95, "start": "semihmm-syntax", "finished": false, "null": [5, 8]}

`seconds`: the time that the annotator has worked on the pair. `start`: the links that the annotator
started from, if there were any. A line with `finished: false` is left out by everything that reads gold
(`vorlage.corpus.gold.read_gold`); its `null` lists the summary words that the annotator has said to
have no source. In a finished line, those are the words without a link.
"""

from dataclasses import dataclass

from vorlage.command.errors import InputError, shorten
from vorlage.corpus.gold import Gold, check_gold, is_finished, make_gold
from vorlage.corpus.pair import Pair
from vorlage.types import JsonObject

LONGEST_NAME = 80  # characters
LONGEST_TIME = 10**9  # seconds


@dataclass(frozen=True)
class Annotation:
    """The links of a pair in tokens, and the state of the work: see the docstring of this module."""

    gold: Gold
    nulls: tuple[int, ...] = ()
    finished: bool = True
    seconds: int = 0
    start: str = ""

    def to_json(self) -> JsonObject:
        """Return the content of the line of a gold file."""
        record = self.gold.to_json() | {"seconds": self.seconds}
        if self.start:
            record["start"] = self.start
        return record if self.finished else record | {"finished": False, "null": list(self.nulls)}


def make_annotation(record: JsonObject, where: str) -> Annotation:
    """Return the annotation of a line of a gold file; raise `InputError` if it is malformed."""
    seconds, start, nulls = record.get("seconds", 0), record.get("start", ""), record.get("null", [])
    if type(seconds) is not int or not 0 <= seconds <= LONGEST_TIME:
        raise InputError(f"{where}: seconds is {shorten(seconds)}; make it a whole number from 0")
    if not isinstance(start, str) or not start.isprintable():
        raise InputError(f"{where}: start is {shorten(start)}; make it text on one line")
    if not isinstance(nulls, list) or not all(type(word) is int for word in nulls):
        raise InputError(
            f"{where}: null is {shorten(nulls)}; make it a list of summary words, counted from 0"
        )
    finished = is_finished(record, where)
    return Annotation(make_gold(record, where), () if finished else tuple(nulls), finished, seconds, start)


def check_annotation(annotation: Annotation, pair: Pair, where: str) -> None:
    """Raise `InputError` unless the annotation fits `pair` and names its annotator."""
    name = annotation.gold.annotator
    if not name.strip() or not name.isprintable() or len(name) > LONGEST_NAME:
        raise InputError(
            f"{where}: annotator {shorten(name)} must be visible text of at most {LONGEST_NAME} characters"
        )
    if annotation.gold.unit != "token":
        raise InputError(f"{where}: unit is {annotation.gold.unit!r}; annotations are in tokens")
    check_gold(annotation.gold, pair, where)
    for word in annotation.nulls:
        if not 0 <= word < len(pair.summary.tokens):
            raise InputError(f"{where}: null has {word}; the summary has {len(pair.summary.tokens)} tokens")
