"""SimAlign by its authors' package (Jalili Sabet et al. 2020), with the encoder of the semi-HMM.

The package encodes the pieces of the words, links pieces, and links the words of linked pieces. Its methods
are Argmax (mutually most similar pieces), Itermax (Argmax again for the pieces that are left) and Match (the
matching of maximal weight). The package is written for pairs of sentences; here it encodes the sentences of a
text one by one, so that a document may be of any length.
"""

import logging
import os
from collections.abc import Sequence
from typing import Any

from threadpoolctl import threadpool_limits

from vorlage.encoder.installed import check_safetensors
from vorlage.encoder.transformer import windows
from vorlage.types import Span
from vorlage.workflow.baselines.system import Match, WordLinks

# The methods, and the letters that choose them in the package.
METHODS = {"argmax": "a", "itermax": "i", "match": "m"}


class SentenceLoader:
    """Encodes the two texts of a pair sentence by sentence, in place of the loader of the package.

    `loader`: the `EmbeddingLoader` of the package. `sentences`: the spans of words of the sentences of
    both texts, which the caller sets before each pair.
    """

    def __init__(self, loader: Any) -> None:
        self.tokenizer = loader.tokenizer
        self.sentences: tuple[Sequence[Span], Sequence[Span]] = ((), ())
        self._loader = loader

    def get_embed_list(self, texts: Sequence[Sequence[str]]) -> Any:
        """Return a tensor of the vectors of the pieces, (2, pieces, size), zero after the shorter text."""
        from torch.nn.utils.rnn import pad_sequence

        states = map(self._encode, texts, self.sentences)
        return pad_sequence(list(states), batch_first=True)

    def _encode(self, words: Sequence[str], sentences: Sequence[Span]) -> Any:
        """Return a tensor of the vectors of the pieces of a text, (pieces, size)."""
        import torch
        from torch.nn.functional import pad

        sizes = [len(self.tokenizer.tokenize(word)) for word in words]
        max_pieces = self.tokenizer.model_max_length - self.tokenizer.num_special_tokens_to_add()
        states = []
        for start, end in windows(sentences, sizes, max_pieces):
            (state,) = self._loader.get_embed_list([list(words[start:end])])
            # The pieces after the longest text, those of one long word, have no vectors.
            states.append(pad(state, (0, 0, 0, sum(sizes[start:end]) - len(state))))
        return torch.cat(states)


def open_simalign(folder: str, layer: int, device: str, method: str) -> Match:
    """Return SimAlign as a function that links the words of two texts.

    Args:
        folder: the folder of the encoder.
        layer: its hidden layer that gives the vectors.
        device: of torch, such as `cpu`.
        method: one of `METHODS`.

    Raises:
        InputError: if the weights of the encoder are not safetensors.
    """
    check_safetensors(folder)
    os.environ["HF_HUB_OFFLINE"] = "1"
    import simalign
    import torch

    logging.getLogger("simalign").setLevel(logging.WARNING)
    logging.getLogger("simalign.simalign").setLevel(logging.WARNING)
    torch.set_num_threads(1)
    aligner = simalign.SentenceAligner(folder, matching_methods=METHODS[method], device=device, layer=layer)
    loader = aligner.embed_loader = SentenceLoader(aligner.embed_loader)

    def match(
        summary: Sequence[str],
        summary_sentences: Sequence[Span],
        document: Sequence[str],
        document_sentences: Sequence[Span],
    ) -> WordLinks:
        loader.sentences = summary_sentences, document_sentences
        with threadpool_limits(1, user_api="blas"):  # more threads would take sums in another order
            (links,) = aligner.get_word_aligns(summary, document).values()
        word_links: WordLinks = {}
        for i, j in links:
            word_links.setdefault(i, []).append(j)
        return word_links

    return match
