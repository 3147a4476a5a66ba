"""What a system says about the sources of a summary, in one form for all systems: `evidence.jsonl`.

One JSON object per pair, for the gold of `vorlage.workflow.gold`:

    {"id": "a1", "system": "bm25", "spans": [[0.2, 3.1]], "words": null, "text": null}

- `spans`: for each span of gold, the score of each passage, the higher the better; gold of the kind
  `supported` has one span, the whole summary.
- `words`: for each token of the summary how unsupported it is; `text`: how unsupported the summary is;
  both are null for a system that does not say.

For a system that links words, `from_alignment` computes the same from its links.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, TypeAlias

import numpy as np
from pydantic import FiniteFloat, PlainValidator, TypeAdapter
from vorlage.alignments.alignment import Alignment
from vorlage.command.errors import InputError
from vorlage.documents.pair import Pair
from vorlage.files.jsonl import parse_form, read_jsonl
from vorlage.types import Floats, LongInts, StrPath

from field.evidence_gold import EvidenceGold

_NUMBERS = TypeAdapter(list[FiniteFloat])
ScoreArray: TypeAlias = Annotated[
    Floats, PlainValidator(lambda value: np.array(_NUMBERS.validate_python(value)))
]


@dataclass(frozen=True)
class Evidence:
    """What a system says about one pair; the fields are those of the file."""

    id: str
    system: str
    spans: list[ScoreArray]
    words: ScoreArray | None
    text: FiniteFloat | None


def passage_numbers(pair: Pair) -> LongInts:
    """Return the number of the passage of each document token: the line breaks before it."""
    breaks = np.flatnonzero([character == "\n" for character in pair.document.raw])
    return np.searchsorted(breaks, [start for start, _ in pair.document.tokens]).astype(np.int64)


def count_passages(pair: Pair) -> int:
    """Return the number of passages of the document of a pair."""
    return pair.document.raw.count("\n") + 1


def posterior_matrix(alignment: Alignment) -> Floats:
    """Return the posterior of each link of a summary word (rows) to a document word, chosen or candidate.

    Every word pair of a phrase pair has its posterior, and of several the largest counts. A link without a
    posterior counts as certain.
    """
    matrix = np.zeros((len(alignment.summary_words), len(alignment.document_words)))
    for link in (*alignment.links, *alignment.candidates):
        if link.document is not None:
            block = matrix[slice(*link.summary), slice(*link.document)]
            np.maximum(block, 1.0 if link.posterior is None else link.posterior, out=block)
    return matrix


def from_alignment(alignment: Alignment, pair: Pair, gold: EvidenceGold) -> Evidence:
    """Return the `Evidence` of the links of a pair.

    A passage scores the sum of the posteriors of the links from the words of the span into it. A word is
    unsupported with 1 − its largest posterior, and the summary with the mean of its words.
    """
    matrix, passages, count = posterior_matrix(alignment), passage_numbers(pair), count_passages(pair)
    scores = []
    for span in gold.characters(pair):
        weights = matrix[pair.summary.tokens_in(span)].sum(axis=0)
        scores.append(np.bincount(passages, weights=weights, minlength=count).astype(float))
    nulls = 1 - matrix.max(axis=1, initial=0.0)
    return Evidence(alignment.id, alignment.system, scores, nulls, float(nulls.mean()))


def read_evidence(path: StrPath, pairs: Mapping[str, tuple[Pair, EvidenceGold]]) -> dict[str, Evidence]:
    """Return the evidence of a file for the annotated `pairs`, by pair id.

    Raise `InputError` for a malformed line, one that does not fit the gold, a file of several systems
    and a pair without evidence.
    """
    evidence_by_id: dict[str, Evidence] = {}
    for number, record in read_jsonl(path):
        if record.get("id") in pairs:
            where = f"{path}, line {number}"
            evidence = parse_form(Evidence, record, where)
            _check(evidence, *pairs[evidence.id], where)
            evidence_by_id[evidence.id] = evidence
    systems = {evidence.system for evidence in evidence_by_id.values()}
    if len(systems) > 1:
        raise InputError(f"{path}: has several systems, {', '.join(sorted(systems))}; split the file")
    for key in pairs:
        if key not in evidence_by_id:
            raise InputError(f"{path}: no evidence for pair {key}, which has gold; make the file again")
    return evidence_by_id


def _check(evidence: Evidence, pair: Pair, gold: EvidenceGold, where: str) -> None:
    """Raise `InputError` unless the numbers of spans, passages and words are those of the pair."""
    spans, passages = len(gold.characters(pair)), count_passages(pair)
    if len(evidence.spans) != spans or any(len(scores) != passages for scores in evidence.spans):
        raise InputError(
            f"{where}: `spans` must have {spans} lists of {passages} scores; make the file again"
        )
    if evidence.words is not None and len(evidence.words) != len(pair.summary.tokens):
        raise InputError(f"{where}: `words` must have {len(pair.summary.tokens)} scores; make the file again")
