"""Contextual vectors of words and sentences, by a pretrained transformer.

The vector of a word is the mean of the vectors of its pieces. Sentences are encoded one at a time: with other
sentences around them, words are linked to wrong ones more often (Jalili Sabet et al. 2020). Networks of the
form of BERT run in NumPy, others and those on a GPU in torch.
"""

import os
import warnings
from collections.abc import Sequence
from functools import cached_property, lru_cache
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits
from tokenizers import Encoding, Tokenizer

from vorlage.command.errors import InputError
from vorlage.command.progress import count_steps
from vorlage.encoder.bert import AGAIN, Bert, is_bert, read_config
from vorlage.encoder.installed import encoder_name, model_folder
from vorlage.fingerprint import digest, file_digest
from vorlage.types import JsonObject, Span, Vectors

BATCH = 64
REMEMBERED_WORDS = 1 << 17  # whose number of pieces is kept in memory
# Texts whose vectors are kept: a document with several summaries is encoded once.
REMEMBERED = 2
LIMITED = Lock()
TOKENIZER, TOKENIZER_CONFIG = "tokenizer.json", "tokenizer_config.json"


class TorchNetwork:
    """A network that transformers can read, on a `device` of torch, such as `cpu` or `cuda`.

    `size`, `layers`, `longest`, `pieces`: as those of `vorlage.encoder.bert.Bert`. Raises
    `InputError` if a package, the network or the device is missing.
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
    """Return the encoder `model`, a folder or the name of the installed one.

    Raise `InputError` if there is none, and what `TransformerEncoder` raises.
    """
    return TransformerEncoder(model_folder(model), layer, device)


class TransformerEncoder:
    """Contextual vectors of words in a hidden layer of a pretrained transformer.

    Args:
        folder: with the `config.json`, the `tokenizer.json` and the weights, as safetensors.
        layer: the number of the hidden layer, 0 for the word embeddings.
        device: of torch, or `cpu`.

    Raises:
        InputError: if a package, the model or its layer is missing, and if parts of the model do not fit
            each other.
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
        self._remembered = lru_cache(REMEMBERED)(self._encode_both)
        self._known_sizes: dict[str, int] = {}

    @cached_property
    def about(self) -> JsonObject:
        """What decides the vectors: `model`, a digest of the tokenizer and the weights, and `layer`.

        Any encoder but the default one has a `name`.
        """
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
        The network runs once, and not at all for a text that is one of the last two.
        """
        return self._remembered(tuple(words), tuple(sentences))

    def _encode_both(self, words: tuple[str, ...], sentences: tuple[Span, ...]) -> tuple[Vectors, Vectors]:
        """Return the vectors of `encode_both`."""
        vectors, last = self._hidden_states(words, sentences, [self._layer, -1])
        sums = np.add.reduceat(last, np.array([start for start, _ in sentences], dtype=np.intp))
        return _normalize(vectors), _normalize(sums)

    def _hidden_states(
        self, words: Sequence[str], sentences: Sequence[Span], layers: Sequence[int]
    ) -> Vectors:
        """Return the vectors of words in some hidden layers, (layers, words, size), once for equal texts."""
        spans = windows(sentences, self._sizes(words), self._most_pieces)
        places: dict[tuple[str, ...], list[Span]] = {}
        for start, end in sorted(spans, key=lambda span: span[1] - span[0]):
            places.setdefault(tuple(words[start:end]), []).append((start, end))
        texts = list(places)
        vectors = np.zeros((len(layers), len(words), self._network.size), dtype=np.float32)
        # More threads of BLAS would take sums in another order. The limit holds for the process, so no thread
        # may lift it while another one encodes.
        with LIMITED, threadpool_limits(1, user_api="blas"):
            for first in count_steps("encode", range(0, len(texts), BATCH)):
                batch = texts[first : first + BATCH]
                encoded = self._tokenizer.encode_batch(list(map(list, batch)), is_pretokenized=True)
                states = self._network.hidden_states([encoding.ids for encoding in encoded], layers)
                at = 0
                for text, encoding in zip(batch, encoded, strict=True):
                    means = _word_means(encoding, states[:, at : at + len(encoding)], len(text))
                    at += len(encoding)
                    for start, end in places[text]:
                        vectors[:, start:end] = means
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


def _word_means(text: Encoding, states: Vectors, words: int) -> Vectors:
    """Return the means of the `states` of the pieces of each word, (layers, words, size)."""
    word_of = np.array([-1 if word is None else word for word in text.word_ids])
    pieces = word_of >= 0
    counts = np.maximum(np.bincount(word_of[pieces], minlength=words), 1)
    means = np.zeros((len(states), words, states.shape[2]), dtype=np.float32)
    for mean, state in zip(means, states, strict=True):
        np.add.at(mean, word_of[pieces], state[pieces])
    means /= counts[:, None].astype(np.float32)
    return means


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
