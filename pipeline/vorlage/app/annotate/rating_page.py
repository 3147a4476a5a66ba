"""The page on which people rate extracts or decompositions, a summary sentence at a time."""

import hashlib
import random
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from vorlage.app.corpus_files import CorpusFiles
from vorlage.command.errors import InputError
from vorlage.documents.pair import Pair
from vorlage.extract.extracts import Extract
from vorlage.text.tokenized import Text
from vorlage.types import Span
from vorlage.views.viewer import page_parts, render, script_json
from vorlage.workflow.decompose.borrowed import borrowed_phrases
from vorlage.workflow.decompose.operations import decompose
from vorlage.workflow.score.ratings import FORMS


class SentenceParts(NamedTuple):
    """A sentence: its `number` from 0, and its `parts`, each with the number of its phrase or None."""

    number: int
    parts: list[tuple[str, int | None]]


class RatingItem(NamedTuple):
    """A summary sentence of pair `id` and the document sentences of a `system`, which people rate."""

    id: str
    system: str
    sentence: SentenceParts
    sources: list[SentenceParts]


def rating_page(items: Iterable[RatingItem], form: str, annotator: str, sample: int | None = None) -> str:
    """Return a standalone page that asks for a rating of each item.

    Args:
        items: what is rated.
        form: one of `FORMS`.
        annotator: who rates, if that is known.
        sample: how many items to draw at random, always the same ones; None for all.

    Raises:
        InputError: there is nothing to rate.
    """
    asked = list(items)
    if not asked:
        raise InputError("there is no sentence to rate; give pairs with extracts or alignments")
    if sample is not None and sample < len(asked):
        asked = [asked[k] for k in sorted(random.Random(0).sample(range(len(asked)), sample))]
    digest = hashlib.sha256(script_json([form, asked]).encode()).hexdigest()[:16]
    config = {"form": form, "annotator": annotator, "digest": digest}
    return render(
        "rating", title=FORMS[form].title, form=FORMS[form], items=asked, config=script_json(config),
        **page_parts(["storage", "rating"], ["annotate", "rating"]),
    )  # fmt: skip


def extract_items(corpus: CorpusFiles, extracts: Iterable[Extract]) -> Iterator[RatingItem]:
    """Yield each summary sentence of a corpus with the document sentences that its extract has for it.

    Raise `InputError` for an extract of another corpus.
    """
    for extract in extracts:
        pair = corpus.pair(extract.id)
        counts = len(pair.summary.sentences), len(pair.document.sentences)
        if len(extract.by_summary_sentence) != counts[0] or extract.sentences[-1] >= counts[1]:
            raise InputError(
                f"the extract of pair {pair.id} is of other texts; make it again from this corpus"
            )
        for number, sources in enumerate(extract.by_summary_sentence):
            sentence = _cut_sentence(pair.summary, number, [])
            yield RatingItem(
                pair.id, "extract", sentence, [_cut_sentence(pair.document, k, []) for k in sorted(sources)]
            )


def decomposition_items(corpus: CorpusFiles) -> Iterator[RatingItem]:
    """Yield each summary sentence of a corpus, decomposed by the links of each system as by Jing (2002).

    A phrase has the same number, from 1, on both sides.
    """
    for id in corpus.ids:
        pair = corpus.pair(id)
        for alignment in corpus.alignments(pair):
            cells = {cell for link in alignment.links for cell in link.cells(*_written_words(pair))}
            for decomposition in decompose(pair, cells):
                borrowed = (p for p in borrowed_phrases(decomposition, alignment.links) if p.document)
                phrases = list(enumerate(borrowed, 1))
                marks = [(p.summary, k) for k, p in phrases]
                sources = []
                for number in decomposition.sources:
                    source_marks = [(p.document, k) for k, p in phrases if p.document and p.source == number]
                    sources.append(_cut_sentence(pair.document, number, source_marks))
                sentence = _cut_sentence(pair.summary, decomposition.number, marks)
                yield RatingItem(id, alignment.system, sentence, sources)


def _cut_sentence(text: Text, number: int, phrases: Iterable[tuple[Span, int]]) -> SentenceParts:
    """Return a sentence of a text, cut where phrases begin and end: spans of tokens, with their numbers."""
    position, stop = text.characters(text.sentences[number])
    parts: list[tuple[str, int | None]] = []
    for span, phrase in sorted(phrases):
        first, end = text.characters(span)
        first = max(first, position)  # two phrases of the summary may come from the same words
        if first < end:
            parts += [(text.raw[position:first], None), (text.raw[first:end], phrase)]
            position = end
    return SentenceParts(number, [*parts, (text.raw[position:stop], None)])


def _written_words(pair: Pair) -> tuple[list[str], list[str]]:
    return pair.summary.written, pair.document.written
