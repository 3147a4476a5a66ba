"""The Cut & Paste baseline: summary sentences decomposed into phrases cut from the document (Jing 2002).

As in Daumé & Marcu 2005 (Section 5.1.2) the extract takes the place of the document, words match when
they are equal up to stem, and phrases of fewer than `run` words are left out. `cutpaste-1`, `-2` and `-3` set
`run`, `cutpaste-document` and `cutpaste-1-document` align whole documents.
"""

from argparse import Namespace
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import groupby

import numpy as np

from vorlage.alignments.alignment import Link
from vorlage.documents.pair import Pair
from vorlage.extract.extracts import Extract
from vorlage.settings import CutPaste
from vorlage.text.tokenized import Text
from vorlage.text.words import is_stop_word, stem
from vorlage.types import Span
from vorlage.workflow.baselines.decomposition import (
    NOWHERE,
    best_positions,
    cancel_lone_stop_words,
    cancel_short,
    find_phrases,
    find_sources,
    occurrences,
)
from vorlage.workflow.baselines.system import Baseline

DETERMINERS = frozenset(("a", "an", "the"))
NO_POSITION = np.array([], dtype=int)


def align(settings: CutPaste, whole: bool, pair: Pair, extract: Extract) -> list[Link]:
    """Return the links of a pair.

    Args:
        settings: the section `cutpaste` of the config.
        whole: whether the whole document is aligned, and not its extract.
        pair: the pair.
        extract: of the pair. The weights see sentences numbered as in it.
    """
    document, summary = pair.document, pair.summary
    if whole:
        extract = replace(extract, sentences=tuple(range(len(document.sentences))))
    form = partial(stem, language=document.language) if settings.stem else str.lower
    ignored = frozenset() if settings.determiners or document.language != "en" else DETERMINERS
    tokens, sentences = extract.positions(document), extract.sentence_numbers(document)
    matched = np.array([document.words[token].lower() not in ignored for token in tokens])
    tokens, sentences = tokens[matched], sentences[matched]
    positions_of = occurrences(form(document.words[token]) for token in tokens)
    links: list[Link] = []
    for start, end in summary.sentences:
        words = [i for i in range(start, end) if summary.words[i].lower() not in ignored]
        candidates = [positions_of.get(form(summary.words[i]), NO_POSITION) for i in words]
        positions = best_positions(candidates, sentences, settings.weights, settings.window)
        if not settings.lone_stop_words:
            content = np.array([not is_stop_word(summary.words[i], summary.language) for i in words], bool)
            positions = cancel_lone_stop_words(positions, sentences, content)
        word_links = [(i, int(tokens[k])) for i, k in zip(words, positions, strict=True) if k != NOWHERE]
        sources = find_sources(pair, word_links)
        for word, position in enumerate(positions.tolist()):
            if position != NOWHERE and extract.sentences[sentences[position]] not in sources:
                positions[word] = NOWHERE
        positions = cancel_short(positions, sentences, settings.run)
        borrowed: list[Link] = []
        for first, last in find_phrases(positions, sentences):
            phrase = [(words[word], int(tokens[positions[word]])) for word in range(first, last)]
            borrowed += _join_equal(pair, _with_determiners(pair, phrase, ignored))
        covered = {i for link in borrowed for i in range(*link.summary)}
        added = [Link((i, i + 1), None) for i in range(start, end) if i not in covered]
        links += sorted([*borrowed, *added], key=lambda link: link.summary)
    return links


def _with_determiners(
    pair: Pair, phrase: Sequence[tuple[int, int]], ignored: frozenset[str]
) -> Iterator[tuple[Span, Span]]:
    """Yield the spans, in summary and document, of the words of a phrase with the determiners before them.

    As many determiners on both sides get spans of their own; otherwise one span has them and the word. Those
    of the document alone count only inside the phrase.

    Args:
        pair: the pair.
        phrase: the words without determiners, as (summary token, document token).
        ignored: the determiners; empty if they are words like others.
    """
    for number, (i, j) in enumerate(phrase):
        first_i, first_j = _skip_back(pair.summary, i, ignored), _skip_back(pair.document, j, ignored)
        if first_i == i and number == 0:
            first_j = j
        if i - first_i != j - first_j:
            yield (first_i, i + 1), (first_j, j + 1)
        else:
            yield from (((i - n, i - n + 1), (j - n, j - n + 1)) for n in range(i - first_i, -1, -1))


def _skip_back(text: Text, token: int, ignored: frozenset[str]) -> int:
    """Return the first of the ignored tokens right before a token in its sentence, else the token itself."""
    start = max(start for start, _ in text.sentences if start <= token) if ignored else token
    while token > start and text.words[token - 1].lower() in ignored:
        token -= 1
    return token


def _join_equal(pair: Pair, spans: Iterable[tuple[Span, Span]]) -> Iterator[Link]:
    """Yield the links of a phrase: one for each run of equal words, and one for each other pair of spans.

    Words that are equal only up to stem get links of their own, so the soft rule reads every phrase as its
    diagonal.
    """

    def equal(sides: tuple[Span, Span]) -> bool:
        texts = (
            text.words[slice(*span)] for text, span in zip((pair.summary, pair.document), sides, strict=True)
        )
        return len({" ".join(words).lower() for words in texts}) == 1

    for joined, group in groupby(spans, equal):
        run = list(group)
        if joined:
            run = [((run[0][0][0], run[-1][0][1]), (run[0][1][0], run[-1][1][1]))]
        yield from (Link(*sides) for sides in run)


def open_system(options: Namespace) -> Baseline:
    """Return a system of the command `vorlage baseline`, by its name and the section `cutpaste`."""
    settings = CutPaste.from_options(options)
    name, document, _ = options.system.partition("-document")
    if run := name.partition("-")[2]:
        settings = settings.model_copy(update={"run": int(run)})
    return Baseline(partial(align, settings, bool(document)), (settings,))
