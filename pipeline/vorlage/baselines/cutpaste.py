"""The Cut & Paste baseline: summary sentences decomposed into phrases cut from the document (Jing 2002).

    vorlage cutpaste --corpus corpus.jsonl --extracts extracts.jsonl \\
        --output alignments.jsonl

As in Daumé & Marcu 2005 (Section 5.1.2) the extract takes the place of the document, words match when
they are equal up to stem, and phrases of fewer than `run` words are left out.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby

import numpy as np

from vorlage.alignments.alignment import Alignment, Link
from vorlage.baselines.decomposition import (
    NOWHERE,
    best_positions,
    cancel_mismatches,
    cancel_short,
    find_phrases,
    occurrences,
)
from vorlage.baselines.system import make_alignment, make_parser, stamp, write_all
from vorlage.command.errors import command
from vorlage.corpus.pair import Pair
from vorlage.extract.extracts import Extract
from vorlage.settings import CutPaste, add_options, from_options
from vorlage.text.words import is_stop_word, stem
from vorlage.types import LongInts, Span

SYSTEM = "cutpaste"
NO_POSITION = np.array([], dtype=int)


@dataclass(frozen=True)
class CutPasteAligner:
    """The Cut & Paste baseline; `settings` is the section `cutpaste` of the config.

    `documents`: whether whole documents are aligned, and not their extracts.
    """

    settings: CutPaste
    fingerprint: str = ""
    system: str = SYSTEM
    documents: bool = False

    def align(self, pair: Pair, extract: Extract) -> Alignment:
        """Return the alignment of a pair. The weights see sentences numbered as in the extract."""
        if self.documents:
            extract = replace(extract, sentences=tuple(range(len(pair.document.sentences))))
        language = pair.document.language
        form = partial(stem, language=language) if self.settings.stem else str.lower
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
            positions = best_positions(candidates, sentences, self.settings.weights, self.settings.window)
            content = np.array([not is_stop_word(word, language) for word in words])
            positions = cancel_mismatches(positions, sentences, content)
            positions = cancel_short(positions, sentences, self.settings.run)
            links.extend(_links(words, document, positions, find_phrases(positions, sentences), start))
        return make_alignment(self, pair, links)


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


@command
def main(arguments: list[str] | None = None) -> None:
    """Align a corpus with the Cut & Paste baseline."""
    parser = make_parser("cutpaste", main, __doc__)
    parser.add_argument("--documents", action="store_true", help="align whole documents and not extracts")
    parser.add_argument("--system", default=SYSTEM, help=f"name of the system (default: {SYSTEM})")
    add_options(parser, CutPaste)
    options = parser.parse(arguments)
    chosen = from_options(options, CutPaste)
    mark = stamp(chosen, options.documents)
    write_all(options, CutPasteAligner(chosen, mark, options.system, options.documents))
