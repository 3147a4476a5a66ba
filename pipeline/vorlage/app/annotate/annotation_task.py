"""The annotation of a corpus: its pairs, a gold file, and the systems to start from. JSON in, JSON out."""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from math import isnan
from typing import Any

from vorlage.alignments.alignment import Alignment
from vorlage.alignments.doubt import doubt, doubt_first
from vorlage.app.annotate.annotation import check_annotation, make_annotation
from vorlage.app.annotate.gold_file import NO_LINE, Changed, GoldFile, Stored, find
from vorlage.app.annotate.starts import adjudications, start_from_system
from vorlage.command.errors import InputError, shorten
from vorlage.command.progress import Progress
from vorlage.corpus.gold import ADJUDICATED, Gold
from vorlage.corpus.pair import Pair
from vorlage.corpus.records import read_records, tokenize
from vorlage.files.jsonl import to_line
from vorlage.score.agreement import compare_annotators
from vorlage.score.reference import AnnotatedPair, make_reference
from vorlage.score.systems import check_tokens, read_one_system
from vorlage.score.tsv import Value
from vorlage.types import JsonObject, StrPath
from vorlage.viewer.viewer import pair_data

AGREEMENT = ("annotator", "against", "words", "kappa_sure", "kappa_possible", "pairs")


class Task:
    """The pairs to annotate, in memory, and where the annotations are.

    `systems`: name → pair id → alignment, in the order in which the page offers them. The doubt of a pair
    is that of the first of them that has posteriors for it. Raise `InputError` for gold that does not
    fit its pair; gold of other pairs is left alone. Without a gold file, nothing can be saved.
    """

    def __init__(
        self, pairs: Sequence[Pair], gold: GoldFile | None, systems: Mapping[str, Mapping[str, Alignment]]
    ) -> None:
        self._gold = gold
        self._parsed: tuple[bytes, list[Stored]] = b"", []
        self._pairs = {pair.id: pair for pair in pairs}
        self._systems = systems
        self._doubts = {pair.id: self._doubt(pair.id) for pair in pairs}
        for stored in self._annotations():
            if pair := self._pairs.get(stored.annotation.gold.id):
                check_annotation(stored.annotation, pair, stored.where)

    def __len__(self) -> int:
        """Return the number of pairs."""
        return len(self._pairs)

    @cached_property
    def digest(self) -> str:
        """What tells this corpus from others: a digest of the ids and tokens of its pairs."""
        found = hashlib.sha256()
        for pair in self._pairs.values():
            found.update(to_line({"pair": [pair.id, pair.summary.words, pair.document.words]}).encode())
        return found.hexdigest()[:16]

    def index(self, annotator: str | None) -> JsonObject:
        """Return the pairs, and how far an annotator has come; None: no annotator.

        `pairs`: `id`, `words` (of the summary), `doubt`, and `finished` and `seconds` if the
        annotator has begun. `by_doubt`: their numbers, the most doubtful first; empty without posteriors.
        """
        everyone = self._annotations()
        own = {
            stored.annotation.gold.id: {
                "finished": stored.annotation.finished,
                "seconds": stored.annotation.seconds,
            }
            for stored in everyone
            if stored.annotation.gold.annotator == annotator
        }
        numbers = {pair_id: number for number, pair_id in enumerate(self._pairs)}
        ordered = doubt_first(list(self._pairs), self._doubts)
        return {
            "pairs": [
                {"id": pair.id, "words": len(pair.summary.tokens), "doubt": self._doubts[pair.id]}
                | own.get(pair.id, {})
                for pair in self._pairs.values()
            ],
            "by_doubt": [numbers[key] for key in ordered] if any(self._doubts.values()) else [],
            "annotators": list(dict.fromkeys(stored.annotation.gold.annotator for stored in everyone)),
            "adjudicator": ADJUDICATED,
        }

    def pair(self, pair_id: str, annotator: str) -> JsonObject:
        """Return the texts of a pair, the links to start from, and what the annotator has done.

        `line` is the record of the gold file, or None, and `revision` goes back with the next save. The
        work of others is in it only for the adjudicator. Raise `InputError` for an unknown pair.
        """
        pair = self._find(pair_id)
        everyone = [stored for stored in self._annotations() if stored.annotation.gold.id == pair_id]
        starts = [
            start_from_system(of_pairs[pair_id]) for of_pairs in self._systems.values() if pair_id in of_pairs
        ]
        if annotator == ADJUDICATED:
            finished = [stored.annotation.gold for stored in everyone if stored.annotation.finished]
            starts = adjudications(finished, len(pair.summary.tokens)) + starts
        data = pair_data(pair, None, [])
        return {
            "id": pair.id,
            "s": data["s"],
            "d": data["d"],
            "starts": [start.to_json() for start in starts],
            **_version(find(everyone, pair_id, annotator)),
        }

    def lines(self) -> list[JsonObject]:
        """Return the lines of the gold file for the pairs of this corpus, in their order."""
        annotations = (stored.annotation for stored in self._annotations())
        return [annotation.to_json() for annotation in annotations if annotation.gold.id in self._pairs]

    def content(self, pair_id: str) -> dict[str, str]:
        """Return a digit for each word of the summary `s` and the document `d`: 1 for a content word."""
        reference = make_reference(self._find(pair_id), [])
        sides = {"s": reference.summary_content, "d": reference.document_content}
        return {side: "".join(map(str, map(int, content))) for side, content in sides.items()}

    def save(self, request: Any) -> JsonObject:
        """Write an annotation to the gold file; return its `revision`.

        `request`: `line`, a line of a gold file, and `revision`, that of the line it replaces. Raise
        `InputError` for a line that does not fit its pair, and
        `vorlage.app.annotate.gold_file.Changed` if the file has another version.
        """
        fields = request if isinstance(request, dict) else {}
        line, revision = fields.get("line"), fields.get("revision")
        if not isinstance(line, dict) or not isinstance(revision, str):
            raise InputError("a save needs `line`, an object, and `revision`, a string")
        annotation = make_annotation(line, "annotation")
        check_annotation(annotation, self._find(annotation.gold.id), "annotation")
        return {"revision": self.gold.save(annotation, revision)}

    @property
    def gold(self) -> GoldFile:
        """The gold file; raises `InputError` without one."""
        if self._gold is None:
            raise InputError("no gold file was given, so nothing can be saved; name one")
        return self._gold

    def agreement(self, skip: int) -> list[JsonObject]:
        """Return κ of each two annotators over the finished pairs of both, without the first `skip`.

        Rows of `vorlage.score.agreement.compare_annotators` with the keys `AGREEMENT`; κ is None
        where it is not defined.
        """
        golds: dict[str, list[Gold]] = {}
        for stored in self._annotations():
            gold = stored.annotation.gold
            if stored.annotation.finished and gold.id in self._pairs:
                golds.setdefault(gold.id, []).extend([gold] * (gold.annotator != ADJUDICATED))
        annotated = {key: AnnotatedPair(self._pairs[key], of_pair) for key, of_pair in golds.items()}
        return [
            {key: _defined(row[key]) for key in AGREEMENT}
            for row in compare_annotators(annotated, skip)
            if str(row["annotator"]) < str(row["against"])
        ]

    def _annotations(self) -> list[Stored]:
        """Return the token gold of the file, which is only parsed again if it has changed."""
        content = self._gold.read() if self._gold else b""
        parsed_content, parsed = self._parsed
        if self._gold and content != parsed_content:
            parsed = self._gold.annotations(content)
            self._parsed = content, parsed
        return parsed

    def _find(self, pair_id: str) -> Pair:
        if pair_id not in self._pairs:
            raise InputError(f"pair {shorten(pair_id)} is not in this corpus")
        return self._pairs[pair_id]

    def _doubt(self, pair_id: str) -> float | None:
        for of_pairs in self._systems.values():
            if pair_id in of_pairs and (value := doubt(of_pairs[pair_id])) is not None:
                return value
        return None


