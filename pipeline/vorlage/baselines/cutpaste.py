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
from vorlage.baselines.decomposition import (
    NOWHERE,
    best_positions,
    cancel_mismatches,
    cancel_short,
    find_phrases,
    occurrences,
)
from vorlage.baselines.system import Baseline
from vorlage.corpus.pair import Pair
from vorlage.extract.extracts import Extract
from vorlage.settings import CutPaste
from vorlage.text.words import is_stop_word, stem
from vorlage.types import LongInts, Span

NO_POSITION = np.array([], dtype=int)


def align(settings: CutPaste, whole: bool, pair: Pair, extract: Extract) -> list[Link]:
    """Return the links of a pair.

    Args:
        settings: the section `cutpaste` of the config.
        whole: whether the whole document is aligned, and not its extract.
        pair: the pair.
        extract: of the pair. The weights see sentences numbered as in it.
    """
    if whole:
        extract = replace(extract, sentences=tuple(range(len(pair.document.sentences))))
    language = pair.document.language
    form = partial(stem, language=language) if settings.stem else str.lower
    document, summary = pair.document.words, pair.summary.words
    sentences = np.full(len(document), NOWHERE)
    sentences[extract.positions(pair.document)] = extract.sentence_numbers(pair.document)
    positions_of = occurrences(
        form(word) if sentence != NOWHERE else None
        for word, sentence in zip(document, sentences, strict=True)
    )
    links: list[Link] = []
    for start, end in pair.summary.sentences:
        words = summary[start:end]
        candidates = [positions_of.get(form(word), NO_POSITION) for word in words]
        positions = best_positions(candidates, sentences, settings.weights, settings.window)
        content = np.array([not is_stop_word(word, language) for word in words])
        positions = cancel_mismatches(positions, sentences, content)
        positions = cancel_short(positions, sentences, settings.run)
        links.extend(_links(words, document, positions, find_phrases(positions, sentences), start))
    return links


def _links(
    words: Sequence[str], document: Sequence[str], positions: LongInts, phrases: Iterable[Span], offset: int
) -> Iterator[Link]:
    """Yield links in order of the summary: one for each run of equal words and each other word.

    Words that are equal only up to stem get links of their own, so the soft rule reads every phrase as its
    diagonal. A word from nowhere gets a null link.
    """
    spans = [(word, word + 1) for word in np.flatnonzero(positions == NOWHERE).tolist()]
    for phrase in phrases:
        for equal, group in groupby(
            range(*phrase), lambda i: words[i].lower() == document[int(positions[i])].lower()
        ):
            run = list(group)
            spans += [(run[0], run[-1] + 1)] if equal else [(word, word + 1) for word in run]
    for start, end in sorted(spans):
        position = int(positions[start])
        source = None if position == NOWHERE else (position, position + end - start)
        yield Link((offset + start, offset + end), source)


def open_system(options: Namespace) -> Baseline:
    """Return a system of the command `vorlage baseline`, by its name and the section `cutpaste`."""
    settings = CutPaste.from_options(options)
    name, document, _ = options.system.partition("-document")
    if run := name.partition("-")[2]:
        settings = settings.model_copy(update={"run": int(run)})
    return Baseline(partial(align, settings, bool(document)), (settings,))
