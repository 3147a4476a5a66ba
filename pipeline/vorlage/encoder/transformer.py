"""Contextual vectors of words and sentences, by a pretrained transformer.

The vector of a word is the mean of the vectors of its pieces. Sentences are encoded one at a time: with other
sentences around them, words are linked to wrong ones more often (Jalili Sabet et al. 2020). Networks of the
form of BERT run in NumPy, with products in bytes, others and those on a GPU in torch, without rounding.
"""

import os
import warnings
from collections.abc import Sequence
from functools import cached_property
from itertools import accumulate, chain, pairwise
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits
from tokenizers import Tokenizer

from vorlage.command.errors import InputError
from vorlage.command.progress import count_steps
from vorlage.encoder.bert import AGAIN, Bert, is_bert, read_config
from vorlage.encoder.installed import encoder_name, model_folder
from vorlage.encoder.kernels import word_means
from vorlage.files.digests import digest, file_digest
from vorlage.types import JsonObject, Span, Vectors

BATCH = 32  # texts that are encoded at once; those of more would leave the cache of a processor
REMEMBERED_WORDS = 1 << 17  # whose number of pieces is kept in memory
REMEMBERED = 1 << 15  # words of sentences whose vectors are kept, 50 MB of vectors of 384 numbers
LIMITED = Lock()
TOKENIZER, TOKENIZER_CONFIG = "tokenizer.json", "tokenizer_config.json"


class TorchNetwork:
    """A network like `Bert` that transformers can read, on a `device` of torch, such as `cpu` or `cuda`.

    Raises `InputError` if a package, the network or the device is missing.
    """

    # torch and transformers are optional, so their objects have no types.
    _torch: Any
    _model: Any

    def __init__(self, folder: str, device: str) -> None:
        try:
            import torch
            import transformers
        except ImportError as error:
            raise InputError(
                f"the encoder {folder} needs {error.name}; install it with `make torch`, or choose an "
                "encoder of the form of BERT and `embed.device: cpu`"
            ) from None
        transformers.logging.set_verbosity_error()
        # With more threads, sums are taken in another order.
        torch.set_num_threads(1)
        self._torch, self._device = torch, device
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                # Weights in a format other than safetensors are a pickle, which could run any code.
                model = transformers.AutoModel.from_pretrained(
                    folder, use_safetensors=True, local_files_only=True
                )
            self._model = model.eval().to(device)
        except Exception as error:  # they raise many kinds for a wrong folder or device
            reason = " ".join(str(error).split())[:200]
            raise InputError(
                f"the encoder {folder} cannot be loaded on `embed.device` {device} ({type(error).__name__}: "
                f"{reason}); pass a folder with an encoder whose weights are safetensors, or try cpu"
            ) from None
        config = self._model.config
        self.size, self.layers = config.hidden_size, config.num_hidden_layers
        self.longest, self.pieces = config.max_position_embeddings, config.vocab_size

    def hidden_states(self, texts: Sequence[Sequence[int]], layers: Sequence[int]) -> Vectors:
        """Return what `vorlage.encoder.bert.Bert.hidden_states` returns."""
        lengths = np.array([len(text) for text in texts])
        mask = np.arange(lengths.max()) < lengths[:, None]
        pieces = np.full(mask.shape, self._model.config.pad_token_id or 0)
        pieces[mask] = np.concatenate([np.asarray(text) for text in texts])
        with self._torch.inference_mode():
            states = self._model(
                input_ids=self._torch.from_numpy(pieces).to(self._device),
                attention_mask=self._torch.from_numpy(mask.astype(np.int64)).to(self._device),
                output_hidden_states=True,
            ).hidden_states
        return np.stack([states[layer].cpu().numpy()[mask] for layer in layers])


def open_encoder(model: str, layer: int, device: str = "cpu") -> "TransformerEncoder":
    """Return the encoder in a folder, or with a name; raise `InputError` if there is none."""
    return TransformerEncoder(model_folder(model), layer, device)


