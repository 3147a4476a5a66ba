"""Scorers of passages by the words they share with a span: idf overlap, BM25, ROUGE-L, copied fragments."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from math import log

import numpy as np
from vorlage.text.words import is_punctuation
from vorlage.types import Floats, LongInts, Span

from field.passage_task import PassageTask, Scorer, Scores, Unit, by_similarity, table


def terms(words: Iterable[str]) -> list[str]:
    """Return the words in lower case, without those that have no letter or digit."""
    return [word.lower() for word in words if not is_punctuation(word)]


def idf_overlap(tasks: Iterable[PassageTask]) -> Scorer:
    """Return the scorer by the share of the span's words that a passage has, weighted by their idf.

    The weight of a word is log((N + 1) / (n + 1)) if n of the N passages of `tasks` have it (Spärck Jones
    1972, smoothed). A word that the document has is supported; another one is unsupported with its weight,
    divided by the largest possible one. A summary is unsupported with the share of the weight of its words
    that the document does not have.
    """
    count, frequencies = 1, Counter[str]()
    for task in tasks:
        for passage in task.passages:
            count += 1
            frequencies.update(set(terms(passage.words)))

    def weigh(words: Iterable[str]) -> float:
        return sum(log(count / (frequencies[term] + 1)) for term in words)

    def overlap(span: Unit, passage: Unit) -> float:
        words = set(terms(span.words))
        # Sorted: the order of a set differs from run to run, and so would the sums.
        total = weigh(sorted(words))
        return weigh(sorted(words.intersection(terms(passage.words)))) / total if total else 0.0

    def score(task: PassageTask) -> Scores:
        document = set(terms(task.pair.document.words))
        words = [terms([word]) for word in task.pair.summary.words]
        weights = [weigh(word) for word in words]
        unsupported = np.where([not document.issuperset(word) for word in words], weights, 0.0)
        text = float(unsupported.sum() / (sum(weights) or 1))
        return Scores(table(task.spans, task.passages, overlap), unsupported / (log(count) or 1), text)

    return score


def bm25(tasks: Iterable[PassageTask]) -> Scorer:
    """Return the scorer by BM25 (Robertson & Zaragoza 2009), by the package rank-bm25 with its defaults.

    It holds an index of the passages of `tasks` in memory. Scores have no upper bound, so nothing says how
    unsupported words or summaries are.
    """
    from rank_bm25 import BM25Okapi

    passages: list[list[str]] = []
    first = {}
    for task in tasks:
        first[task.pair.id] = len(passages)
        passages += [terms(passage.words) for passage in task.passages]
    index = BM25Okapi(passages)

    def score(task: PassageTask) -> Scores:
        start = first[task.pair.id]
        numbers = list(range(start, start + len(task.passages)))
        rows = [index.get_batch_scores(terms(span.words), numbers) for span in task.spans]
        return Scores(np.array(rows, dtype=np.float64).reshape(len(rows), len(numbers)))

    return score


def rouge_l() -> Scorer:
    """Return the scorer by the recall of ROUGE-L (Lin 2004), by the package rouge-score.

    The recall is the length of the longest common subsequence, divided by that of the span: a passage may be
    much longer.
    """
    from rouge_score.rouge_scorer import RougeScorer

    scorer = RougeScorer(["rougeL"])

    def recall(span: Unit, passage: Unit) -> float:
        return float(scorer.score(span.raw, passage.raw)["rougeL"].recall)

    return by_similarity(lambda spans, passages: table(spans, passages, recall))


def find_fragments(summary: Sequence[str], document: Sequence[str]) -> list[Span]:
    """Return the extractive fragments of a summary as half-open spans.

    At each word of the summary, the document is searched from left to right for runs that are equal to what
    follows; a search goes on after the last run that it found. The longest run, the first of several, is a
    fragment, and the next word is the one after it. Words are equal regardless of case. (Grusky, Naaman &
    Artzi 2018, Figure 3.)
    """
    left, right = ([word.lower() for word in side] for side in (summary, document))
    places = defaultdict(list)
    for j, word in enumerate(right):
        places[word].append(j)
    fragments, i = [], 0
    while i < len(left):
        longest = after = 0
        for j in places.get(left[i], ()):
            if j >= after:
                length = _common_prefix(left[i:], right[j:])
                longest, after = max(longest, length), j + length
        if longest:
            fragments.append((i, i + longest))
        i += max(longest, 1)
    return fragments


def _common_prefix(left: Sequence[str], right: Sequence[str]) -> int:
    pairs = zip(left, right, strict=False)
    return next((k for k, (a, b) in enumerate(pairs) if a != b), min(len(left), len(right)))


def fragment_lengths(summary: Sequence[str], document: Sequence[str]) -> LongInts:
    """Return for each word of a summary the length of its fragment, 0 outside of fragments."""
    lengths = np.zeros(len(summary), dtype=np.int64)
    for start, end in find_fragments(summary, document):
        lengths[start:end] = end - start
    return lengths


def coverage(task: PassageTask) -> Scores:
    """Score passages by the coverage of a span: the share of its words in fragments (Grusky et al. 2018).

    A word is unsupported with 1 outside of fragments and with 0 inside, a summary with 1 − its coverage.
    """
    spans, support = _support(task, lambda lengths: (lengths > 0).astype(np.float64))
    return Scores(spans, 1 - support, 1 - float(support.mean()))


def density(task: PassageTask) -> Scores:
    """Score passages by the density of a span, the mean length of its words' fragments (Grusky et al. 2018).

    A word is unsupported with 1 / (1 + the length), a summary with 1 / (1 + its density).
    """
    spans, support = _support(task, lambda lengths: lengths.astype(np.float64))
    return Scores(spans, 1 / (1 + support), 1 / (1 + float(support.mean())))


def _support(task: PassageTask, measure: Callable[[LongInts], Floats]) -> tuple[Floats, Floats]:
    """Return the mean measure of each span in each passage, and that of each summary word in the document."""

    def mean(span: Unit, passage: Unit) -> float:
        return float(measure(fragment_lengths(span.words, passage.words)).mean())

    lengths = fragment_lengths(task.pair.summary.words, task.pair.document.words)
    return table(task.spans, task.passages, mean), measure(lengths)
