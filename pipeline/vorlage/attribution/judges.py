"""What a judge says of sentences beside their sources, by a classifier of pairs or one of pieces.

Its network is of the form of BERT and runs in NumPy, or is any other and runs in onnxruntime.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

import numpy as np
from safetensors import SafetensorError, safe_open
from threadpoolctl import threadpool_limits
from tokenizers import Encoding, Tokenizer

from vorlage.command.errors import InputError, find_missing
from vorlage.encoder.bert import AGAIN, PREFIXES, WEIGHTS, Bert, read_config
from vorlage.encoder.transformer import LIMITED
from vorlage.types import Span, Vectors

TOKENS = "ForTokenClassification"
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
