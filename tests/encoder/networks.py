"""Small encoders with random weights, and their forward pass written out in float64.

Both sides of a product are rounded to bytes, each row with its own scale.
"""

import json
import math
from pathlib import Path

import numpy as np
from safetensors.numpy import save_file
from scipy.special import softmax
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

PIECES = [
    "[PAD]",
    "[UNK]",
    "[CLS]",
    "[SEP]",
    *"abcdefghijklmnopqrstuvwxyz",
    *(f"##{c}" for c in "abcdef"),
    "the",
    ".",
]
CONFIG = {
    "model_type": "bert",
    "hidden_act": "gelu",
    "num_hidden_layers": 3,
    "num_attention_heads": 2,
    "hidden_size": 8,
    "intermediate_size": 16,
    "vocab_size": len(PIECES),
    "max_position_embeddings": 12,
    "type_vocab_size": 2,
    "layer_norm_eps": 1e-6,
    "pad_token_id": 0,
}


def shapes(config):
    """Return the shapes of the weights of a network, by name without its prefix."""
    size, wide = config["hidden_size"], config["intermediate_size"]
    made = {
        "embeddings.word_embeddings.weight": (config["vocab_size"], size),
        "embeddings.position_embeddings.weight": (config["max_position_embeddings"], size),
        "embeddings.token_type_embeddings.weight": (config["type_vocab_size"], size),
        "embeddings.LayerNorm": (size,),
    }
    for layer in range(config["num_hidden_layers"]):
        at = f"encoder.layer.{layer}."
        for name in (
            "attention.self.query",
            "attention.self.key",
            "attention.self.value",
            "attention.output.dense",
        ):
            made[at + name] = (size, size)
        made |= {at + "intermediate.dense": (wide, size), at + "output.dense": (size, wide)}
        made |= {at + "attention.output.LayerNorm": (size,), at + "output.LayerNorm": (size,)}
    named = {}
    for name, shape in made.items():
        if name.endswith(".weight"):
            named[name] = shape
        else:
            named |= {f"{name}.weight": shape, f"{name}.bias": shape[:1]}
    return named


def write_encoder(folder, prefix="", seed=1, **changed):
    """Write a small encoder with random weights; return its config and its weights without `prefix`."""
    folder = Path(folder)
    folder.mkdir(exist_ok=True)
    config, numbers = CONFIG | changed, np.random.default_rng(seed)
    weights = {
        name: numbers.normal(scale=0.7, size=shape).astype(np.float32)
        for name, shape in shapes(config).items()
    }
    (folder / "config.json").write_text(json.dumps(config))
    save_file({prefix + name: array for name, array in weights.items()}, folder / "model.safetensors")
    tokenizer = Tokenizer(models.WordPiece({piece: i for i, piece in enumerate(PIECES)}, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    tokenizer.save(str(folder / "tokenizer.json"))
    return config, weights


def rounded(matrix):
    """Return a matrix with each row rounded to multiples of its largest number over 127."""
    scales = np.abs(matrix).max(axis=1, keepdims=True) / 127
    return np.rint(matrix / scales) * scales


def hidden_states(config, weights, pieces, first=0):
    """Return the hidden states of one text, (layers + 1, pieces, size); `first`: the first position."""
    heads, width = config["num_attention_heads"], config["hidden_size"] // config["num_attention_heads"]

    def product(name, x):
        return rounded(x) @ rounded(weights[f"{name}.weight"].astype(float)).T

    def dense(name, x):
        return product(name, x) + weights[f"{name}.bias"]

    def norm(name, x):
        centred = x - x.mean(axis=-1, keepdims=True)
        variance = (centred**2).mean(axis=-1, keepdims=True) + config["layer_norm_eps"]
        return centred / np.sqrt(variance) * weights[f"{name}.weight"] + weights[f"{name}.bias"]

    gelu = np.vectorize(lambda x: x * (1 + math.erf(x / math.sqrt(2))) / 2)
    embeddings = (
        weights["embeddings.word_embeddings.weight"][list(pieces)].astype(float)
        + weights["embeddings.position_embeddings.weight"][first : first + len(pieces)]
        + weights["embeddings.token_type_embeddings.weight"][0]
    )
    states = [norm("embeddings.LayerNorm", embeddings)]
    for layer in range(config["num_hidden_layers"]):
        at, x = f"encoder.layer.{layer}.", states[-1]
        query, key = (dense(f"{at}attention.self.{part}", x) for part in ("query", "key"))
        value = product(f"{at}attention.self.value", x)
        # The bias of the values adds the same to all outputs, and is not rounded.
        bias = weights[f"{at}attention.self.value.bias"] @ weights[f"{at}attention.output.dense.weight"].T
        attended = np.zeros_like(x)
        for head in range(heads):
            part = slice(head * width, (head + 1) * width)
            scores = query[:, part] @ key[:, part].T / math.sqrt(width)
            attended[:, part] = softmax(scores, axis=1) @ value[:, part]
        joined = norm(
            f"{at}attention.output.LayerNorm", dense(f"{at}attention.output.dense", attended) + bias + x
        )
        wide = gelu(dense(f"{at}intermediate.dense", joined))
        states.append(norm(f"{at}output.LayerNorm", dense(f"{at}output.dense", wide) + joined))
    return np.array(states)
