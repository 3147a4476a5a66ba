"""Turn alignments into what other programs read: ``python -m pipeline.export``.

    python -m pipeline.export --alignments alignments.jsonl --format pharaoh --output links.txt

pharaoh       a line for each pair, ``i-j``: document token i and summary token j, from 0
tsv           a line for each phrase pair, with character offsets and text
jsonl         a pair a line: both texts, spans in characters
html          the viewer with one pair, a page that stands alone
sentences     labels for sentence extraction: the document sentences that each summary sentence was made from
compressions  for each summary sentence its source sentences and which of their words were kept

All but pharaoh want ``--corpus``, a ``corpus.jsonl`` of the corpus stage.
"""

import argparse
import csv
import json
from bisect import bisect_right
from collections import Counter

from pipeline.alignments import read_alignments
from pipeline.corpus.corpus_file import read_pairs
from pipeline.io.outputs import replacing, write_text
from pipeline.report.viewer import pair_data, pair_page
from pipeline.run.errors import InputError, command
from pipeline.score.counts import soft_links
from pipeline.score.systems import check_tokens
from pipeline.text.words import is_stop_word

TSV = (
    *("id", "summary_start", "summary_end", "summary"),
    *("document_start", "document_end", "document", "posterior"),
)


def word_links(alignment):
    """The word links (summary token, document token) of an alignment under the soft rule, sorted."""
    return sorted(soft_links(alignment.links, alignment.summary_words, alignment.document_words))


def pharaoh(alignment):
    """The word links as ``i-j``: document token i, summary token j, sorted; empty where there is none."""
    return " ".join(f"{j}-{i}" for j, i in sorted((j, i) for i, j in word_links(alignment)))


def characters(text, span):
    """The character span of a token span of a :class:`pipeline.corpus.tokenize.Text`."""
    return text.tokens[span[0]][0], text.tokens[span[1] - 1][1]


def phrase_rows(alignment, pair):
    """A list in the order of ``TSV`` for each phrase pair, null words included (document side empty)."""
    for link in alignment.links:
        start, end = characters(pair.summary, link.summary)
        row = [pair.id, start, end, pair.summary.raw[start:end], "", "", ""]
        if link.document:
            start, end = characters(pair.document, link.document)
            row[4:] = start, end, pair.document.raw[start:end]
        yield [*row, "" if link.posterior is None else f"{link.posterior:.6f}"]


def in_characters(alignment, pair):
    """An alignment as a dict with both texts and spans in characters, as gold in characters has them."""
    return {
        "id": pair.id,
        "system": alignment.system,
        "unit": "char",
        "document": pair.document.raw,
        "summary": pair.summary.raw,
        "alignments": [
            {
                "summary": characters(pair.summary, link.summary),
                "document": link.document and characters(pair.document, link.document),
                "posterior": link.posterior,
            }
            for link in alignment.links
        ],
    }


def sentence_labels(alignment, pair):
    """What an extractor learns from, a dict.

    ``document`` and ``summary``: their sentences. ``sources``: for each summary sentence the document
    sentences that its words other than stop words are linked to, as ``[sentence, words]``, most words first.
    ``labels``: 1 for a document sentence that is the first source of some summary sentence.
    """
    ends = [end for _, end in pair.document.sentences]
    links = {
        (i, bisect_right(ends, j))
        for i, j in word_links(alignment)
        if not is_stop_word(pair.summary.words[i])
    }
    sources = []
    for first, last in pair.summary.sentences:
        made = [(i, sentence) for i, sentence in links if first <= i < last]
        given = Counter(sentence for _, sentence in made)
        sources.append(sorted(([s, n] for s, n in given.items()), key=lambda one: (-one[1], one[0])))
    taken = {ranked[0][0] for ranked in sources if ranked}
    return {
        "id": pair.id,
        "document": _sentences(pair.document),
        "summary": _sentences(pair.summary),
        "sources": sources,
        "labels": [int(number in taken) for number in range(len(pair.document.sentences))],
    }


