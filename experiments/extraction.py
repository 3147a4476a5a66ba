"""Trains extractors of sentences on links, and puts the tables into docs/align.md:

    python experiments/extraction.py SCISUMMNET

aligns the abstract of each paper in a folder of ScisummNet to its body, by the model of the package. Some
papers train extractors, by these links or by labels without links, to find the sentences of a body that the
abstract uses. Extracts of the others have as many words as the abstract. Needs rouge-score (`make torch`).
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
from markdown_tables import markdown_table, with_bounds, with_range, write_pages
from sklearn.ensemble import HistGradientBoostingRegressor
from sklearn.preprocessing import normalize
from threadpoolctl import threadpool_limits
from vorlage import load_model
from vorlage.alignments.alignment import soft_links
from vorlage.documents.pair import Pair
from vorlage.documents.records import tokenize
from vorlage.extract import cosine
from vorlage.text.tokenized import Text
from vorlage.types import Floats
from vorlage.workflow.decompose.operations import decompose
from vorlage.workflow.reader import read_corpus
from vorlage.workflow.score.rows import compare_samples, interval, resample
from vorlage.workflow.settings import Corpus

TABLE = Path("docs/results/extraction.tsv")
TEST, SAMPLES, SEED = 250, 10_000, 1
SETTINGS = {"learning_rate": 0.05, "max_leaf_nodes": 8, "early_stopping": False, "random_state": SEED}
SHARE, REACHED, GREEDY = "words linked", "sentences linked", "greedy ROUGE"  # labels of sentences
BEST = f"trained, {SHARE}"
ROUGE, MEASURES = ("rouge1", "rouge2", "rougeLsum"), ["ROUGE-1", "ROUGE-2", "ROUGE-L", "overlap"]
COLUMNS = "system measure value low high gain gain_low gain_high p".split()


class Paper(NamedTuple):
    """A body and its abstract, the features of the n sentences (n, 8), and each kind of their labels (n)."""

    pair: Pair
    features: Floats
    labels: Mapping[str, Floats]


def sentences(text: Text) -> list[str]:
    """Return the sentences of a text, each on one line."""
    return [" ".join(text.raw[slice(*text.characters(span))].split()) for span in text.sentences]


def read_bodies(folder: str) -> Iterator[Pair]:
    """Yield the papers whose body repeats less than half of the sentences of the abstract."""
    corpus = Corpus(name="scisummnet", reader="scisummnet", path=folder, summary="abstract", abstract="out")
    for pair in (tokenize(record) for record in read_corpus(corpus) if not record.problem):
        body, abstract = " ".join(pair.document.raw.split()), sentences(pair.summary)
        if 2 * sum(sentence in body for sentence in abstract) < len(abstract):
            yield pair


def make_features(text: Text, weights: cosine.StemWeights) -> Floats:
    """Return the features of the n sentences of a text (n, 8): its place, in the text and in its section, its
    words, the mean frequency of its stems (Nenkova & Vanderwende 2005), and its cosine with the mean of all
    sentences, the centroid (Radev et al. 2004).
    """
    stems = cosine.sentence_stems(text)
    numbers, starts = np.arange(len(stems)), np.array([0, *(first for first, _ in text.sections if first)])
    section = np.searchsorted(starts, numbers, "right") - 1
    counts = Counter(stem for sentence in stems for stem in sentence)
    frequency = [sum(counts[x] for x in each) / max(1, len(each)) / max(1, counts.total()) for each in stems]
    matrix = normalize(cosine.weigh_stems(weights, stems).matrix())
    centroid = normalize(np.asarray(matrix.mean(axis=0)))[0]
    position = [numbers, numbers / len(numbers), numbers - starts[section], section, section[-1] - section]
    return np.column_stack([*position, np.diff(text.sentences), frequency, matrix @ centroid])


def count_linked_words(pair: Pair, model) -> Floats:
    """Return how many content words of the abstract are linked into each sentence, 0 if it is no source."""
    found = model.align_pair(pair)
    cells = soft_links(found.alignment.links, found.summary_words, found.document_words)
    sources = [sentence.sources for sentence in decompose(pair, cells)]
    return np.array([sum(one.get(n, 0) for one in sources) for n in range(len(pair.document.sentences))])


def choose_greedily(candidates: Sequence[Sequence[str]], reference: Sequence[str]) -> list[int]:
    """Return the sentences that raise F of words and word pairs most, one by one (Nallapati et al. 2017)."""
    gold, *grams = (Counter([*words, *pairwise(words)]) for words in (reference, *candidates))
    extract, chosen, best = Counter(), list[int](), 0.0
    while True:
        sums = [extract + each for each in grams]
        f = [2 * (one & gold).total() / (one.total() + gold.total()) for one in sums]
        number = max(set(range(len(f))) - {*chosen}, key=lambda n: (f[n], -n), default=0)
        if f[number] <= best:
            return chosen
        extract, best, chosen = sums[number], f[number], [*chosen, number]


def make_extract(pair: Pair, scores: Floats) -> dict[int, str]:
    """Return the sentences with the highest scores, by number, cut off at the length of the abstract."""
    left, text, extract = len(pair.summary.tokens), pair.document, dict[int, str]()
    for number in np.argsort(-scores, kind="stable").tolist():
        start, end = text.sentences[number]
        if left > 0:
            extract[number] = text.raw[slice(*text.characters((start, min(end, start + left))))]
        left -= end - start
    return {number: " ".join(extract[number].split()) for number in sorted(extract)}


def measure(paper: Paper, scores: Floats, scorer) -> list[float]:
    """Return the `MEASURES` of an extract; the overlap is F of its sentences and those that links reach."""
    extract, reached = make_extract(paper.pair, scores), set(np.flatnonzero(paper.labels[REACHED]).tolist())
    rouge = scorer.score("\n".join(sentences(paper.pair.summary)), "\n".join(extract.values()))
    overlap = 2 * len(reached & extract.keys()) / (len(reached) + len(extract))
    return [*(rouge[name].fmeasure for name in ROUGE), overlap]


def make_papers(pairs: Sequence[Pair], tokenizer) -> Iterator[Paper]:
    """Yield the papers with their features and labels."""
    model, counts = load_model(judge=None), cosine.StemCounts()
    counts.add(stems for pair in pairs for stems in cosine.sentence_stems(pair.document))
    weights = cosine.fit_weights(counts)
    for pair in pairs:
        linked, sizes = count_linked_words(pair, model), np.diff(pair.document.sentences)[:, 0]
        words = [tokenizer.tokenize(sentence) for sentence in sentences(pair.document)]
        greedy = np.isin(np.arange(len(words)), choose_greedily(words, tokenizer.tokenize(pair.summary.raw)))
        labels = {SHARE: linked / sizes, REACHED: np.sign(linked), GREEDY: greedy.astype(float)}
        yield Paper(pair, make_features(pair.document, weights), labels)


def measure_systems(train: Sequence[Paper], test: Sequence[Paper], scorer) -> dict[str, Floats]:
    """Return the `MEASURES` of each system on the test papers, (papers, 4)."""
    scores = {"lead": lambda paper: -paper.features[:, 0], "centroid": lambda paper: paper.features[:, -1]}
    features = np.concatenate([paper.features for paper in train])
    for label in train[0].labels:
        values = np.concatenate([paper.labels[label] for paper in train])
        extractor = HistGradientBoostingRegressor(**SETTINGS).fit(features, values)
        scores[f"trained, {label}"] = lambda paper, fitted=extractor: fitted.predict(paper.features)
    scores |= {f"oracle, {x}": lambda paper, x=x: paper.labels[x] for x in (SHARE, GREEDY)}
    return {x: np.array([measure(one, of(one), scorer) for one in test]) for x, of in scores.items()}


def compare(measured: Mapping[str, Floats]) -> Iterator[tuple]:
    """Yield rows of `COLUMNS`: a mean over papers, by how much `BEST` is higher, and 95 % intervals."""
    weights = resample(len(measured[BEST]), SAMPLES, SEED)
    sampled = {system: weights @ values / len(values) for system, values in measured.items()}
    for system, values in measured.items():
        for column, name in enumerate(MEASURES):
            own, best = sampled[system][:, column], sampled[BEST][:, column]
            gain = measured[BEST][:, column].mean() - (value := values[:, column].mean())
            yield system, name, value, *interval(own, weights), gain, *compare_samples(best, own, weights)


def tables(scisummnet: Path) -> dict[str, dict[str, str]]:
    """Return the tables of means and of gains; `scisummnet`: the folder of the corpus."""
    try:
        from rouge_score import rouge_scorer, tokenizers
    except ModuleNotFoundError:
        raise SystemExit("error: rouge-score is not installed; make torch installs it") from None
    pairs, tokenizer = list(read_bodies(str(scisummnet))), tokenizers.DefaultTokenizer(use_stemmer=True)
    np.random.default_rng(SEED).shuffle(pairs)
    papers, scorer = list(make_papers(pairs, tokenizer)), rouge_scorer.RougeScorer(ROUGE, tokenizer=tokenizer)
    with threadpool_limits(1):
        measured = measure_systems(papers[TEST:], papers[:TEST], scorer)
    table = pd.DataFrame(compare(measured), columns=COLUMNS).round(4)
    table.to_csv(TABLE, sep="\t", index=False)
    heading, rows = [f"{TEST} of {len(papers)} papers", *MEASURES], list(table.itertuples())
    means = [with_range(row.value, row.low, row.high) for row in rows]
    gains = [with_bounds(f"{row.gain:+.3f}", row.gain_low, row.gain_high) for row in rows]
    others = [name for name in measured if name != BEST]
    made = {}
    for place, cells, names in (("extraction", means, list(measured)), ("gains", gains, others)):
        by_system = table.assign(cell=cells).pivot(index="system", columns="measure", values="cell")
        made[place] = markdown_table(heading, by_system.loc[names, MEASURES].itertuples())
    return {"docs/align.md": made}


if __name__ == "__main__":
    write_pages(tables)
