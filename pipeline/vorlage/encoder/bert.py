"""The forward pass of BERT (Devlin et al. 2019) and of networks of its form, such as XLM-RoBERTa, in NumPy.

The pieces of all texts of a batch are the rows of one matrix, without padding, so that most of the time is
spent in products of large matrices.
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from safetensors import SafetensorError
from safetensors.numpy import load_file

from vorlage.command.errors import InputError
from vorlage.encoder.bert_kernels import add_gelu, add_normalize, attend
from vorlage.encoder.encoder import Vectors
from vorlage.types import JsonObject

CONFIG, WEIGHTS = "config.json", "model.safetensors"
AGAIN = "download the encoder again, or choose another one (`embed.model` in the config, --encoder)"
# The networks of this form, with the name that their weights may begin with.
PREFIXES = {"bert": "bert", "roberta": "roberta", "xlm-roberta": "roberta", "camembert": "roberta"}
NUMBERS = (
    "num_hidden_layers",
    "num_attention_heads",
    "hidden_size",
    "intermediate_size",
    "vocab_size",
    "max_position_embeddings",
)


class Norm(NamedTuple):
    """The weights of a layer norm (size)."""

    scale: Vectors
    shift: Vectors


class Dense(NamedTuple):
    """The weights of a linear map: `matrix` (in, out) and `bias` (out)."""

    matrix: Vectors
    bias: Vectors


class Layer(NamedTuple):
    """The weights of a layer of the network."""

    attention: Dense
    joined: Dense
    joined_norm: Norm
    wide: Dense
    narrow: Dense
    norm: Norm


class Bert:
    """A network of the form of BERT, read from a folder with `config.json` and `model.safetensors`.

    `size`: of its vectors; `layers`: their number; `longest`: the most pieces of a text. Raises
    `InputError` for a folder without such a network and for weights that do not fit its config.
    """

    def __init__(self, folder: str) -> None:
        config = read_config(folder)
        self._folder = folder
        kind = config["model_type"]
        for name in NUMBERS:
            if type(config.get(name)) is not int or config[name] < 1:
                raise InputError(f"{folder}/{CONFIG}: `{name}` is {config.get(name)!r}; {AGAIN}")
        self.size, self.layers = config["hidden_size"], config["num_hidden_layers"]
        self._heads, self._epsilon = config["num_attention_heads"], float(config.get("layer_norm_eps", 1e-12))
        if self.size % self._heads:
            raise InputError(f"{folder}/{CONFIG}: {self._heads} heads do not divide {self.size}; {AGAIN}")
        # RoBERTa numbers its positions from the padding piece.
        self._first = config.get("pad_token_id", 1) + 1 if PREFIXES[kind] == "roberta" else 0
        self.longest = config["max_position_embeddings"] - self._first
        self._weights = _read_weights(folder, PREFIXES[kind])
        self.pieces = config["vocab_size"]
        wide, size = config["intermediate_size"], self.size
        self._words = self._array("embeddings.word_embeddings.weight", self.pieces, size)
        positions = self._array(
            "embeddings.position_embeddings.weight", config["max_position_embeddings"], size
        )
        types = self._array("embeddings.token_type_embeddings.weight", config.get("type_vocab_size", 2), size)
        self._positions = positions + types[0]
        self._norm = self._norm_of("embeddings.LayerNorm", size)
        self._layers = [self._layer(f"encoder.layer.{i}.", size, wide) for i in range(self.layers)]
        self._weights.clear()

    def hidden_states(self, texts: Sequence[Sequence[int]], layers: Sequence[int]) -> Vectors:
        """Return the vectors of the pieces of all texts, one after the other, in some hidden layers.

        `texts`: the numbers of the pieces; `layers`: numbers of hidden layers, 0 for the embeddings, −1
        for the last one. The shape is (layers, pieces, size).
        """
        starts = np.cumsum([0, *map(len, texts)])
        pieces = np.concatenate([np.asarray(text, dtype=np.intp) for text in texts])
        at = np.arange(len(pieces)) - np.repeat(starts[:-1], np.diff(starts)) + self._first
        states = self._words[pieces]
        add_normalize(
            states, np.zeros(self.size, np.float32), self._positions[at], *self._norm, self._epsilon
        )
        wanted = [layer % (self.layers + 1) for layer in layers]
        found = {0: states}
        for number, layer in enumerate(self._layers[: max(wanted)], start=1):
            states = self._run(layer, states, starts)
            found[number] = states
        return np.stack([found[number] for number in wanted])

    def _run(self, layer: Layer, states: Vectors, starts: Any) -> Vectors:
        attended = np.empty_like(states)
        attend(states @ layer.attention.matrix, layer.attention.bias, starts, self._heads, attended)
        joined: Vectors = attended @ layer.joined.matrix
        add_normalize(joined, layer.joined.bias, states, *layer.joined_norm, self._epsilon)
        wide: Vectors = joined @ layer.wide.matrix
        add_gelu(wide, layer.wide.bias)
        narrow: Vectors = wide @ layer.narrow.matrix
        add_normalize(narrow, layer.narrow.bias, joined, *layer.norm, self._epsilon)
        return narrow

    def _layer(self, name: str, size: int, wide: int) -> Layer:
        parts = [
            self._dense(f"{name}attention.self.{part}", size, size) for part in ("query", "key", "value")
        ]
        return Layer(
            Dense(
                np.concatenate([part.matrix for part in parts], axis=1),
                np.concatenate([part.bias for part in parts]),
            ),
            self._dense(f"{name}attention.output.dense", size, size),
            self._norm_of(f"{name}attention.output.LayerNorm", size),
            self._dense(f"{name}intermediate.dense", size, wide),
            self._dense(f"{name}output.dense", wide, size),
            self._norm_of(f"{name}output.LayerNorm", size),
        )

    def _dense(self, name: str, size: int, out: int) -> Dense:
        matrix = self._array(f"{name}.weight", out, size)
        return Dense(np.ascontiguousarray(matrix.T), self._array(f"{name}.bias", out))

    def _norm_of(self, name: str, size: int) -> Norm:
        return Norm(self._array(f"{name}.weight", size), self._array(f"{name}.bias", size))

    def _array(self, name: str, *shape: int) -> Vectors:
        array = self._weights.get(name)
        if array is None:
            raise InputError(f"{self._folder}/{WEIGHTS}: has no {name}; {AGAIN}")
        if array.shape != shape:
            raise InputError(
                f"{self._folder}/{WEIGHTS}: {name} has the shape {array.shape}, but {CONFIG} says {shape}; "
                f"{AGAIN}"
            )
        array = array.astype(np.float32)
        if not np.isfinite(array).all():
            raise InputError(f"{self._folder}/{WEIGHTS}: {name} has numbers that are not finite; {AGAIN}")
        return array


def is_bert(config: JsonObject) -> bool:
    """Return whether the network with this `config.json` has the form of BERT."""
    return (
        config.get("model_type") in PREFIXES
        and config.get("hidden_act", "gelu") == "gelu"
        and config.get("position_embedding_type", "absolute") == "absolute"
    )


def read_config(folder: str, name: str = CONFIG) -> JsonObject:
    """Return a JSON object of an encoder; raise `InputError` if it cannot be read."""
    path = Path(folder, name)
    try:
        config = json.loads(path.read_text(encoding="utf8"))
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: cannot be read ({error}); {AGAIN}") from None
    if not isinstance(config, dict):
        raise InputError(f"{path}: not a JSON object; {AGAIN}")
    return config


def _read_weights(folder: str, prefix: str) -> dict[str, Any]:
    """Return the arrays of `model.safetensors` by their names without `prefix`."""
    path = Path(folder, WEIGHTS)
    try:
        weights = load_file(path)
    except (OSError, SafetensorError, ValueError, TypeError, KeyError) as error:
        reason = " ".join(str(error).split())[:200]
        raise InputError(f"{path}: cannot be read as safetensors ({reason}); {AGAIN}") from None
    return {name.removeprefix(f"{prefix}."): array for name, array in weights.items()}