def compressions(alignment, pair):
    """For each summary sentence a dict: its ``sources``, in document order, with ``tokens`` and ``kept``.

    ``kept``: 1 for a token that a word of this summary sentence is linked to. A summary sentence that is
    linked to nothing has no sources.
    """
    links, sentences = word_links(alignment), _sentences(pair.summary)
    for number, (first, last) in enumerate(pair.summary.sentences):
        kept = {j for i, j in links if first <= i < last}
        yield {
            "id": pair.id,
            "sentence": number,
            "summary": sentences[number],
            "sources": [
                {
                    "sentence": source,
                    "tokens": pair.document.words[start:end],
                    "kept": [int(token in kept) for token in range(start, end)],
                }
                for source, (start, end) in enumerate(pair.document.sentences)
                if kept & set(range(start, end))
            ],
        }


def _sentences(text):
    return [text.raw[slice(*characters(text, span))] for span in text.sentences]


def read_both(alignments, corpus):
    """Yield ``(Alignment, Pair)`` of two files; the alignments may lack pairs but have the corpus's order.

    Raises :class:`InputError` where an alignment is of no pair, or of other tokens.
    """
    pairs = read_pairs(corpus)
    for alignment in read_alignments(alignments):
        pair = next((pair for pair in pairs if pair.id == alignment.id), None)
        if pair is None:
            raise InputError(
                f"{alignments}: pair {alignment.id} is not in {corpus}, or not in this order; give the "
                "corpus that was aligned, and keep its order"
            )
        check_tokens(alignment, pair, alignments)
        yield alignment, pair


def _lines(kind, given):
    """The lines of an export that has lines."""
    if kind == "pharaoh":
        for alignment in read_alignments(given.alignments):
            yield pharaoh(alignment)
        return
    for alignment, pair in read_both(given.alignments, given.corpus):
        if kind == "jsonl":
            found = [in_characters(alignment, pair)]
        elif kind == "sentences":
            found = [sentence_labels(alignment, pair)]
        else:
            found = compressions(alignment, pair)
        for record in found:
            yield json.dumps(record, ensure_ascii=False)


def _write_tsv(given):
    with replacing(given.output) as temporary, open(temporary, "w", encoding="utf-8", newline="") as out:
        table = csv.writer(out, delimiter="\t", lineterminator="\n")
        table.writerow(TSV)
        for alignment, pair in read_both(given.alignments, given.corpus):
            table.writerows(phrase_rows(alignment, pair))


def _write_page(given):
    if not given.id:
        raise InputError("--format html: name the pair to show, --id")
    for alignment, pair in read_both(given.alignments, given.corpus):
        if pair.id == given.id:
            write_text(given.output, pair_page(pair_data(pair, None, [alignment])))
            return
    raise InputError(f"{given.alignments}: no pair with id {given.id}; check --id")


FORMATS = ("pharaoh", "tsv", "jsonl", "html", "sentences", "compressions")


@command
def main(arguments=None):
    """Turn alignments into what other programs read."""
    parser = argparse.ArgumentParser(
        prog="python -m pipeline.export",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--alignments", required=True, help="alignments.jsonl of any system")
    parser.add_argument("--corpus", help="corpus.jsonl of the corpus stage")
    parser.add_argument("--format", required=True, choices=FORMATS, help="what to write")
    parser.add_argument("--id", help="html: id of the pair")
    parser.add_argument("--output", required=True, help="file to write")
    given = parser.parse_args(arguments)
    if given.format != "pharaoh" and not given.corpus:
        raise InputError(f"--format {given.format} wants --corpus, the corpus.jsonl that was aligned")
    if given.format == "tsv":
        _write_tsv(given)
    elif given.format == "html":
        _write_page(given)
    else:
        with replacing(given.output) as temporary, open(temporary, "w", encoding="utf-8") as out:
            out.writelines(f"{line}\n" for line in _lines(given.format, given))


if __name__ == "__main__":
    main()
