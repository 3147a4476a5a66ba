"""Contextual vectors of words and sentences, by a pretrained transformer. `make embed` installs its packages.

The vector of a word is the mean of the vectors of its pieces. Sentences are encoded one at a time: with other
sentences around them, words are linked to wrong ones more often (Jalili Sabet et al. 2020). One thread is
used, because with more of them sums are taken in another order.
"""

import os
import warnings
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from pipeline.encode.encoder import Vectors
from pipeline.encode.fetch import find_model
from pipeline.fingerprint import file_digest
from pipeline.run.errors import InputError
from pipeline.types import Floats, JsonObject, Span

BATCH = 16


def open_encoder(model: str, layer: int) -> "TransformerEncoder":
    """Return the encoder ``model``, a folder or the name of the installed one.

    Raise :class:`InputError` if there is none, and what :class:`TransformerEncoder` raises.
    """
    folder = find_model(model)
    if folder is None:
        raise InputError(
            f"the encoder {model} is neither a folder nor installed; download it with "
            "`python -m pipeline.encode.fetch`, as the workflow does, and pass its folder "
            "(`embed.model` in the config, --encoder of pipeline.align)"
        )
    return TransformerEncoder(folder, layer)


class TransformerEncoder:
    """Contextual vectors of words in a hidden layer of a pretrained transformer.

    ``model``: a folder with weights as safetensors; ``layer``: the number of the hidden layer, 0 for the word
    embeddings. Raises :class:`InputError` if a package, the model or its layer is missing.
    """

    # torch and transformers are optional and imported here alone, so their objects have no types.
    _torch: Any
    _tokenizer: Any
    _model: Any

    def __init__(self, model: str, layer: int) -> None:
        os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
        try:
            import torch
            import transformers
        except ImportError as error:
            raise InputError(
                f"the encoder cannot import {error.name}; install it with `make embed`, or choose a config "
                "that needs no encoder"
            ) from None
        transformers.logging.set_verbosity_error()
        torch.set_num_threads(1)
        self._torch, self._folder = torch, model
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                self._tokenizer = transformers.AutoTokenizer.from_pretrained(
                    model, use_fast=True, local_files_only=True
                )
                # Weights in a format other than safetensors are a pickle, which could run any code.
                self._model = transformers.AutoModel.from_pretrained(
                    model, use_safetensors=True, local_files_only=True
                ).eval()
        except Exception as error:  # transformers raises many kinds for a wrong folder
            reason = str(error).split("\n")[0][:200]
            raise InputError(
                f"the encoder {model} cannot be loaded ({type(error).__name__}: {reason}); "
                "pass a folder with an encoder whose weights are safetensors (`embed.model` in the config, "
                "--encoder of pipeline.align)"
            ) from None
        config = self._model.config
        if not 0 <= layer <= config.num_hidden_layers:
            raise InputError(
                f"`embed.layer` is {layer}, but the encoder {model} has layers 0 to "
                f"{config.num_hidden_layers}; choose one of them"
            )
        self._layer = layer
        special = self._tokenizer.num_special_tokens_to_add()
        self._most_pieces = min(self._tokenizer.model_max_length, config.max_position_embeddings) - special

    @cached_property
    def about(self) -> JsonObject:
        """What decides the vectors: ``model``, a digest of the files of the model, and ``layer``."""
        return {"model": file_digest(self._folder), "layer": self._layer}

    def encode(self, words: Sequence[str], sentences: Sequence[Span]) -> Vectors:
        """Return unit vectors of the words of a text, (words, size); zero for a word without pieces.

        ``sentences``: half-open spans that cover ``words`` in order.
        """
        (vectors,) = self._hidden_states(words, sentences, [self._layer])
        return _normalize(vectors)

    def encode_both(self, words: Sequence[str], sentences: Sequence[Span]) -> tuple[Vectors, Vectors]:
        """Return what :meth:`encode` returns, and unit vectors of the sentences, (sentences, size).

        The vector of a sentence is the mean of its words' in the last layer, zero if none of them has pieces.
        The network runs once.
        """
        vectors, last = self._hidden_states(words, sentences, [self._layer, -1])
        sums = np.add.reduceat(last, np.array([start for start, _ in sentences], dtype=np.intp))
        return _normalize(vectors), _normalize(sums)

    def _hidden_states(
        self, words: Sequence[str], sentences: Sequence[Span], layers: Sequence[int]
    ) -> Vectors:
        """Return the vectors of words in some hidden layers, (layers, words, size)."""
        pieces = self._tokenizer(words, add_special_tokens=False)["input_ids"] if words else []
        sizes = [len(of_word) for of_word in pieces]
        spans = windows(sentences, sizes, self._most_pieces)
        vectors = np.zeros((len(layers), len(words), self._model.config.hidden_size), dtype=np.float32)
        spans.sort(key=lambda span: span[1] - span[0])
        for first in range(0, len(spans), BATCH):
            batch = spans[first : first + BATCH]
            states = self._encode_batch([words[start:end] for start, end in batch], layers)
            for (start, end), of_window in zip(batch, states, strict=True):
                vectors[:, start:end] = of_window
        return vectors

    def _encode_batch(self, texts: Sequence[Sequence[str]], layers: Sequence[int]) -> Iterator[Floats]:
        """Yield the vectors of the words of each text, (layers, words, size)."""
        encoded = self._tokenizer(
            texts, is_split_into_words=True, padding=True, truncation=True, return_tensors="pt"
        )
        with self._torch.inference_mode():
            states = self._model(**encoded, output_hidden_states=True).hidden_states
        states = [states[layer].numpy() for layer in layers]
        for k, words in enumerate(texts):
            word_of = np.array([-1 if word is None else word for word in encoded.word_ids(k)])
            counts = np.maximum(np.bincount(word_of[word_of >= 0], minlength=len(words)), 1)
            sums = np.zeros((len(layers), len(words), states[0].shape[2]), dtype=np.float32)
            for total, state in zip(sums, states, strict=True):
                np.add.at(total, word_of[word_of >= 0], state[k][word_of >= 0])
            yield sums / counts[:, None]


def windows(sentences: Sequence[Span], sizes: Sequence[int], most: int) -> list[Span]:
    """Return each sentence as a half-open span of words; one of more than ``most`` pieces as several.

    ``sizes``: the number of pieces of each word. A word of more than ``most`` pieces is a window by itself;
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
