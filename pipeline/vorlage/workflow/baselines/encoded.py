"""Links between words by an encoder without a model: `embed`, `awesome`, SimAlign and optimal transport.

The vector of a word is the mean of those of its pieces, in a hidden layer of a pretrained encoder that is not
trained further. Sentences are encoded one by one: words in longer contexts match wrong words more often
(Jalili Sabet et al. 2020).
"""

from argparse import Namespace
from collections.abc import Callable, Sequence
from functools import partial
from itertools import accumulate, pairwise

from scipy.special import softmax

from vorlage.alignments.alignment import Link
from vorlage.documents.pair import Pair
from vorlage.encoder.installed import model_folder
from vorlage.encoder.transformer import open_encoder
from vorlage.extract.extracts import Extract
from vorlage.settings import Embed
from vorlage.types import Span, Vectors
from vorlage.workflow.baselines.simalign import open_simalign
from vorlage.workflow.baselines.system import Baseline, Match, WordLinks, links_where, products, to_links
from vorlage.workflow.baselines.transport import CHOSEN, match_by_transport
from vorlage.workflow.fingerprint import file_digest

THRESHOLD = 0.001  # of awesome-align, as published


def match_mutually(summary: Vectors, document: Vectors) -> WordLinks:
    """Return the links between rows of two matrices that are each the most similar row to the other.

    The best match is the first of the most similar rows; a zero row has no match. This is the method Argmax
    of SimAlign (Jalili Sabet et al. 2020).

    Args:
        summary: unit vectors of words (m, size).
        document: unit vectors of words (n, size).
    """
    similarity = summary @ document.T
    best, best_back = similarity.argmax(axis=1), similarity.argmax(axis=0)
    return {i: [int(j)] for i, j in enumerate(best) if best_back[j] == i and similarity[i, j] > 0}


def match_both_ways(summary: Vectors, document: Vectors, threshold: float = THRESHOLD) -> WordLinks:
    """Return the links between rows of two matrices whose probabilities are above `threshold` both ways.

    The score of two words is the product of their vectors. A softmax over the document words gives the
    probabilities of each summary word, one over the summary words those of each document word. This is the
    extraction of awesome-align (Dou & Neubig 2021), which links pieces of words where this links words.

    Args:
        summary: vectors of words (m, size), with their lengths.
        document: vectors of words (n, size), with their lengths.
        threshold: the least probability.
    """
    scores = products(summary, document)
    return links_where((softmax(scores, axis=1) > threshold) & (softmax(scores, axis=0) > threshold))


def align(match: Match, pair: Pair, extract: Extract) -> list[Link]:
    """Return the links of a pair.

    Args:
        match: finds the links between the words of the summary and those of the extract.
        pair: the pair.
        extract: the sentences of the document that may be linked.
    """
    positions, summary = extract.positions(pair.document).tolist(), pair.summary
    words = [pair.document.words[position] for position in positions]
    spans = (pair.document.sentences[sentence] for sentence in extract.sentences)
    sentences = list(pairwise(accumulate((end - start for start, end in spans), initial=0)))
    matches = match(summary.words, summary.sentences, words, sentences)
    word_links = {i: [positions[j] for j in matched] for i, matched in matches.items()}
    return to_links(word_links, len(summary.words))


def open_system(options: Namespace) -> Baseline:
    """Return a system of the command `vorlage baseline` with the encoder of the section `embed`."""
    embed = Embed.from_options(options)
    method, _, kind = options.system.partition("-")
    if method == "simalign":
        folder = model_folder(embed.model)
        simalign = open_simalign(folder, embed.layer, embed.device, kind)
        return Baseline(partial(align, simalign), (file_digest(folder), embed.layer))
    encoder = open_encoder(embed.model, embed.layer, embed.device)
    encode = encoder.encode
    match_rows: Callable[[Vectors, Vectors], WordLinks] = match_mutually
    if method == "awesome":
        encode, match_rows = encoder.encode_raw, match_both_ways
    elif method == "transport":
        match_rows = partial(match_by_transport, kind, *CHOSEN[kind])

    def match(
        summary: Sequence[str], spans: Sequence[Span], document: Sequence[str], document_spans: Sequence[Span]
    ) -> WordLinks:
        return match_rows(encode(summary, spans), encode(document, document_spans))

    return Baseline(partial(align, match), tuple(encoder.about.values()))
