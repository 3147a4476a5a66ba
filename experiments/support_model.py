"""Trains the model of support in the package, on public data that is not in the project.

    python experiments/support_model.py WICE CLIFF SUMMEDITS QAGS JUDGE pipeline/vorlage/models/support.npz

Words: the claims of the training part of WiCE (Kamoi et al. 2023; annotations ODC-BY), whose annotators
marked which words a cited page supports, and the summaries of CLIFF (Cao & Wang 2021), whose annotators
marked the wrong words. Sentences: the domains podcast, ectsum, news and sales_email of SummEdits (Laban et
al. 2023), the part of QAGS (Wang et al. 2020) on CNN/DM, which counts twice, and both of CLIFF. Wrong and
right texts of a domain count the same, and what a text says is compared within its domain. Folders with
`corpus.jsonl` and `gold.jsonl`. JUDGE: a folder with a network of inference in two texts.

Prints how well each domain is judged by numbers that were fitted without it.
"""

import sys
from pathlib import Path

import numpy as np
from field.example import read_set
from field.measures import auroc, calibration_error
from markdown_tables import ROOT
from scipy.optimize import minimize
from sklearn.linear_model import LogisticRegression
from vorlage import load_model
from vorlage.attribution.evidence import find_evidence, linked_words
from vorlage.attribution.judges import Judgement
from vorlage.attribution.reading import read_pair
from vorlage.attribution.support import LEAST_NULL, Logistic, SentenceModel, judged_risk, word_features
from vorlage.checks.check import check
from vorlage.documents.pair import Pair
from vorlage.text.tokenize import make_text
from vorlage.text.words import is_punctuation

# How much the texts of a domain count, for SummEdits, QAGS and CLIFF.
DOMAINS = ({"podcast": 1, "ectsum": 1, "news": 1, "sales_email": 1}, {"cnndm": 2}, {"cnndm": 1, "xsum": 1})
WORD_C = 0.03


def make_features(model, document, text):
    """Return the pair and the features of its words."""
    found = model.align_pair(Pair("pair", make_text(document), make_text(text)))
    words = found.summary_words, found.document_words
    reading = read_pair(found.pair.summary, found.pair.document, linked_words(found.alignment.links, *words))
    return reading, word_features(reading, find_evidence(reading, found), check(reading))


def fit_words(model, wice, cliff):
    """Return the model of words."""
    features, labels = [], []
    for record, gold in [*read_set(wice), *read_set(cliff)]:
        text = record["summary"]
        pair, rows = make_features(model, record["document"], text)
        wrong = wrong_characters(text, gold)
        for word, (first, end), row in zip(pair.text.words, pair.text.tokenized.tokens, rows, strict=True):
            if not is_punctuation(word):
                features.append(row)
                labels.append(wrong[first:end].any())
    features = np.array(features)
    mean, scale = features.mean(axis=0), features.std(axis=0) + 1e-6
    fitted = LogisticRegression(C=WORD_C, max_iter=5000).fit((features - mean) / scale, labels)
    return Logistic(mean, scale, fitted.coef_[0], fitted.intercept_[0])


def wrong_characters(text, gold):
    """Return whether each character of a claim of WiCE or a summary of CLIFF has no support."""
    if "supported" in gold:
        words = zip(text.split(" "), gold["supported"], strict=True)
        return np.concatenate([[not supported] * (len(word) + 1) for word, supported in words])
    wrong = np.zeros(len(text), dtype=bool)
    for first, end in gold["spans"]:
        wrong[first:end] = True
    return wrong


def read_texts(model, folders):
    """Return the domain of each text, its weight, whether it is wrong, and the features of its statements."""
    texts = []
    for folder, domains in zip(folders, DOMAINS, strict=True):
        chosen = [(record, gold) for record, gold in read_set(folder) if gold["domain"] in domains]
        made = model.attribute_many([record for record, _ in chosen])
        for (_, gold), found in zip(chosen, made, strict=True):
            grave = [part.text for part in found.unsupported if part.severity > 1 and part.kind != "judge"]
            statements = [
                (
                    np.log(1 - each.linked + LEAST_NULL),
                    float(any(map(each.holds, grave))),
                    judged_risk(Judgement(each.judged, each.contradicted)),
                )
                for each in found.sentences
                if each.verdict != "no statement"
            ]
            domain, weight = f"{folder.name} {gold['domain']}", domains[gold["domain"]]
            texts.append((domain, weight, not gold["consistent"], np.array(statements)))
    return texts


def fit_sentences(texts):
    """Return the model of sentences.

    The slopes of null and finding are those within domains, of texts as a whole. The other numbers are
    chosen for the least supported sentence of a text, for which the loss is least.
    """
    domains, counts, wrong, statements = zip(*texts, strict=True)
    domains, wrong, weights = np.array(domains), np.array(wrong), np.array(counts, dtype=float)
    means = np.array([[rows[:, 0].mean(), rows[:, 1].max()] for rows in statements])
    for domain in np.unique(domains):
        inside = domains == domain
        means[inside] -= means[inside].mean(axis=0)
        for value in (True, False):
            weights[inside & (wrong == value)] /= (inside & (wrong == value)).sum()
    scale = means.std(axis=0)
    slopes = LogisticRegression(C=1e3).fit(means / scale, wrong, sample_weight=weights).coef_[0] / scale

    def loss(numbers, judged=True):
        bias, judge = numbers
        odds = np.array([(rows @ [*slopes, judge * judged]).max() for rows in statements]) + bias
        return weights @ np.logaddexp(0, np.where(wrong, -odds, odds))

    alone = minimize(lambda bias: loss((bias[0], 0.0)), [0.0], method="Nelder-Mead").x[0]
    bias, judge = minimize(loss, [alone, 0.5], method="Nelder-Mead").x
    return SentenceModel(alone, *slopes, bias - alone, judge)


def print_left_out(texts):
    """Print the AUROC and the calibration error of each domain, by a model fitted on the others."""
    for left in sorted({domain for domain, *_ in texts}):
        model = fit_sentences([text for text in texts if text[0] != left])
        wrong, statements = zip(*(text[2:] for text in texts if text[0] == left), strict=True)
        wrong, once = np.array(wrong), np.ones((1, len(wrong)), dtype=np.int64)
        for name, bias, judge in (("alone", 0.0, 0.0), ("judged", model.judge_bias, model.judge)):
            slopes = [model.null, model.found, judge]
            odds = np.array([(rows @ slopes).max() for rows in statements]) + model.bias + bias
            risk = 1 / (1 + np.exp(-odds))
            values = auroc(risk, wrong, once)[0], calibration_error(1 - risk, ~wrong, once)[0]
            print(left, name, "AUROC {:.3f}, calibration error {:.3f}".format(*values))


def main():
    """Train with and without the encoder, and write the arrays of both."""
    wice, cliff, summedits, qags, judge, output = map(Path, sys.argv[1:])
    arrays, models = {}, ROOT / "pipeline/vorlage/models"
    for suffix in ("with", "without"):
        model = load_model(models / f"{suffix}-encoder.npz", judge=judge)
        words = fit_words(model, wice, cliff)
        arrays |= {f"word_{part}_{suffix}": value for part, value in words._asdict().items()}
        texts = read_texts(model, (summedits, qags, cliff))
        arrays[f"sentence_{suffix}"] = fit_sentences(texts)
        print(suffix, arrays[f"sentence_{suffix}"])
        print_left_out(texts)
    np.savez(output, allow_pickle=False, **arrays)


if __name__ == "__main__":
    main()
