"""The outcome of each gold phrase in the alignments of a system: correct, partial or incorrect.

The error table of Daumé & Marcu 2005 (Section 5.3).
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from vorlage.alignments.alignment import Alignment, Link, WordPair, soft_links
from vorlage.types import Span
from vorlage.workflow.gold import Gold
from vorlage.workflow.score.reference import AnnotatedPairs, Reference
from vorlage.workflow.tables import Row

CLASSES = ("correct", "partial", "incorrect")
OUTCOME_COLUMNS = ("system", "phrases", *CLASSES, "null", "null_words", "null_found")
ERROR_COLUMNS = ("system", "id", "first", "last", "summary", "document", "aligned", "class")
NULL = "null"


class PhraseOutcome(NamedTuple):
    """The outcome of one summary phrase of the gold.

    `span`: its summary tokens; `expected` and `aligned`: the document tokens that the gold is sure of
    and those that the system links it to, ascending; `outcome_class`: one of `CLASSES`.
    """

    span: Span
    expected: list[int]
    aligned: list[int]
    outcome_class: str


def classify(links: Iterable[Link], reference: Reference, spans: Iterable[Span]) -> Iterator[PhraseOutcome]:
    """Yield the outcome of each summary phrase of the gold in `spans`.

    A phrase is `correct` when the links of the system (soft rule) include all words that the gold is sure
    of and only words that it holds possible, `partial` when at least one of them is possible, and otherwise
    `incorrect`.
    """
    sure, possible = _by_summary_word(reference.sure), _by_summary_word(reference.possible)
    linked = _by_summary_word(soft_links(links, reference.summary_words, reference.document_words))
    for span in spans:
        expected, allowed, aligned = (
            {j for i in range(*span) for j in words[i]} for words in (sure, possible, linked)
        )
        if expected <= aligned <= allowed:
            outcome_class = "correct"
        else:
            outcome_class = "partial" if aligned & allowed else "incorrect"
        yield PhraseOutcome(span, sorted(expected), sorted(aligned), outcome_class)


def sure_spans(golds: Iterable[Gold]) -> list[Span]:
    """Return the distinct summary spans that the annotators of a pair were sure of, in order."""
    return sorted({link.summary[0] for gold in golds for link in gold.links if link.sure})


def count_outcomes(
    outcomes: Sequence[PhraseOutcome], links: Iterable[Link], reference: Reference
) -> Counter[str]:
    """Count the outcomes of one pair; the keys are the numeric columns of `OUTCOME_COLUMNS`.

    `null` are incorrect phrases that the system links to nothing, `null_words` the summary words that the
    gold leaves unaligned, and `null_found` those of them that the system leaves unaligned too.
    """
    counts = Counter(outcome.outcome_class for outcome in outcomes)
    counts["phrases"] = len(outcomes)
    counts["null"] = sum(not outcome.aligned for outcome in outcomes if outcome.outcome_class == "incorrect")
    aligned = {i for link in links if link.document is not None for i in range(*link.summary)}
    null_words = set(range(len(reference.summary_words))) - {i for i, _ in reference.possible}
    counts["null_words"], counts["null_found"] = len(null_words), len(null_words - aligned)
    return counts


def draw_errors(
    system: str,
    outcomes: Mapping[str, Iterable[PhraseOutcome]],
    references: Mapping[str, Reference],
    limit: int,
    seed: int,
) -> Iterator[Row]:
    """Yield at most `limit` errors drawn at random, in corpus order: rows with the keys `ERROR_COLUMNS`.

    `outcomes` and `references` are keyed by pair id. `first` and `last` (exclusive) are summary
    tokens. A gap in a phrase is shown as “…”.
    """
    errors = [
        (key, outcome)
        for key, pair_outcomes in outcomes.items()
        for outcome in pair_outcomes
        if outcome.outcome_class != "correct"
    ]
    drawn = np.random.default_rng(seed).permutation(len(errors))[:limit]
    for number in sorted(drawn.tolist()):
        key, (span, expected, aligned, outcome_class) = errors[number]
        summary, document = references[key].summary_words, references[key].document_words
        phrases = (phrase_text(side, document) for side in (expected, aligned))
        texts = " ".join(summary[slice(*span)]), *phrases
        yield dict(zip(ERROR_COLUMNS, (system, key, *span, *texts, outcome_class), strict=True))


def make_tables(
    system: str,
    alignments: Mapping[str, Alignment],
    annotated: AnnotatedPairs,
    references: Mapping[str, Reference],
    limit: int,
    seed: int,
) -> dict[str, list[Row]]:
    """Return the tables `outcomes` and `errors` of a system; the mappings are keyed by pair id."""
    outcomes_by_id: dict[str, list[PhraseOutcome]] = {}
    total: Counter[str] = Counter()
    for key, reference in references.items():
        links = alignments[key].links
        outcomes_by_id[key] = list(classify(links, reference, sure_spans(annotated[key].golds)))
        total += count_outcomes(outcomes_by_id[key], links, reference)
    row: Row = {"system": system, **{name: total[name] for name in OUTCOME_COLUMNS[1:]}}
    return {"outcomes": [row], "errors": list(draw_errors(system, outcomes_by_id, references, limit, seed))}


def phrase_text(tokens: Sequence[int], words: Sequence[str]) -> str:
    """Return the words at `tokens` (ascending) as text, with “…” for a gap, or `null` without tokens."""
    if not tokens:
        return NULL
    parts = [words[tokens[0]]]
    for previous, token in pairwise(tokens):
        parts += [words[token]] if token == previous + 1 else ["…", words[token]]
    return " ".join(parts)


def _by_summary_word(links: Iterable[WordPair]) -> defaultdict[int, set[int]]:
    """Return the document words that each linked summary word is linked to."""
    grouped: defaultdict[int, set[int]] = defaultdict(set)
    for i, j in links:
        grouped[i].add(j)
    return grouped