class TransformerEncoder:
    """Contextual vectors of words in a hidden layer of a pretrained transformer.

    `folder`: with the `config.json`, the `tokenizer.json` and the weights, as safetensors; `layer`: 0 for the
    word embeddings; `device`: of torch, or `cpu`. Raises `InputError` if a package, the model or its layer is
    missing, and if parts of the model do not fit each other.
    """

    def __init__(self, folder: str, layer: int, device: str = "cpu") -> None:
        os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
        self._folder, self._layer = folder, layer
        in_numpy = device == "cpu" and is_bert(read_config(folder))
        self._network = Bert(folder) if in_numpy else TorchNetwork(folder, device)
        self._tokenizer = read_tokenizer(folder)
        if self._tokenizer.get_vocab_size() > self._network.pieces:
            raise InputError(f"{folder}/{TOKENIZER}: has more pieces than the network; {AGAIN}")
        if not 0 <= layer <= self._network.layers:
            raise InputError(
                f"`embed.layer` is {layer}, but the encoder {folder} has layers 0 to {self._network.layers}; "
                "choose one of them"
            )
        longest = min(self._network.longest, max_pieces(folder))
        self._tokenizer.enable_truncation(longest)
        self._most_pieces = longest - self._tokenizer.num_special_tokens_to_add(False)
        self._remembered: dict[tuple[str, ...], tuple[Vectors, Vectors]] = {}
        self._known_sizes: dict[str, int] = {}

    @cached_property
    def about(self) -> JsonObject:
        """The fields of `vorlage.encoder.similarities.Encoding`."""
        files = [Path(self._folder, TOKENIZER), *sorted(Path(self._folder).glob("*.safetensors"))]
        about = {"model": digest([file_digest(path) for path in files]), "layer": self._layer}
        name = encoder_name(self._folder)
        return about | {"name": name} if name else about

    def encode(self, words: Sequence[str], sentences: Sequence[Span]) -> Vectors:
        """Return unit vectors of the words of a text, (words, size); zero for a word without pieces.

        `sentences`: half-open spans that cover `words` in order.
        """
        return _normalize(self.encode_raw(words, sentences))

    def encode_raw(self, words: Sequence[str], sentences: Sequence[Span]) -> Vectors:
        """Return the vectors of `encode` in their own lengths, as the layer has them."""
        (vectors,) = self._hidden_states(words, sentences, [self._layer])
        return vectors

    def encode_both(self, words: Sequence[str], sentences: Sequence[Span]) -> tuple[Vectors, Vectors]:
        """Return what `encode` returns, and unit vectors of the sentences, (sentences, size).

        The vector of a sentence is the mean of its words' in the last layer, zero if none of them has pieces.
        """
        texts = [tuple(words[start:end]) for start, end in sentences]
        remembered = self._remembered
        new = [text for text in dict.fromkeys(texts) if text not in remembered]
        spans = list(pairwise(accumulate(map(len, new), initial=0)))
        vectors, last = self._hidden_states(list(chain(*new)), spans, [self._layer, -1])
        found = {text: remembered[text] for text in texts if text in remembered}
        for text, (start, end) in zip(new, spans, strict=True):
            whole = last[start:end].sum(axis=0, keepdims=True)
            found[text] = _normalize(vectors[start:end]), _normalize(whole)
        both = remembered | found
        self._remembered = both if sum(map(len, both)) <= REMEMBERED else found
        empty = np.empty((0, self._network.size), np.float32)
        of_words, of_sentences = (
            np.concatenate([empty, *(found[text][part] for text in texts)]) for part in (0, 1)
        )
        return of_words, of_sentences

    def _hidden_states(
        self, words: Sequence[str], sentences: Sequence[Span], layers: Sequence[int]
    ) -> Vectors:
        """Return the vectors of words in some hidden layers, (layers, words, size)."""
        spans = windows(sentences, self._sizes(words), self._most_pieces)
        spans.sort(key=lambda span: span[1] - span[0])
        vectors = np.zeros((len(layers), len(words), self._network.size), dtype=np.float32)
        # More threads of BLAS would take sums in another order. The limit holds for the process, so no thread
        # may lift it while another one encodes.
        with LIMITED, threadpool_limits(1, user_api="blas"):
            for first in count_steps("encode", range(0, len(spans), BATCH)):
                batch = spans[first : first + BATCH]
                texts = [list(words[start:end]) for start, end in batch]
                encoded = self._tokenizer.encode_batch(texts, is_pretokenized=True)
                states = self._network.hidden_states([encoding.ids for encoding in encoded], layers)
                places = [
                    -1 if word is None else start + word
                    for (start, _), encoding in zip(batch, encoded, strict=True)
                    for word in encoding.word_ids
                ]
                word_means(states, np.array(places), vectors)
        return vectors

    def _sizes(self, words: Sequence[str]) -> list[int]:
        """Return the number of pieces of each word."""
        sizes = self._known_sizes
        if len(sizes) > REMEMBERED_WORDS:
            sizes = self._known_sizes = {}
        new = [word for word in dict.fromkeys(words) if word not in sizes]
        encoded = self._tokenizer.encode_batch_fast(
            [[word] for word in new], is_pretokenized=True, add_special_tokens=False
        )
        sizes |= dict(zip(new, map(len, encoded), strict=True))
        return [sizes[word] for word in words]


def read_tokenizer(folder: str) -> Tokenizer:
    """Return the tokenizer of a folder, without padding and truncation; raise `InputError` if it has none."""
    path = Path(folder, TOKENIZER)
    try:
        tokenizer = Tokenizer.from_file(str(path))
    except Exception as error:  # tokenizers raises Exception itself
        reason = " ".join(str(error).split())[:200]
        raise InputError(f"{path}: cannot be read as a tokenizer ({reason}); {AGAIN}") from None
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer


def max_pieces(folder: str) -> int:
    """Return the most pieces of a text by the config of the tokenizer, if it has one."""
    config = read_config(folder, TOKENIZER_CONFIG) if Path(folder, TOKENIZER_CONFIG).exists() else {}
    return int(config.get("model_max_length", 512))


def windows(sentences: Sequence[Span], sizes: Sequence[int], most: int) -> list[Span]:
    """Return each sentence as a half-open span of words; one of more than `most` pieces as several.

    `sizes`: the number of pieces of each word. A word of more than `most` pieces is a window by itself;
    the encoder truncates it.
    """
    spans = []
    for start, end in sentences:
        used = 0
        for word in range(start, end):
            if used and used + sizes[word] > most:
                spans.append((start, word))
                start, used = word, 0
            used += sizes[word]
        spans.append((start, end))
    return spans


def _normalize(vectors: Vectors) -> Vectors:
    """Return vectors (n, size) scaled to length 1; zero vectors stay zero."""
    norms = np.linalg.norm(vectors, axis=1, keepdims=True)
    unit: Vectors = np.divide(vectors, np.where(norms > 0, norms, 1))
    return unit
