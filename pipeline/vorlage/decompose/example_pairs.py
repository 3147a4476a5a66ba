"""Examples of sentence reduction and combination to train summarizers on (Jing 2002, Section 5.1)."""

from collections.abc import Iterator

from vorlage.alignments.alignment import Alignment, soft_links
from vorlage.corpus.pair import Pair
from vorlage.decompose.borrowed import NOWHERE, borrowed_phrases, has_words
from vorlage.decompose.operations import Decomposed, Generality, decompose
from vorlage.text.tokenized import Text
from vorlage.types import JsonObject, Span

EXAMPLES = ("reductions", "combinations")


def make_examples(
    kind: str, alignment: Alignment, pair: Pair, generality: Generality | None
) -> Iterator[JsonObject]:
    """Yield an object for each summary sentence that is an example of `kind`, one of `EXAMPLES`.

    Section 3.5: a reduction was made by removing phrases from a single document sentence, a combination by
    merging several. Only sentences that were cut and pasted count. Each has the `summary` sentence and its
    number, its `sources`, the `operations` and the share of `copied` words, and its `phrases` as in
    Figure 3, each with the part of the source that it comes from, or null.
    """
    cells = soft_links(alignment.links, alignment.summary_words, alignment.document_words)
    for sentence in decompose(pair, cells, generality):
        if not (sentence.is_cut_and_pasted and _is_example(kind, sentence)):
            continue
        phrases = [
            phrase
            for phrase in borrowed_phrases(sentence, alignment.links)
            if has_words(pair.summary.words, phrase.summary)
        ]
        yield {
            "id": pair.id,
            "sentence": sentence.number,
            "summary": text_of(pair.summary, sentence.span),
            "sources": [
                {"sentence": source, "text": text_of(pair.document, pair.document.sentences[source])}
                for source in sentence.sources
            ],
            "operations": sentence.operations,
            "copied": round(sentence.copied / len(sentence.words), 6),
            "phrases": [
                {
                    "summary": text_of(pair.summary, phrase.summary),
                    "document": phrase.document and text_of(pair.document, phrase.document),
                    "sentence": None if phrase.source == NOWHERE else phrase.source,
                }
                for phrase in phrases
            ],
        }


def text_of(text: Text, span: Span) -> str:
    """Return the characters of a span of tokens, as they are in the text."""
    return text.raw[slice(*text.characters(span))]


def _is_example(kind: str, sentence: Decomposed) -> bool:
    if kind == "combinations":
        return len(sentence.sources) > 1
    return len(sentence.sources) == 1 and "reduction" in sentence.operations
