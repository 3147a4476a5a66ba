"""What a judge says of sentences beside their sources, by a classifier of pairs or one of pieces.

Its network is of the form of BERT and runs in NumPy, or is any other and runs in onnxruntime.
"""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

import numpy as np
from safetensors import SafetensorError, safe_open
from threadpoolctl import threadpool_limits
from tokenizers import Encoding, Tokenizer
from tokenizers.implementations import BertWordPieceTokenizer
from tokenizers.models import WordPiece

from vorlage.command.errors import InputError, find_missing
from vorlage.encoder.bert import AGAIN, PREFIXES, WEIGHTS, Bert, is_bert, read_config
from vorlage.encoder.transformer import LIMITED, TOKENIZER, TOKENIZER_CONFIG, max_pieces, read_tokenizer
from vorlage.types import JsonObject, Span, Vectors

TOKENS = "ForTokenClassification"
ARCHITECTURES = ("ForSequenceClassification", TOKENS)
SUPPORTED = ("entailment", "supported", "supports", "consistent", "faithful", "factual")
ONNX = ("model.onnx", "onnx/model.onnx")
# How LettuceDetect presents the sources of a text without a question (Kovács & Recski 2025).
PROMPT = "\nSummarize the following text:\npassage 1: {}\noutput:\n"


class Network(Protocol):
    """A classifier of texts, or of the pieces of texts. `longest`: the most pieces of a text."""

    longest: int

    def logits(self, text: Encoding) -> Vectors:
        """Return the logits of a text, (labels), or of its pieces, (pieces, labels)."""
        ...


class BertClassifier:
    """A network of the form of BERT with the head of transformers' classifiers.

    The head of a classifier of texts is two linear maps with a hyperbolic tangent between them, applied to
    the first piece (Devlin et al. 2019, Section 4.1); that of a classifier of pieces is one linear map.

    Raises:
        InputError: for a folder without such a network.
    """

    def __init__(self, folder: str) -> None:
        config = read_config(folder)
        prefix = PREFIXES[config["model_type"]]
        self._tokens = config["architectures"][0].endswith(TOKENS)
        if self._tokens:
            names = ["classifier"]
        elif prefix == "bert":
            names = ["bert.pooler.dense", "classifier"]
        else:
            names = ["classifier.dense", "classifier.out_proj"]
        self._network = Bert(folder)
        self.longest = self._network.longest
        with safe_open(Path(folder, WEIGHTS), "np") as weights:
            try:
                self._head = [
                    [weights.get_tensor(f"{name}.{part}").astype(np.float32) for part in ("weight", "bias")]
                    for name in names
                ]
            except SafetensorError as error:
                raise InputError(
                    f"{folder}: a judge whose weights lack its head ({error}); {AGAIN}"
                ) from None

    def logits(self, text: Encoding) -> Vectors:
        """Return the logits of a text, (labels), or of its pieces, (pieces, labels)."""
        # One thread, as for encoders, so that sums have one order.
        with LIMITED, threadpool_limits(1, user_api="blas"):
            (states,) = self._network.hidden_states([text.ids], [-1], [text.type_ids])
            states = states if self._tokens else states[0]
            for number, (weight, bias) in enumerate(self._head):
                states = (np.tanh(states) if number else states) @ weight.T + bias
        return states


class OnnxClassifier:
    """A classifier in a file of ONNX, whose inputs are those of transformers' exports.

    Raises:
        InputError: if onnxruntime is missing, and for a file that it cannot read.
    """

    def __init__(self, folder: str, path: Path) -> None:
        try:
            import onnxruntime
        except ModuleNotFoundError as error:
            raise InputError(f"{path}: {find_missing(error)}") from None
        try:
            self._session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
        except Exception as error:  # onnxruntime raises many kinds for a wrong file
            reason = " ".join(str(error).split())[:200]
            raise InputError(f"{path}: cannot be read as ONNX ({reason}); export the judge again") from None
        self._inputs = {node.name for node in self._session.get_inputs()}
        # RoBERTa numbers its positions from 2.
        self.longest = read_config(folder).get("max_position_embeddings", 512) - 2

    def logits(self, text: Encoding) -> Vectors:
        """Return the logits of a text, (labels), or of its pieces, (pieces, labels)."""
        inputs = {
            "input_ids": text.ids,
            "attention_mask": text.attention_mask,
            "token_type_ids": text.type_ids,
        }
        arrays = {name: np.array([inputs[name]], np.int64) for name in self._inputs}
        logits: Vectors = self._session.run(None, arrays)[0][0]
        return logits


class Judge(Protocol):
    """Says whether sources support a sentence."""

    def supported(self, sources: Sequence[str], sentence: str) -> float:
        """Return the probability that sentences of documents, in their order, support a sentence."""
        ...


class PairJudge:
    """A classifier of pairs of texts: entailment, consistency.

    Args:
        network: with the logits of a text, (labels).
        tokenizer: that cuts pairs to the window of the network.
        label: the number of the label *supported*. A network with one output gives its logit.
    """

    def __init__(self, network: Network, tokenizer: Tokenizer, label: int) -> None:
        self._network, self._tokenizer, self._label = network, tokenizer, label

    def supported(self, sources: Sequence[str], sentence: str) -> float:
        """Return the probability that sentences of documents, in their order, support a sentence."""
        text = self._tokenizer.encode(" ".join(sources), sentence)
        return float(_probabilities(self._network.logits(text), self._label))


