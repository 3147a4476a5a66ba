"""Contextual vectors of words and sentences, by a pretrained encoder. `make embed` installs what it wants.

A word's vector is the mean of its pieces'. Sentences are encoded one by one: with others around them words
find wrong ones more often (Jalili Sabet et al. 2020). One thread: with more, sums come in another order.
"""

import os
import warnings
from functools import cached_property

import numpy as np

from pipeline.encode.fetch import find_model
from pipeline.fingerprint import file_digest
from pipeline.run.errors import InputError

BATCH = 16


def open_encoder(model, layer):
    """Return the encoder ``model``, a folder or the name of the installed one.

    Raises :class:`InputError` where there is none, and what :class:`TransformerEncoder` raises.
    """
    folder = find_model(model)
    if folder is None:
        raise InputError(
            f"the encoder {model} is no folder and not installed; download it with "
            "`python -m pipeline.encode.fetch`, as the workflow does, and give the folder "
            "(`embed.model` in the config, --encoder to align)"
        )
    return TransformerEncoder(folder, layer)


class TransformerEncoder:
    """Contextual word vectors of a pretrained encoder.

    ``model``: a folder, its weights as safetensors; ``layer``: which hidden layer, 0 being the word
    embeddings. Raises :class:`InputError` where a package, the model or its layer is missing.
    """

    def __init__(self, model, layer):
        os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
        try:
            import torch
            import transformers
        except ImportError as error:
            raise InputError(
                f"the encoder cannot import {error.name}; install it with `make embed`, "
                "or leave out of the config what wants an encoder"
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
                # Weights in another format than safetensors are a pickle, which could run anything.
                self._model = transformers.AutoModel.from_pretrained(
                    model, use_safetensors=True, local_files_only=True
                ).eval()
        # Whatever transformers makes of a wrong folder.
        except Exception as error:
            reason = str(error).split("\n")[0][:200]
            raise InputError(
                f"the encoder {model} cannot be loaded ({type(error).__name__}: {reason}); "
                "give a folder with one, its weights as safetensors (`embed.model` in the config, --encoder "
                "to align)"
            ) from None
        config = self._model.config
        if not 0 <= layer <= config.num_hidden_layers:
            raise InputError(
                f"`embed.layer` is {layer}; the encoder {model} has layers 0 to {config.num_hidden_layers}"
            )
        self._layer = layer
        special = self._tokenizer.num_special_tokens_to_add()
        self._room = min(self._tokenizer.model_max_length, config.max_position_embeddings) - special

    @cached_property
    def about(self):
        """What decides the vectors: ``model``, the digest of its files, and ``layer``."""
        return {"model": file_digest(self._folder), "layer": self._layer}

    def encode(self, words, sentences):
        """Unit vectors of the words of a text, float32 (words, size); zero for a word without pieces.

        ``sentences``: half-open spans that cover ``words`` in order.
        """
        return _unit(*self._states(words, sentences, [self._layer]))

    def encode_both(self, words, sentences):
        """What :meth:`encode` gives, and unit vectors of the sentences, float32 (sentences, size).

        That of a sentence is the mean of its words' in the last layer; zero where none has pieces. The
        network is gone through once.
        """
        vectors, last = self._states(words, sentences, [self._layer, -1])
        sums = np.add.reduceat(last, np.array([start for start, _ in sentences], dtype=np.intp))
        return _unit(vectors), _unit(sums)

    def _states(self, words, sentences, layers):
        """The vectors of words in some hidden layers: an array (words, size) for each."""
        pieces = self._tokenizer(words, add_special_tokens=False)["input_ids"] if words else []
        sizes = [len(found) for found in pieces]
        spans = windows(sentences, sizes, self._room)
        vectors = np.zeros((len(layers), len(words), self._model.config.hidden_size), dtype=np.float32)
        spans.sort(key=lambda span: span[1] - span[0])
        for first in range(0, len(spans), BATCH):
            chosen = spans[first : first + BATCH]
            found = self._batch([words[start:end] for start, end in chosen], layers)
            for (start, end), states in zip(chosen, found, strict=True):
                vectors[:, start:end] = states
        return vectors

    def _batch(self, texts, layers):
        made = self._tokenizer(
            texts, is_split_into_words=True, padding=True, truncation=True, return_tensors="pt"
        )
        with self._torch.inference_mode():
            states = self._model(**made, output_hidden_states=True).hidden_states
        states = [states[layer].numpy() for layer in layers]
        for k, words in enumerate(texts):
            of = np.array([-1 if word is None else word for word in made.word_ids(k)])
            counts = np.maximum(np.bincount(of[of >= 0], minlength=len(words)), 1)
            sums = np.zeros((len(layers), len(words), states[0].shape[2]), dtype=np.float32)
            for total, state in zip(sums, states, strict=True):
                np.add.at(total, of[of >= 0], state[k][of >= 0])
            yield sums / counts[:, None]


def windows(sentences, sizes, room):
    """Each sentence as a half-open span of words, one of more than ``room`` pieces as several.

    ``sizes``: pieces of each word; of a word of more than ``room`` only the first count.
    """
    found = []
    for start, end in sentences:
        used = 0
        for word in range(start, end):
            if used and used + sizes[word] > room:
                found.append((start, word))
                start, used = word, 0
            used += sizes[word]
        found.append((start, end))
    return found


def _unit(vectors):
    norms = np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors / np.where(norms > 0, norms, 1)
