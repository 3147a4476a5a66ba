"""Trains the model of support in the package, on public data that is not in the project.

    python experiments/support_model.py WICE NLI pipeline/vorlage/models/support.npz

Words: the claims of the training part of WiCE (Kamoi et al. 2023; annotations ODC-BY), whose annotators
marked which words a cited page supports. Sentences: the development part of SNLI (Bowman et al. 2015; CC
BY-SA 4.0) and Breaking NLI (Glockner et al. 2018; CC BY-SA 4.0), each hypothesis against a document of its
premise and four others; entailment is support. WICE: a folder with `corpus.jsonl` and `gold.jsonl`. NLI: a
file of JSON lines with `set`, `premise`, `hypothesis`, `label`.
"""

import random
import sys
from collections import defaultdict
from pathlib import Path

import numpy as np
from sklearn.linear_model import LogisticRegression
from vorlage import load_model
from vorlage.attribution.findings.differences import find_differences
from vorlage.attribution.findings.reading import Linked
from vorlage.attribution.sources import linked_words
from vorlage.attribution.support import Logistic, find_evidence, sentence_features, word_features
from vorlage.corpus.pair import Pair
from vorlage.files.jsonl import read_jsonl
from vorlage.text.tokenize import make_text
from vorlage.text.words import is_punctuation

SIZES = {"snli-dev": 2600, "breaking-nli": 1500}
PREMISES = 5
WORD_C, SENTENCE_C = 0.03, 0.1


def make_features(model, document, text):
    """Return the pair, its differences and the features of its words."""
    found = model.align_pair(Pair("pair", make_text(document), make_text(text)))
    words = found.summary_words, found.document_words
    pair = Linked(found.pair.summary, found.pair.document, linked_words(found.alignment.links, *words))
    differences = find_differences(pair)
    evidence = find_evidence(pair, found.cosine_columns)
    return pair, differences, word_features(pair, found.null_posteriors, evidence, differences)


def fit(features, labels, weights, strength):
    """Return a logistic regression of labels on features."""
    features = np.array(features)
    mean, scale = features.mean(axis=0), features.std(axis=0) + 1e-6
    model = LogisticRegression(
        C=strength, max_iter=5000, class_weight=None if weights is None else "balanced"
    )
    model.fit((features - mean) / scale, labels, sample_weight=weights)
    return Logistic(mean, scale, model.coef_[0], model.intercept_[0])


def fit_words(model, folder):
    """Return the model of words."""
    features, labels = [], []
    gold = {record["id"]: record["supported"] for _, record in read_jsonl(folder / "gold.jsonl")}
    for _, record in read_jsonl(folder / "corpus.jsonl"):
        text = record["summary"] if isinstance(record["summary"], str) else " ".join(record["summary"])
        pair, _, rows = make_features(model, record["document"], text)
        marks = np.concatenate(
            [
                [not supported] * (len(word) + 1)
                for word, supported in zip(text.split(" "), gold[record["id"]], strict=True)
            ]
        )
        for word, (first, end), row in zip(pair.text.words, pair.text.text.tokens, rows, strict=True):
            if not is_punctuation(word):
                features.append(row)
                labels.append(marks[first:end].any())
    return fit(features, labels, None, WORD_C)


def fit_sentences(model, words, path):
    """Return the model of sentences, on the log odds of the model of words."""
    by_set = defaultdict(list)
    for _, record in read_jsonl(path):
        by_set[record["set"]].append(record)
    draw = random.Random(7)
    features, labels, weights = [], [], []
    for name, size in SIZES.items():
        premises = [record["premise"] for record in by_set[name]]
        for record in draw.sample(by_set[name], size):
            document = [*draw.sample(premises, PREMISES - 1), record["premise"]]
            draw.shuffle(document)
            pair, differences, rows = make_features(model, document, record["hypothesis"])
            for row in sentence_features(pair, rows, words.log_odds(rows), differences):
                features.append(row)
                labels.append(record["label"] != "entailment")
                weights.append(1000 / size)
    return fit(features, labels, weights, SENTENCE_C)


def main():
    """Train with and without the encoder, and write the arrays of both."""
    wice, nli, output = map(Path, sys.argv[1:])
    arrays = {}
    models = Path(__file__).parents[1] / "pipeline" / "vorlage" / "models"
    for suffix in ("with", "without"):
        model = load_model(models / f"{suffix}-encoder.npz")
        words = fit_words(model, wice)
        sentences = fit_sentences(model, words, nli)
        for head, logistic in (("word", words), ("sentence", sentences)):
            arrays |= {f"{head}_{part}_{suffix}": value for part, value in logistic._asdict().items()}
    np.savez(output, allow_pickle=False, **arrays)


if __name__ == "__main__":
    main()
