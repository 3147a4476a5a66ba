"""An opened corpus: its pairs, with links of systems, gold and sources if there are any."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import NamedTuple

from vorlage.alignments.alignment import Alignment
from vorlage.app.found_sources import has_sentences_of, sources_data
from vorlage.app.record_file import RecordFile
from vorlage.attribution.documents import Documents
from vorlage.command.errors import InputError, shorten
from vorlage.corpus.gold import Gold, check_gold
from vorlage.corpus.pair import Pair, make_pair
from vorlage.corpus.records import make_record, tokenize
from vorlage.report.selection import gold_spans
from vorlage.score.systems import check_tokens
from vorlage.text.tokenized import Text
from vorlage.types import JsonObject
from vorlage.viewer.viewer import ViewName, pair_data

ENDS = frozenset(".!?")  # tokens that end a sentence of a text known by its tokens alone


class OpenedPair(NamedTuple):
    """The texts of a pair, and what the viewer shows of it: None if no system aligned it."""

    document: str
    text: str
    view: ViewName
    data: JsonObject | None


@dataclass(frozen=True)
class Opened:
    """A corpus, the alignments of it, both, or the sources of its texts.

    `name`: what the app calls it. `corpus`: the file of its pairs, if it was given. `systems`: a file
    of alignments for each system. `golds`: the gold of each annotated pair by its id. `sources`: the file
    of attributions that is shown in place of links.
    """

    name: str
    corpus: RecordFile | None
    systems: list[RecordFile] = field(default_factory=list)
    golds: dict[str, list[Gold]] = field(default_factory=dict)
    sources: RecordFile | None = None

    @property
    def main(self) -> RecordFile:
        """The file whose pairs are shown."""
        return self.sources or self.corpus or self.systems[0]

    @property
    def ids(self) -> Sequence[str]:
        """The ids of all pairs, in order."""
        return list(self.main.places)

    def pair(self, id: str) -> OpenedPair:
        """Return a pair; raise KeyError for an unknown id, and `InputError` for an invalid record."""
        if id not in self.main.places:
            raise KeyError(id)
        files = [file for file in self.systems if id in file.places]
        alignments = [_read_alignment(file, id) for file in files]
        pair = self._make_pair(id, alignments)
        if not (pair.document.tokens and pair.summary.tokens):
            raise InputError(f"{self.name}: pair {id}: its document or its summary is empty; remove the pair")
        if self.sources:
            return OpenedPair(
                pair.document.raw, pair.summary.raw, "attribution", self._read_sources(self.sources, id, pair)
            )
        for file, alignment in zip(files, alignments, strict=True):
            check_tokens(alignment, pair, file.path)
        golds = self.golds.get(id, [])
        for gold in golds:
            check_gold(gold, pair, f"the gold of {self.name}")
        data = pair_data(pair, gold_spans(pair, golds), alignments) if alignments else None
        return OpenedPair(pair.document.raw, pair.summary.raw, "alignment", data)

    def _read_sources(self, file: RecordFile, id: str, pair: Pair) -> JsonObject:
        where = f"{file.path}, line {file.places[id][0]}"
        return sources_data(file.read(id), Documents(pair.document, pair.document.raw), pair.summary, where)

    def _make_pair(self, id: str, alignments: Sequence[Alignment]) -> Pair:
        """Return a pair, split into tokens as its alignments are: at spaces alone if nothing else fits."""
        if self.corpus is None:
            return Pair(id, *map(text_of_tokens, (alignments[0].document_words, alignments[0].summary_words)))
        number, record = self.corpus.places[id][0], self.corpus.read(id)
        if isinstance(record.get("document"), dict):
            return make_pair(self.corpus.path, number, record)
        given = make_record(record, f"{self.corpus.path}, line {number}")
        if given.problem:
            raise InputError(f"{given.where}: pair {id}: {given.problem}; add it or remove the pair")
        pair = tokenize(given)
        if alignments:
            fits = alignments[0].document_words == pair.document.words
        else:
            fits = self.sources is None or has_sentences_of(self.sources.read(id), pair.summary)
        return pair if fits else tokenize(given, tokenized=True)


def _read_alignment(file: RecordFile, id: str) -> Alignment:
    where = f"{file.path}, line {file.places[id][0]}"
    try:
        return Alignment.from_json(file.read(id))
    except ValueError as error:
        raise InputError(f"{where}: pair {shorten(id)}: {error}") from None
    except (KeyError, TypeError, AttributeError) as error:
        raise InputError(
            f"{where}: not an alignment ({error!r}); make it with `vorlage.semihmm.decode`"
        ) from None


def text_of_tokens(words: Sequence[str]) -> Text:
    """Return the text that consists of these tokens, a space between two."""
    ends = list(accumulate(len(word) + 1 for word in words))
    tokens = tuple((end - 1 - len(word), end - 1) for word, end in zip(words, ends, strict=True))
    return Text(" ".join(words), tokens, tuple(_sentences(words)))


def _sentences(words: Sequence[str]) -> Iterator[tuple[int, int]]:
    first = 0
    for end, word in enumerate(words, start=1):
        if word in ENDS or end == len(words):
            yield first, end
            first = end