class TokenJudge:
    """A classifier of the pieces of the second text of a pair, in the form of LettuceDetect.

    The arguments are those of `PairJudge`, but the logits are those of pieces, (pieces, labels).
    """

    def __init__(self, network: Network, tokenizer: Tokenizer, label: int) -> None:
        self._network, self._tokenizer, self._label = network, tokenizer, label

    def hallucinated(self, sources: Sequence[str], sentence: str) -> list[tuple[Span, float]]:
        """Return the characters of each piece of a sentence, and the probability that it is not supported."""
        text = self._tokenizer.encode(PROMPT.format(" ".join(sources)), sentence)
        values = 1.0 - _probabilities(self._network.logits(text), self._label)
        return [
            (span, value)
            for span, value, side in zip(text.offsets, values.tolist(), text.sequence_ids, strict=True)
            if side == 1
        ]

    def supported(self, sources: Sequence[str], sentence: str) -> float:
        """Return 1 − the largest probability of `hallucinated`, of pieces with a letter or digit."""
        return 1.0 - max(
            (
                probability
                for span, probability in self.hallucinated(sources, sentence)
                if any(map(str.isalnum, sentence[slice(*span)]))
            ),
            default=0.0,
        )


def _probabilities(logits: Vectors, label: int) -> Vectors:
    """Return the probability of a label by logits (..., labels)."""
    from scipy.special import expit, softmax  # takes a fifth of a second, and few attributions have a judge

    if logits.shape[-1] == 1:
        return np.asarray(expit(logits[..., 0]))
    return np.asarray(softmax(logits, axis=-1)[..., label])


def open_judge(name: str) -> Judge:
    """Return a judge.

    The label that means *supported* is the one called entailment, supported, supports, consistent,
    faithful or factual. If a model has two labels without names, it is the second one for pairs of texts,
    as in models of consistency, and the first one for pieces, as in LettuceDetect. If a model has one output,
    this is the logit of *supported*.

    Args:
        name: a folder, or a name on the Hugging Face hub, with `config.json`, `tokenizer.json` or
            `vocab.txt`, and `model.safetensors` of a network of the form of BERT, or else `model.onnx`.

    Raises:
        InputError: for a model that is missing, incomplete or no judge.
    """
    folder = name if Path(name).is_dir() else _download(name)
    config = read_config(folder)
    architecture = (config.get("architectures") or ["none"])[0]
    if not architecture.endswith(ARCHITECTURES):
        raise InputError(
            f"{folder}: its architecture is {architecture}; choose a judge whose architecture in config.json "
            f"ends in {' or '.join(ARCHITECTURES)}"
        )
    tokens = architecture.endswith(TOKENS)
    network, tokenizer = _open_network(folder, config), _open_tokenizer(folder)
    tokenizer.enable_truncation(min(network.longest, max_pieces(folder)))
    label = _supported_label(folder, config, tokens)
    return (TokenJudge if tokens else PairJudge)(network, tokenizer, label)


def _download(name: str) -> str:
    """Return the folder of a model of the hub; download what is not there yet."""
    from huggingface_hub import snapshot_download

    try:
        folder: str = snapshot_download(name, allow_patterns=["*.json", "*.txt"], ignore_patterns=["*/*"])
        # Weights in other formats than these are a pickle, which could run any code.
        weights = [WEIGHTS] if is_bert(read_config(folder)) else [f"{path}*" for path in ONNX]
        return str(snapshot_download(name, allow_patterns=weights))
    except (OSError, ValueError) as error:
        reason = " ".join(str(error).split(". ")[0].split())[:200]
        raise InputError(
            f"the judge {name} is not a folder and cannot be downloaded ({reason}); check its name and the "
            "network"
        ) from None


def _open_network(folder: str, config: JsonObject) -> Network:
    if is_bert(config) and Path(folder, WEIGHTS).exists():
        return BertClassifier(folder)
    for path in (Path(folder, name) for name in ONNX):
        if path.exists():
            return OnnxClassifier(folder, path)
    raise InputError(
        f"{folder}: has neither {WEIGHTS} of the form of BERT nor {ONNX[0]}; export the judge with "
        "`optimum-cli export onnx --model NAME FOLDER`"
    )


def _open_tokenizer(folder: str) -> Tokenizer:
    vocabulary = Path(folder, "vocab.txt")
    if Path(folder, TOKENIZER).exists() or not vocabulary.exists():
        return read_tokenizer(folder)
    path = Path(folder, TOKENIZER_CONFIG)
    config = read_config(folder, TOKENIZER_CONFIG) if path.exists() else {}
    return BertWordPieceTokenizer(
        WordPiece.read_file(str(vocabulary)), lowercase=config.get("do_lower_case", True)
    )


def _supported_label(folder: str, config: JsonObject, tokens: bool) -> int:
    """Return the number of the label that means *supported*."""
    # transformers leaves out the names of two labels that have none.
    labels = config.get("id2label") or {"0": "LABEL_0", "1": "LABEL_1"}
    names = [labels[str(number)] for number in range(len(labels))]
    for number, label in enumerate(names):
        if label.casefold() in SUPPORTED:
            return number
    if len(names) == 1:
        return 0
    if len(names) == 2 and all(re.fullmatch(r"LABEL_\d", label) for label in names):
        return 0 if tokens else 1
    raise InputError(
        f"{folder}: its labels are {', '.join(names)}; name the one that means supported in `id2label` of "
        f"config.json: one of {', '.join(SUPPORTED)}"
    )
