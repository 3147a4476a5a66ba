"""Small judges with random weights, as safetensors and as ONNX."""

import json

import numpy as np
from encoder.networks import write_encoder
from safetensors.numpy import load_file, save_file

PAIRS, TOKENS = "BertForSequenceClassification", "BertForTokenClassification"


def write_judge(folder, architecture=PAIRS, labels=("contradiction", "entailment", "neutral"), **changed):
    """Write a judge with random weights; return its config, its weights without prefix, and its head."""
    roberta = "Roberta" in architecture
    kind = {"model_type": "roberta", "pad_token_id": 1} if roberta else {}
    config, weights = write_encoder(
        folder,
        "roberta." if roberta else "bert.",
        **({"max_position_embeddings": 40, "architectures": [architecture]} | kind | changed),
    )
    config["id2label"] = {str(number): label for number, label in enumerate(labels)}
    (folder / "config.json").write_text(json.dumps(config))
    size, numbers = config["hidden_size"], np.random.default_rng(2)
    if "Token" in architecture:
        shapes = {"classifier": (len(labels), size)}
    elif roberta:
        shapes = {"classifier.dense": (size, size), "classifier.out_proj": (len(labels), size)}
    else:
        shapes = {"bert.pooler.dense": (size, size), "classifier": (len(labels), size)}
    head = {}
    for name, shape in shapes.items():
        head[f"{name}.weight"] = numbers.normal(size=shape).astype(np.float32)
        head[f"{name}.bias"] = numbers.normal(size=shape[:1]).astype(np.float32)
    change_weights(folder, head)
    return config, weights, head


def change_weights(folder, changed):
    """Write the weights of a judge with some of them changed or added; None removes one."""
    weights = load_file(folder / "model.safetensors") | changed
    save_file({k: v for k, v in weights.items() if v is not None}, folder / "model.safetensors")


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
