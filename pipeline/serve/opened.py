"""The corpora that the command line names: their pairs, with links of systems and gold if there are any."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from pathlib import Path
from typing import NamedTuple

from pipeline.alignments import Alignment
from pipeline.corpus.gold import Gold, check_gold
from pipeline.corpus.new import tokenize
from pipeline.corpus.pair import Pair, make_pair
from pipeline.corpus.readers.jsonl import make_record
from pipeline.corpus.tokenize import Text
from pipeline.report.selection import gold_spans, read_golds
from pipeline.report.viewer import pair_data
from pipeline.run.errors import InputError, shorten
from pipeline.score.systems import check_tokens
from pipeline.serve.record_file import RecordFile
from pipeline.types import JsonObject

FORMATS = (
    "give a folder of results (results/<name>), an alignments.jsonl, or pairs as JSON lines with `id`, "
    "`document` and `summary`"
)
CORPUS = Path("corpus/corpus.jsonl")  # in a folder of results
ENDS = frozenset(".!?")  # tokens that end a sentence of a text known by its tokens alone


class OpenedPair(NamedTuple):
    """The texts of a pair, and what the viewer shows of its links: None if no system aligned it."""

    document: str
    text: str
    data: JsonObject | None


@dataclass(frozen=True)
class Opened:
    """A corpus, the alignments of it, or both.

    ``name``: what the app calls it. ``corpus``: the file of its pairs, if it was given. ``systems``: a file
    of alignments for each system. ``golds``: the gold of each annotated pair by its id.
    """

    name: str
    corpus: RecordFile | None
    systems: list[RecordFile] = field(default_factory=list)
    golds: dict[str, list[Gold]] = field(default_factory=dict)

    @property
    def ids(self) -> Sequence[str]:
        """The ids of all pairs, in order."""
        return list((self.corpus or self.systems[0]).places)

    def pair(self, id: str) -> OpenedPair:
        """Return a pair; raise KeyError for an unknown id, and :class:`InputError` for an invalid record."""
        if id not in (self.corpus or self.systems[0]).places:
            raise KeyError(id)
        files = [file for file in self.systems if id in file.places]
        alignments = [_read_alignment(file, id) for file in files]
        pair = self._make_pair(id, alignments)
        if not (pair.document.tokens and pair.summary.tokens):
            raise InputError(f"{self.name}: pair {id}: its document or its summary is empty; remove the pair")
        for file, alignment in zip(files, alignments, strict=True):
            check_tokens(alignment, pair, file.path)
        golds = self.golds.get(id, [])
        for gold in golds:
            check_gold(gold, pair, f"the gold of {self.name}")
        data = pair_data(pair, gold_spans(pair, golds), alignments) if alignments else None
        return OpenedPair(pair.document.raw, pair.summary.raw, data)

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
        if alignments and alignments[0].document_words != pair.document.words:
            return tokenize(given, tokenized=True)
        return pair


def open_paths(paths: Sequence[str]) -> list[Opened]:
    """Open the files and folders of the command line; raise :class:`InputError` for one that is neither.

    Alignments are shown with the first of the given corpora that has all their pairs, else with the corpus of
    their folder of results, else by themselves.
    """
    opened: list[Opened] = []
    alignments = []
    for path in map(Path, paths):
        if path.is_dir():
            opened.append(_open_results(path))
            continue
        file = RecordFile.open(path)
        if {"document_tokens", "summary_tokens", "alignments"} <= file.first.keys():
            alignments.append(file)
        elif {"document", "summary"} <= file.first.keys():
            opened.append(Opened(path.name, file))
        else:
            raise InputError(f"{path}: has neither pairs nor alignments; {FORMATS}")
    for file in alignments:
        home = next(
            (one for one in opened if one.corpus and file.places.keys() <= one.corpus.places.keys()), None
        )
        if home is None:
            home = _open_around(file)
            opened.append(home)
        _add_system(home, file)
    return opened


def _add_system(home: Opened, file: RecordFile) -> None:
    system = file.first.get("system")
    for other in home.systems:
        if other.first.get("system") == system:
            raise InputError(
                f"{file.path}: system {shorten(system)} is in {other.path} too; give each system once"
            )
    home.systems.append(file)


def _open_results(folder: Path) -> Opened:
    if not (folder / CORPUS).is_file():
        raise InputError(f"{folder}: is a folder without {CORPUS}; {FORMATS}")
    gold = folder / CORPUS.with_name("gold.jsonl")
    golds = read_golds(gold if gold.is_file() else None)
    opened = Opened(folder.resolve().name, RecordFile.open(folder / CORPUS), golds=golds)
    systems = folder.glob("align/*/alignments.jsonl")
    # The viewer begins with the first system.
    for path in sorted(systems, key=lambda path: (not path.parent.name.startswith("semihmm"), path)):
        _add_system(opened, RecordFile.open(path))
    return opened


def _open_around(file: RecordFile) -> Opened:
    """Return the corpus that alignments belong to by their place, without any alignments."""
    folders = file.path.resolve().parents[2:3]
    corpora = [RecordFile.open(folder / CORPUS) for folder in folders if (folder / CORPUS).is_file()]
    fits = (corpus for corpus in corpora if file.places.keys() <= corpus.places.keys())
    return Opened(file.path.name, next(fits, None))


def _read_alignment(file: RecordFile, id: str) -> Alignment:
    where = f"{file.path}, line {file.places[id][0]}"
    try:
        return Alignment.from_json(file.read(id))
    except ValueError as error:
        raise InputError(f"{where}: pair {shorten(id)}: {error}") from None
    except (KeyError, TypeError, AttributeError) as error:
        raise InputError(f"{where}: not an alignment ({error!r}); make it with `pipeline.align`") from None


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
