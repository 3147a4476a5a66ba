"""Decomposes summary sentences by the links of any system: sources, copied words, operations (Jing 2002)."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from dataclasses import replace

from vorlage.baselines.decomposition import find_sources
from vorlage.corpus.pair import Pair
from vorlage.decompose.generality import Generality
from vorlage.decompose.operations import Decomposed, find_operations, is_content_word


def decompose(
    pair: Pair, cells: Iterable[tuple[int, int]], generality: Generality | None = None
) -> list[Decomposed]:
    """Return the decomposition of each sentence of a summary.

    Links into document sentences that `find_sources` leaves out are cancelled.

    Args:
        pair: the pair.
        cells: its word links (summary token, document token).
        generality: tells generalization from paraphrase; it counts only if both texts are in English.
    """
    summary, document = pair.summary, pair.document
    if (summary.language, document.language) != ("en", "en"):
        generality = None
    ends = [end for _, end in document.sentences]
    sorted_cells = sorted(cells)
    sentences: list[Decomposed] = []
    last_source = None
    for number, span in enumerate(summary.sentences):
        first, end = (bisect_left(sorted_cells, (token, 0)) for token in span)
        origins = [(i, j, bisect_right(ends, j)) for i, j in sorted_cells[first:end]]
        sources = find_sources(
            (i, source)
            for i, j, source in origins
            if is_content_word(summary.words[i], summary.language)
            and is_content_word(document.words[j], document.language)
        )
        links: dict[int, list[int]] = {}
        for i, j, source in origins:
            if source in sources:
                links.setdefault(i, []).append(j)
        sentence = Decomposed(pair, number, span, links, sources)
        operations = find_operations(sentence, last_source, generality)
        sentences.append(replace(sentence, operations=operations))
        if sources:
            last_source = sentence.main_source
    return sentences
