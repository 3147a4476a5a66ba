"""What a judge says of sentences beside their sources: a classifier of pairs of texts, or of pieces.

It is a network in a file of ONNX, which onnxruntime runs, or a function of the user.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple, TypeAlias

import numpy as np
from tokenizers import Encoding

from vorlage.command.errors import InputError, find_missing
from vorlage.encoder.bert import read_config
from vorlage.encoder.installed import find_judge
from vorlage.encoder.transformer import max_pieces, read_tokenizer
from vorlage.types import Floats, JsonObject, Vectors

TOKENS = "ForTokenClassification"
ARCHITECTURES = ("ForSequenceClassification", TOKENS)
ENTAILED = ("entailment", "entailed", "supported", "supports", "consistent", "faithful", "factual")
CONTRADICTED = ("contradiction", "contradicted", "contradicts", "refutes", "refuted", "inconsistent")
# The files of a network, the fastest first: exports of optimum, of sentence-transformers, of anybody.
NETWORKS = ("*quint8*.onnx", "*int8*.onnx", "model_quantized.onnx", "model.onnx", "*.onnx")
# How LettuceDetect presents the sources of a text without a question (Kovács & Recski 2025).
PROMPT = "\nSummarize the following text:\npassage 1: {}\noutput:\n"
BATCH = 16  # pairs of like length


def find_networks(folder: str | Path) -> list[Path]:
    """Return the files of networks in a folder and its subfolder `onnx`, the fastest first."""
    places = [Path(folder), Path(folder, "onnx")]
    return [path for name in NETWORKS for place in places for path in sorted(place.glob(name))]


class Judgement(NamedTuple):
    """The probabilities that sources entail a sentence, and that they contradict it."""

    entailed: float
    contradicted: float


# The sources of a sentence as one text, and the sentence.
SourcedSentence: TypeAlias = tuple[str, str]
Judge: TypeAlias = Callable[[Sequence[SourcedSentence]], list[Judgement]]
# What a user may pass: from sources and a sentence to a probability of support, or probabilities by label.
JudgeFunction: TypeAlias = Callable[[str, str], float | Mapping[str, float]]


class Network:
    """A classifier in a file of ONNX, whose inputs are those of transformers' exports, in one thread.

    Args:
        folder: with `config.json`, `tokenizer.json` and the file.

    Raises:
        InputError: if onnxruntime or a file is missing, and for a file that cannot be read.
    """

    def __init__(self, folder: str) -> None:
        paths = find_networks(folder)
        if not paths:
            raise InputError(
                f"{folder}: has no network, such as model.onnx; export the judge with "
                "`optimum-cli export onnx --model NAME FOLDER`"
            )
        try:
            import onnxruntime
        except ModuleNotFoundError as error:
            raise InputError(f"{paths[0]}: {find_missing(error)}") from None
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1  # sums have one order, and processes share the cores
        try:
            self._session = onnxruntime.InferenceSession(paths[0], options, ["CPUExecutionProvider"])
        except Exception as error:  # onnxruntime raises many kinds for a wrong file
            reason = " ".join(str(error).split())[:200]
            raise InputError(
                f"{paths[0]}: cannot be read as ONNX ({reason}); export the judge again"
            ) from None
        self._inputs = {node.name: node.shape for node in self._session.get_inputs()}
        fixed = [shape[1] for shape in self._inputs.values() if isinstance(shape[1], int)]
        self._single = any(shape[0] == 1 for shape in self._inputs.values())
        # RoBERTa numbers its positions from 2.
        longest = min(read_config(folder).get("max_position_embeddings", 512) - 2, max_pieces(folder))
        self._tokenizer = read_tokenizer(folder)
        self._tokenizer.enable_truncation(min([longest, *fixed]))  # of the longer text, the sources
        self._tokenizer.enable_padding(length=fixed[0] if fixed else None)

    def logits(self, pairs: Sequence[SourcedSentence]) -> list[tuple[Encoding, Vectors]]:
        """Return the pieces of each pair, and its logits (labels) or those of the pieces (pieces, labels)."""
        order = sorted(range(len(pairs)), key=lambda n: sum(map(len, pairs[n])))
        size = 1 if self._single else BATCH
        results: dict[int, tuple[Encoding, Vectors]] = {}
        for start in range(0, len(order), size):
            numbers = order[start : start + size]
            texts = self._tokenizer.encode_batch([pairs[n] for n in numbers])
            arrays = {
                "input_ids": [text.ids for text in texts],
                "attention_mask": [text.attention_mask for text in texts],
                "token_type_ids": [text.type_ids for text in texts],
            }
            inputs = {name: np.array(arrays[name], np.int64) for name in self._inputs}
            for n, text, logits in zip(numbers, texts, self._session.run(None, inputs)[0], strict=True):
                results[n] = text, logits
        return [results[n] for n in range(len(pairs))]


def judge_pairs(network: Network, labels: Sequence[str], pairs: Sequence[SourcedSentence]) -> list[Judgement]:
    """Judge sentences by a classifier of pairs with these labels."""
    return [_judgement(labels, _probabilities(logits)) for _, logits in network.logits(pairs)]


def judge_pieces(
    network: Network, labels: Sequence[str], pairs: Sequence[SourcedSentence]
) -> list[Judgement]:
    """Judge sentences by a classifier of pieces: a sentence is as supported as its least supported piece."""
    judgements = []
    prompted = [(PROMPT.format(sources), sentence) for sources, sentence in pairs]
    for (_, sentence), (text, logits) in zip(pairs, network.logits(prompted), strict=True):
        spoken = [
            number
            for number, (side, span) in enumerate(zip(text.sequence_ids, text.offsets, strict=True))
            if side == 1 and any(map(str.isalnum, sentence[slice(*span)]))
        ]
        pieces = [_judgement(labels, _probabilities(row)) for row in logits[spoken]]
        judgements.append(min(pieces, default=Judgement(1.0, 0.0)))
    return judgements


def judge_by(function: JudgeFunction, pairs: Sequence[SourcedSentence]) -> list[Judgement]:
    """Judge sentences by a function of the user.

    Raises:
        InputError: if it returns neither a probability nor probabilities by label.
    """
    judgements = []
    for sources, sentence in pairs:
        said = function(sources, sentence)
        by_label = said if isinstance(said, Mapping) else {"supported": said}
        try:
            judgement = _judgement(list(by_label), np.array(list(by_label.values()), dtype=float))
            if not all(0.0 <= probability <= 1.0 for probability in judgement):
                raise ValueError
            judgements.append(judgement)
        except (TypeError, ValueError):
            raise InputError(
                f"the judge returned {said!r}; return a probability of support, or probabilities by label, "
                f"one of them {ENTAILED[0]} or {CONTRADICTED[0]}"
            ) from None
    return judgements


def open_judge(judge: str | JudgeFunction) -> Judge:
    """Return a judge.

    The labels that count are those called entailment (supported, supports, consistent, faithful, factual)
    and contradiction (refutes, inconsistent). Of two labels without names, the second means support for
    pairs of texts, as in models of consistency, and the first for pieces, as in LettuceDetect. A single
    output is the logit of support.

    Args:
        judge: a function from the sources and a sentence to a probability of support, or to probabilities by
            label; a folder; or the name of a judge that `vorlage fetch --judge` has downloaded.

    Raises:
        InputError: for a judge that is missing, incomplete or none.
    """
    if callable(judge):
        return partial(judge_by, judge)
    folder = find_judge(judge)
    if folder is None:
        raise InputError(
            f"the judge {judge} is neither a folder nor downloaded; download it with "
            f"`vorlage fetch --judge {judge}`"
        )
    config = read_config(folder)
    architecture = (config.get("architectures") or ["none"])[0]
    if not architecture.endswith(ARCHITECTURES):
        raise InputError(
            f"{folder}: its architecture is {architecture}; choose a judge whose architecture in config.json "
            f"ends in {' or '.join(ARCHITECTURES)}"
        )
    tokens = architecture.endswith(TOKENS)
    labels = _labels(folder, config, tokens)
    return partial(judge_pieces if tokens else judge_pairs, Network(folder), labels)


def _labels(folder: str, config: JsonObject, tokens: bool) -> list[str]:
    """Return the labels of a network; raise `InputError` if none says whether a sentence is supported."""
    # transformers leaves out the names of two labels that have none.
    names = config.get("id2label") or {"0": "LABEL_0", "1": "LABEL_1"}
    labels = [str(names[str(number)]).casefold() for number in range(len(names))]
    if len(labels) == 1:
        return ["supported"]
    if len(labels) == 2 and all(re.fullmatch(r"label_\d", label) for label in labels):
        return ["supported", "other"] if tokens else ["other", "supported"]
    if not {*ENTAILED, *CONTRADICTED}.isdisjoint(labels):
        return labels
    raise InputError(
        f"{folder}: its labels are {', '.join(names.values())}; name the one that means supported "
        f'"{ENTAILED[0]}" in `id2label` of config.json, or the one that means contradicted '
        f'"{CONTRADICTED[0]}"'
    )


def _judgement(labels: Sequence[str], values: Floats) -> Judgement:
    """Return the judgement of probabilities by label; of two labels, one is enough."""
    entailed, contradicted = (
        next((float(value) for label, value in zip(labels, values, strict=True) if label in names), None)
        for names in (ENTAILED, CONTRADICTED)
    )
    if entailed is None and contradicted is None:
        raise ValueError
    if entailed is None:
        entailed = 1.0 - float(contradicted or 0.0)
    if contradicted is None:
        contradicted = 1.0 - entailed if len(labels) < 3 else 0.0
    return Judgement(entailed, contradicted)


def _probabilities(logits: Vectors) -> Floats:
    """Return the probabilities of labels by their logits; of one output, that of support."""
    if logits.shape[-1] == 1:
        return 1.0 / (1.0 + np.exp(-logits.astype(np.float64)))
    values = np.exp(logits.astype(np.float64) - logits.max())
    return np.asarray(values / values.sum())
