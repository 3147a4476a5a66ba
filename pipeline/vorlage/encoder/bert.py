"""The forward pass of BERT (Devlin et al. 2019) and of networks of its form, such as XLM-RoBERTa, in NumPy.

The pieces of all texts of a batch are the rows of one matrix, without padding, so that most of the time is
spent in products of large matrices, which are rounded to bytes (`vorlage.encoder.kernels`). The vectors
of a text do not depend on the others. The embeddings of pieces stay in their file, which is mapped: a text
needs few of them, and they are most of a multilingual network.
"""

import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import TypeAlias

import numpy as np
from safetensors import SafetensorError, safe_open

from vorlage.command.errors import InputError
from vorlage.encoder.kernels import ByteMatrix, add_gelu, add_normalize, multiply, take_softmax
from vorlage.types import AnyArray, JsonObject, LongInts, Vectors

# Why not onnxruntime: 1.32.0 was tried on 2026-11-28, in one thread of an AMD EPYC with AVX-512 VNNI, with
# the pieces of a batch as rows of one matrix. Processor seconds of the encoder alone on mtref-dev:
#   2.5 to 3.1  here
#   3.5 to 4.2  `DynamicQuantizeMatMul`: one scale for a batch, so the vectors of a text depend on the others
#   6.6 to 7.9  `MatMulNBits` of 8 bits, in blocks of 128 to 32
#   8.9         float32
# Rows with their own scales, by basic operators and `MatMulInteger`, took 6 to 7 times as long as the
# second line. `vorlage align` took 1.1 times the user time with the second line at its best. Its F on
# mtref-dev, msr-dev, edinburgh-train and spark-dev moved by at most 0.001 (second line and float32). An
# installation with the encoder but no judge would grow by 26 to 49 MB on disk.
CONFIG, WEIGHTS = "config.json", "model.safetensors"
EMBEDDINGS = "embeddings.word_embeddings.weight"
AGAIN = "download it again, or choose another one (`embed.model` in the config, --encoder, --judge)"
# The networks of this form, with the name that their weights may begin with.
PREFIXES = {"bert": "bert", "roberta": "roberta", "xlm-roberta": "roberta", "camembert": "roberta"}
DTYPES = {"F16": "<f2", "F32": "<f4", "F64": "<f8"}  # by their names in safetensors

Linear: TypeAlias = tuple[ByteMatrix, Vectors]  # matrix and bias
Norm: TypeAlias = tuple[Vectors, Vectors]  # scale and shift
# To scaled queries, keys and values, with the bias of the queries; from what is attended to, norm; to and
# from the wide layer; norm.
Layer: TypeAlias = tuple[Linear, Linear, Norm, Linear, Linear, Norm]


