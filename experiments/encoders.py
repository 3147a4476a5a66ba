"""The encoder against torch, in the same run: sentences a second, and how far their vectors are apart."""

import importlib.util
import json
import time
from pathlib import Path

import numpy as np
from measure import Row, processors
from vorlage.encoder.encoder import Vectors
from vorlage.encoder.fetch import PACKAGED, find_model
from vorlage.encoder.transformer import TransformerEncoder
from vorlage.text.tokenize import make_text
from vorlage.text.tokenized import Text

ROUNDS = 5
LAYER = 4


def encoder_rows(sample: Path) -> list[Row]:
    """Return a row for each number of threads: the encoder and torch on the documents of `sample`."""
    folder = find_model(PACKAGED)
    if folder is None or importlib.util.find_spec("torch") is None:
        print("\nThe encoder is not compared with torch: `make embed` installs torch")
        return []
    import torch
    from vorlage.encoder.torch_network import TorchNetwork

    texts = [make_text(json.loads(line)["document"]) for line in sample.open(encoding="utf-8")]
    sentences = sum(len(text.sentences) for text in texts)
    rows = []
    for threads in sorted({1, processors()}):
        ours, theirs = (TransformerEncoder(folder, LAYER, threads=count) for count in (threads, 1))
        theirs._network = TorchNetwork(folder, "cpu")
        # torch computes one batch at a time, with all threads.
        torch.set_num_threads(threads)
        times: list[list[float]] = [[], []]
        for _ in range(ROUNDS):
            vectors = []
            for encoder, seconds in zip((ours, theirs), times, strict=True):
                began = time.perf_counter()
                vectors.append(_encode(encoder, texts))
                seconds.append(time.perf_counter() - began)
        speeds = [sentences / float(np.median(seconds)) for seconds in times]
        rows.append(
            {
                "threads": threads,
                "sentences": sentences,
                "sentences/s": speeds[0],
                "sentences/s of torch": speeds[1],
                "ratio": speeds[0] / speeds[1],
                "largest difference": float(np.abs(vectors[0] - vectors[1]).max()),
            }
        )
    return rows


def _encode(encoder: TransformerEncoder, texts: list[Text]) -> Vectors:
    return np.concatenate([encoder.encode_both(text.words, text.sentences)[0] for text in texts])
