"""Small judges whose logits are rows of a table."""

import json

import numpy as np
from encoder.networks import PIECES, write_encoder

PAIRS, TOKENS = "BertForSequenceClassification", "BertForTokenClassification"


def write_judge(
    folder, architecture=PAIRS, labels=("contradiction", "entailment", "neutral"), name="model.onnx"
):
    """Write a judge; return its table: the logits of each piece, of which a pair has the mean."""
    config, _ = write_encoder(folder, max_position_embeddings=40, architectures=[architecture])
    config["id2label"] = {str(number): label for number, label in enumerate(labels)}
    (folder / "config.json").write_text(json.dumps(config))
    (folder / "model.safetensors").unlink()
    table = np.random.default_rng(3).normal(size=(len(PIECES), len(labels))).astype(np.float32)
    (folder / "model.onnx").write_bytes(onnx_model(table, architecture == TOKENS))
    return table


def onnx_model(table, tokens):
    """Return a file of ONNX that gives each piece its row of `table`; without `tokens`, their mean.

    The messages of the format are written out, so that no test needs its package.
    """

    def varint(value):
        return bytes([value]) if value < 128 else bytes([value & 127 | 128]) + varint(value >> 7)

    def message(*fields):
        parts = []
        for number, value in fields:
            if isinstance(value, int):
                parts.append(varint(number << 3) + varint(value))
            else:
                value = value.encode() if isinstance(value, str) else value
                parts.append(varint(number << 3 | 2) + varint(len(value)) + value)
        return b"".join(parts)

    def tensor(name, kind, *dimensions):
        shape = message(*((1, message((2, dimension))) for dimension in dimensions))
        return message((1, name), (2, message((1, message((1, kind), (2, shape))))))

    def node(kind, inputs, output, *attributes):
        return message(*((1, name) for name in inputs), (2, output), (4, kind), *((5, a) for a in attributes))

    weights = message(*((1, size) for size in table.shape), (2, 1), (8, "table"), (9, table.tobytes()))
    nodes = [node("Gather", ["table", "input_ids"], "logits" if tokens else "rows")]
    if not tokens:
        axes = message((1, "axes"), (8, 1), (20, 7)), message((1, "keepdims"), (3, 0), (20, 2))
        nodes.append(node("ReduceMean", ["rows"], "logits", *axes))
    graph = message(
        *((1, part) for part in nodes),
        (2, "judge"),
        (5, weights),
        *((11, tensor(name, 7, "texts", "pieces")) for name in ("input_ids", "attention_mask")),
        (12, tensor("logits", 1, "texts", *["pieces"] * tokens, "labels")),
    )
    return message((1, 8), (7, graph), (8, message((2, 13))))