class Bert:
    """A network of the form of BERT, read from a folder with `config.json` and `model.safetensors`.

    `size`: of its vectors; `layers`: their number; `longest`: the most pieces of a text; `pieces`: the size
    of the vocabulary. Raises `InputError` for a folder without such a network.
    """

    def __init__(self, folder: str) -> None:
        config = read_config(folder)
        prefix = PREFIXES[config["model_type"]]
        # RoBERTa numbers its positions from the padding piece.
        self._first = config.get("pad_token_id", 1) + 1 if prefix == "roberta" else 0
        self._epsilon = float(config.get("layer_norm_eps", 1e-12))
        weights = _read_weights(folder, prefix)

        def norm(name: str) -> Norm:
            return weights[f"{name}.weight"], weights[f"{name}.bias"]

        def dense(*names: str) -> tuple[Vectors, Vectors]:
            """Return the matrix (out, in) and the bias (out) of linear maps side by side."""
            parts = ([weights[f"{name}.{part}"] for name in names] for part in ("weight", "bias"))
            matrix, bias = (np.concatenate(part) if len(part) > 1 else part[0] for part in parts)
            return matrix, bias

        def rounded(matrix: Vectors, bias: Vectors) -> Linear:
            return ByteMatrix.from_floats(matrix), bias

        def layer(place: str) -> Layer:
            projection, bias = dense(
                *(f"{place}.attention.self.{part}" for part in ("query", "key", "value"))
            )
            output, output_bias = dense(f"{place}.attention.output.dense")
            size = len(output)
            scale = np.float32(1 / math.sqrt(size / self._heads))
            projection[:size] *= scale
            # The bias of the keys adds the same to all scores of a query; that of the values, to all outputs.
            return (
                rounded(projection, scale * bias[:size]),
                rounded(output, output_bias + output @ bias[2 * size :]),
                norm(f"{place}.attention.output.LayerNorm"),
                rounded(*dense(f"{place}.intermediate.dense")),
                rounded(*dense(f"{place}.output.dense")),
                norm(f"{place}.output.LayerNorm"),
            )

        try:
            self._heads, self.layers = config["num_attention_heads"], config["num_hidden_layers"]
            self._words = weights[EMBEDDINGS]
            self._positions = weights["embeddings.position_embeddings.weight"]
            types = weights["embeddings.token_type_embeddings.weight"]
            self._positions = self._positions + types[0]  # texts are encoded alone
            self._norm = norm("embeddings.LayerNorm")
            self._layers = [layer(f"encoder.layer.{i}") for i in range(self.layers)]
        except KeyError as error:
            raise InputError(f"{folder}: an encoder without {error.args[0]}; {AGAIN}") from None
        self.pieces, self.size = self._words.shape
        self.longest = len(self._positions) - self._first

    def hidden_states(self, texts: Sequence[Sequence[int]], layers: Sequence[int]) -> Vectors:
        """Return the vectors of the pieces of all texts, one after the other, (layers, pieces, size).

        `layers`: numbers of hidden layers, 0 for the embeddings, −1 for the last one.
        """
        starts = np.cumsum([0, *map(len, texts)])
        pieces = np.concatenate([np.asarray(text, dtype=np.intp) for text in texts])
        positions = np.arange(len(pieces)) - np.repeat(starts[:-1], np.diff(starts)) + self._first
        states = self._words[pieces].astype(np.float32)
        add_normalize(
            states, np.zeros(self.size, np.float32), self._positions[positions], *self._norm, self._epsilon
        )
        numbers = [layer % (self.layers + 1) for layer in layers]
        by_layer = {0: states}
        for number, layer in enumerate(self._layers[: max(numbers)], start=1):
            states = by_layer[number] = self._run(layer, states, starts)
        return np.stack([by_layer[number] for number in numbers])

    def _run(self, layer: Layer, states: Vectors, starts: LongInts) -> Vectors:
        attention, output, output_norm, widen, narrow, norm = layer
        projected = multiply(states, *attention[0])
        joined = multiply(self._attend(projected, attention[1], starts), *output[0])
        add_normalize(joined, output[1], states, *output_norm, self._epsilon)
        wide = multiply(joined, *widen[0])
        add_gelu(wide, widen[1])
        narrowed = multiply(wide, *narrow[0])
        add_normalize(narrowed, narrow[1], joined, *norm, self._epsilon)
        return narrowed

    def _attend(self, projected: Vectors, bias: Vectors, starts: LongInts) -> Vectors:
        """Return the self-attention of the pieces of each text, (n, size) (Vaswani et al. 2017, Equation 1).

        `projected` (n, 3 · size): scaled queries, keys and values of all pieces, the queries without their
        `bias` (size).
        """
        projected[:, : self.size] += bias
        heads = projected.reshape(len(projected), 3, self._heads, -1).transpose(1, 2, 0, 3)
        attended = np.empty((len(projected), self.size), np.float32)
        by_head = attended.reshape(len(projected), self._heads, -1).swapaxes(0, 1)
        for text in map(slice, starts[:-1], starts[1:]):
            queries, keys, values = heads[:, :, text]
            scores = queries @ keys.swapaxes(1, 2)
            take_softmax(scores.reshape(-1, scores.shape[2]))
            np.matmul(scores, values, out=by_head[:, text])
        return attended


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
        config: JsonObject = json.loads(path.read_text(encoding="utf8"))
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: cannot be read ({error}); {AGAIN}") from None
    return config


def _read_weights(folder: str, prefix: str) -> dict[str, AnyArray]:
    """Return the arrays of `model.safetensors` by their names without `prefix`, as float32.

    The embeddings of pieces are mapped from the file, in its type.
    """
    path = Path(folder, WEIGHTS)
    try:
        with safe_open(path, "np") as file:
            return {
                name.removeprefix(f"{prefix}."): _map_array(path, name)
                if name.endswith(EMBEDDINGS)
                else file.get_tensor(name).astype(np.float32, copy=False)
                for name in file.keys()  # noqa: SIM118 - not a mapping
            }
    except (KeyError, OSError, SafetensorError) as error:
        reason = " ".join(str(error).split())[:200]
        raise InputError(f"{path}: cannot be read as safetensors ({reason}); {AGAIN}") from None


def _map_array(path: Path, name: str) -> AnyArray:
    """Return an array of a file of safetensors, mapped; a table in JSON after its length begins the file."""
    with open(path, "rb") as file:
        length = int.from_bytes(file.read(8), "little")
        about = json.loads(file.read(length))[name]
    dtype, first = DTYPES[about["dtype"]], 8 + length + about["data_offsets"][0]
    return np.asarray(np.memmap(path, dtype, "r", first, tuple(about["shape"])))