def conflict(changed: Changed) -> JsonObject:
    """Return what the page needs to know of a save that was refused: the other version, and the reason."""
    return {"error": str(changed), **_version(changed.stored)}


def _defined(value: Value) -> Value | None:
    """Return a value of a table as JSON can hold it: None for NaN."""
    return None if isinstance(value, float) and isnan(value) else value


def _version(stored: Stored | None) -> JsonObject:
    return {
        "line": stored and stored.annotation.to_json(),
        "revision": stored.revision if stored else NO_LINE,
    }


def open_task(
    corpus: StrPath,
    gold: StrPath | None,
    alignments: Sequence[StrPath] = (),
    tokenized: bool = False,
    language: str = "en",
    align: Callable[[Pair], Alignment] | None = None,
) -> Task:
    """Return the task of annotating a corpus, with the same tokens as those of the corpus stage.

    `corpus`: JSON lines in input form, or `corpus.jsonl` of the corpus stage; `tokenized` and
    `language` as in `vorlage.corpus.records.tokenize`. `gold`: a gold file, which need not exist,
    or None. `alignments`: a file for each system. `align`: what makes the alignments of one more system.
    Raise `InputError` for input that cannot be used.
    """
    pairs = {record.id: tokenize(record, tokenized, language) for record in read_records(corpus)}
    if not pairs:
        raise InputError(
            f"{corpus}: no pairs; write a JSON object with `id`, `document` and `summary` a line"
        )
    systems: dict[str, dict[str, Alignment]] = {}
    for path in alignments:
        for alignment in read_one_system(path):
            if alignment.id not in pairs:
                raise InputError(f"{path}: pair {alignment.id} is not in {corpus}; align this corpus")
            check_tokens(alignment, pairs[alignment.id], path)
            systems.setdefault(alignment.system, {})[alignment.id] = alignment
    if align:
        with Progress("align", len(pairs)) as progress:
            made = [align(pair) for pair in progress.count(pairs.values())]
        if made[0].system in systems:
            raise InputError(
                f"alignments of {made[0].system} are given, which is the model, too; leave these out, or do "
                "not align"
            )
        systems[made[0].system] = {alignment.id: alignment for alignment in made}
    return Task(list(pairs.values()), GoldFile.at(gold) if gold else None, systems)
