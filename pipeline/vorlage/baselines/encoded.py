"""Links between words by an encoder without a model: `embed`, `awesome`, SimAlign and optimal transport.

The vector of a word is the mean of those of its pieces, in a hidden layer of a pretrained encoder that is not
trained further. Sentences are encoded one by one: words in longer contexts match wrong words more often
(Jalili Sabet et al. 2020).
"""

from argparse import Namespace
from collections.abc import Callable, Sequence
from functools import partial
from itertools import accumulate, pairwise

from vorlage.alignments.alignment import Link
from vorlage.baselines.simalign import open_simalign
from vorlage.baselines.system import Baseline, WordLinks, to_links
from vorlage.baselines.transport import CHOSEN, match_by_transport
from vorlage.baselines.word_vectors import Match, match_both_ways, match_mutually
from vorlage.corpus.pair import Pair
from vorlage.encoder.installed import model_folder
from vorlage.encoder.transformer import open_encoder
from vorlage.extract.extracts import Extract
from vorlage.fingerprint import file_digest
from vorlage.settings import Embed
from vorlage.types import Span, Vectors


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
