"""A corpus on the disk with the alignments of systems and its gold, of which one pair is read at a time."""

import contextlib
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path

from vorlage.alignments.alignment import Alignment, check_tokens, make_alignment
from vorlage.command.errors import InputError, shorten
from vorlage.command.options import CommandParser
from vorlage.documents.pair import Pair
from vorlage.documents.records import check_usable, make_record, tokenize
from vorlage.documents.table import is_table
from vorlage.files.inputs import open_file, utf8_error
from vorlage.files.jsonl import from_line, read_jsonl
from vorlage.types import JsonObject, StrPath
from vorlage.workflow.gold import Annotations, Gold, checked, read_annotations

CORPUS, GOLD = Path("corpus/corpus.jsonl"), Path("corpus/gold.jsonl")  # in a folder of results


class LineFile:
    """A JSON-lines file whose ids are kept in memory, in order, and whose records stay on the disk.

    Raises:
        InputError: a line is not an object with an id of its own.
    """

    def __init__(self, path: StrPath) -> None:
        self.path = path
        self.places: dict[str, tuple[int, int]] = {}  # id → number of its line, byte that this begins at
        start = 0
        with open_file(path, "rb") as file:
            for number, line in enumerate(file, start=1):
                if line.strip():
                    id = self._parse(number, line).get("id")
                    if not isinstance(id, str):
                        raise InputError(f"{path}, line {number}: `id` is {shorten(id)}; make it a string")
                    if id in self.places:
                        raise InputError(f"{path}, line {number}: id {id} comes twice; change one")
                    self.places[id] = number, start
                start += len(line)

    def read(self, id: str) -> tuple[JsonObject, str]:
        """Return the record of an id, and its place for messages; raise `InputError` if that has changed."""
        number, start = self.places[id]
        with open_file(self.path, "rb") as file:
            file.seek(start)
            line = file.readline()
        with contextlib.suppress(InputError):
            record = self._parse(number, line)
            if record.get("id") == id:
                return record, f"{self.path}, line {number}"
        raise InputError(f"{self.path}: has changed since it was opened; start again")

    def _parse(self, number: int, line: bytes) -> JsonObject:
        try:
            return from_line(self.path, number, line.decode("utf-8-sig" if number == 1 else "utf-8"))
        except UnicodeDecodeError:
            raise utf8_error(self.path) from None


class CorpusFiles:
    """The pairs of a corpus, with the links of systems and the gold of each.

    Args:
        path: JSON lines in input form, `corpus.jsonl` of the corpus stage, or a folder of results, whose
            alignments and gold are taken too.
        alignments: a file for each system.
        gold: a gold file, which need not exist; by default that of the folder of results.
        tokenized: spaces separate tokens in the texts.
        language: of the texts, two letters.

    Raises:
        InputError: a file cannot be read, or has alignments of other pairs.
    """

    def __init__(
        self,
        path: StrPath,
        alignments: Sequence[StrPath] = (),
        gold: StrPath | None = None,
        tokenized: bool = False,
        language: str = "en",
    ) -> None:
        folder = Path(path).resolve()
        self.name, self._tokenized, self._language = folder.name, tokenized, language
        if folder.is_dir():
            path = folder / CORPUS
            if not path.is_file():
                raise InputError(f"{folder}: is a folder without {CORPUS}; give a folder of results")
            files = sorted(folder.glob("align/*/alignments.jsonl"))
            files.sort(key=lambda file: not file.parent.name.startswith("semihmm"))  # shown first
            alignments = [*files, *alignments]
            gold = gold or folder / GOLD
        if is_table(path):
            how = f"`vorlage corpus --reader jsonl --path {path} --output FOLDER`"
            raise InputError(f"{path}: is a table; make {CORPUS.name} of it with {how}, and open that")
        self._corpus = LineFile(path)
        if not self._corpus.places:
            raise InputError(
                f"{path}: no pairs; write a JSON object with `id`, `document` and `summary` a line"
            )
        self._systems = [LineFile(file) for file in alignments]
        for file in self._systems:
            for id in file.places.keys() - self._corpus.places.keys():
                raise InputError(f"{file.path}: pair {id} is not in {path}; align this corpus")
        self._gold: Annotations = {}
        has_gold = gold and Path(gold).exists() and Path(gold).stat().st_size
        if gold and has_gold and "alignments" in next(read_jsonl(gold))[1]:  # other gold is not shown
            self._gold = read_annotations(gold)

    @property
    def ids(self) -> list[str]:
        """The ids of all pairs, in order."""
        return list(self._corpus.places)

    def pair(self, id: str) -> Pair:
        """Return a pair; raise `InputError` for an unknown one, and for one that cannot be used."""
        if id not in self._corpus.places:
            raise InputError(f"pair {shorten(id)} is not in this corpus")
        record = check_usable(make_record(*self._corpus.read(id)))
        return tokenize(record, self._tokenized, self._language)

    def alignments(self, pair: Pair) -> list[Alignment]:
        """Return the alignments of a pair; raise `InputError` for one with other tokens."""
        alignments = []
        for file in self._systems:
            if pair.id in file.places:
                alignments.append(make_alignment(*file.read(pair.id)))
                check_tokens(alignments[-1], pair, file.path)
        return alignments

    def golds(self, pair: Pair) -> list[Gold]:
        """Return the gold of a pair that counts; raise `InputError` for gold that does not fit the pair."""
        return checked(pair, self._gold.get(pair.id, []))


def add_corpus_options(parser: CommandParser) -> None:
    """Add the options of a command that opens a corpus; `open_corpus` reads them."""
    alignments = "alignments.jsonl of systems; the first with posteriors tells how doubtful a pair is"
    parser.add_argument("--alignments", nargs="+", default=(), metavar="FILE", help=alignments)
    parser.add_argument("--tokenized", action="store_true", help="spaces separate tokens in the corpus")
    parser.add_argument("--language", default="en", help="language of the texts, two letters (default: en)")
    parser.add_argument("--gold", metavar="FILE", help="gold file with annotations to begin or to continue")
    align = "align the pairs, for the annotation to start from and to order them by doubt"
    parser.add_argument("--align", action="store_true", help=align)


def open_corpus(options: Namespace) -> CorpusFiles:
    """Open the corpus that the options of a command name."""
    return CorpusFiles(options.corpus, options.alignments, options.gold, options.tokenized, options.language)
