"""Opens a judge: a classifier that says whether a sentence is supported by the sentences beside it."""

import re
from pathlib import Path

from tokenizers import Tokenizer
from tokenizers.implementations import BertWordPieceTokenizer
from tokenizers.models import WordPiece

from vorlage.attribution.judges import (
    TOKENS,
    BertClassifier,
    Judge,
    Network,
    OnnxClassifier,
    PairJudge,
    TokenJudge,
)
from vorlage.command.errors import InputError
from vorlage.encoder.bert import WEIGHTS, is_bert, read_config
from vorlage.encoder.transformer import TOKENIZER, TOKENIZER_CONFIG, max_pieces, read_tokenizer
from vorlage.types import JsonObject

ARCHITECTURES = ("ForSequenceClassification", TOKENS)
SUPPORTED = ("entailment", "supported", "supports", "consistent", "faithful", "factual")
ONNX = ("model.onnx", "onnx/model.onnx")


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
