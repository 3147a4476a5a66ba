"""The annotation of a corpus: its pairs, a gold file, and the systems to start from. JSON in, JSON out."""

import hashlib
from functools import cached_property
from typing import Any

from vorlage.alignments.alignment import doubt, doubt_first
from vorlage.api.trained_model import TrainedModel
from vorlage.app.annotate.gold_file import NO_LINE, GoldFile, GoldLine, check_annotation
from vorlage.app.annotate.starts import start_adjudications, start_from_system
from vorlage.app.corpus_files import CorpusFiles
from vorlage.command.errors import InputError, shorten
from vorlage.command.progress import Progress
from vorlage.documents.pair import Pair
from vorlage.files.jsonl import to_line
from vorlage.types import JsonObject, StrPath
from vorlage.views.viewer import pair_data
from vorlage.workflow.gold import ADJUDICATED
from vorlage.workflow.score.agreement import compare_annotators
from vorlage.workflow.score.reference import AnnotatedPair, make_reference

AGREEMENT = ("annotator", "against", "words", "kappa_sure", "kappa_possible", "pairs")


class AnnotationTask:
    """The pairs to annotate, in memory, and where the annotations are.

    Args:
        corpus: the pairs, with the alignments that an annotator can start from. The doubt of a pair is that
            of the first of its alignments that has posteriors.
        gold: a gold file, which need not exist; None: nothing can be saved.
        model: aligns the pairs, too, to start from and to order them; `start` is the name of its system.

    Raises:
        InputError: input cannot be used, or gold does not fit its pair; gold of other pairs is left alone.
    """

    def __init__(self, corpus: CorpusFiles, gold: StrPath | None, model: TrainedModel | None = None) -> None:
        self._gold = GoldFile(gold) if gold else None
        self._pairs = {id: corpus.pair(id) for id in corpus.ids}
        self._alignments = {pair.id: corpus.alignments(pair) for pair in self._pairs.values()}
        self.start = ""
        if model:
            with Progress("align", len(self._pairs)) as progress:
                for pair in progress.count(self._pairs.values()):
                    alignment = model.align_pair(pair).alignment
                    self._alignments[pair.id].append(alignment)
                    self.start = alignment.system
        self._doubts = {
            id: next((value for value in map(doubt, alignments) if value is not None), None)
            for id, alignments in self._alignments.items()
        }
        for annotation in self._gold_lines():
            where = f"{gold}, line {annotation.number}"
            check_annotation(annotation.record, self._pairs[annotation.gold.id], where)

    def __len__(self) -> int:
        """Return the number of pairs."""
        return len(self._pairs)

    @property
    def gold(self) -> GoldFile:
        """The gold file; raises `InputError` without one."""
        if self._gold is None:
            raise InputError("no gold file was given, so nothing can be saved; name one")
        return self._gold

    @cached_property
    def digest(self) -> str:
        """What tells this corpus from others: a digest of the ids and tokens of its pairs."""
        texts = [[pair.id, pair.summary.written, pair.document.written] for pair in self._pairs.values()]
        return hashlib.sha256(to_line({"pairs": texts}).encode()).hexdigest()[:16]

    def index(self, annotator: str | None) -> JsonObject:
        """Return the pairs, and how far an annotator has come; None: no annotator.

        `pairs`: `id`, `words` (of the summary), `doubt`, and `finished` and `seconds` if the
        annotator has begun. `by_doubt`: their numbers, the most doubtful first; empty without posteriors.
        """
        annotations = self._gold_lines()
        progress = {
            gold.id: {"finished": gold.finished, "seconds": record.get("seconds", 0)}
            for _, record, gold, _ in annotations
            if gold.annotator == annotator
        }
        numbers = {id: number for number, id in enumerate(self._pairs)}
        ordered = doubt_first(list(self._pairs), self._doubts) if any(self._doubts.values()) else []
        return {
            "pairs": [
                {"id": pair.id, "words": len(pair.summary.tokens), "doubt": self._doubts[pair.id]}
                | progress.get(pair.id, {})
                for pair in self._pairs.values()
            ],
            "by_doubt": [numbers[id] for id in ordered],
            "annotators": list(dict.fromkeys(annotation.gold.annotator for annotation in annotations)),
            "adjudicator": ADJUDICATED,
        }

    def pair(self, id: str, annotator: str) -> JsonObject:
        """Return the texts of a pair, the links to start from, and what the annotator has done.

        `line` is the record of the gold file, or None, and `revision` goes back with the next save. The
        work of others is in it only for the adjudicator. Raise `InputError` for an unknown pair.
        """
        pair = self._known_pair(id)
        annotations = [annotation for annotation in self._gold_lines() if annotation.gold.id == id]
        starts = [start_from_system(alignment) for alignment in self._alignments[id]]
        if annotator == ADJUDICATED:
            finished = [annotation.gold for annotation in annotations if annotation.gold.finished]
            starts = start_adjudications(finished, len(pair.summary.tokens)) + starts
        data = pair_data(pair, None, [])
        line = next((line for line in annotations if line.gold.annotator == annotator), None)
        return {
            "id": pair.id,
            "s": data["s"],
            "d": data["d"],
            "starts": [start.to_json() for start in starts],
            **line_and_revision(line),
        }

    def lines(self) -> list[JsonObject]:
        """Return the lines of the gold file for the pairs of this corpus, in their order."""
        return [annotation.record for annotation in self._gold_lines()]

    def mark_content(self, id: str) -> dict[str, str]:
        """Return a digit for each word of the summary `s` and the document `d`: 1 for a content word."""
        reference = make_reference(self._known_pair(id), [])
        sides = {"s": reference.summary_content, "d": reference.document_content}
        return {side: "".join(map(str, map(int, content))) for side, content in sides.items()}

    def save(self, request: Any) -> JsonObject:
        """Write an annotation to the gold file; return its `revision`.

        Args:
            request: `line`, a line of a gold file, and `revision`, that of the line it replaces.

        Raises:
            InputError: the line does not fit its pair.
            ChangedError: the file has another version (`vorlage.app.annotate.gold_file`).
        """
        fields = request if isinstance(request, dict) else {}
        line, revision = fields.get("line"), fields.get("revision")
        if not isinstance(line, dict) or not isinstance(revision, str):
            raise InputError("a save needs `line`, an object, and `revision`, a string")
        check_annotation(line, self._known_pair(line.get("id")), "annotation")
        return {"revision": self.gold.save(line, revision)}

    def agreement(self, skip: int) -> list[JsonObject]:
        """Return κ of each two annotators over the finished pairs of both, without the first `skip`.

        Rows of `vorlage.workflow.score.agreement.compare_annotators` with the keys `AGREEMENT`; κ is None
        where it is not defined.
        """
        annotated: dict[str, AnnotatedPair] = {}
        for _, _, gold, _ in self._gold_lines():
            if gold.finished:
                golds = annotated.setdefault(gold.id, AnnotatedPair(self._pairs[gold.id], [])).golds
                golds.extend([gold] if gold.annotator != ADJUDICATED else [])
        return [
            {key: None if row[key] != row[key] else row[key] for key in AGREEMENT}  # NaN is not itself
            for row in compare_annotators(annotated, skip)
            if str(row["annotator"]) < str(row["against"])
        ]

    def _gold_lines(self) -> list[GoldLine]:
        """Return the token gold of the pairs of this corpus."""
        annotations = self._gold.annotations() if self._gold else []
        return [annotation for annotation in annotations if annotation.gold.id in self._pairs]

    def _known_pair(self, id: object) -> Pair:
        if not isinstance(id, str) or id not in self._pairs:
            raise InputError(f"pair {shorten(id)} is not in this corpus")
        return self._pairs[id]


def line_and_revision(annotation: GoldLine | None) -> JsonObject:
    """Return the record and the revision of an annotation as the page reads them."""
    return {
        "line": annotation and annotation.record,
        "revision": annotation.revision if annotation else NO_LINE,
    }
