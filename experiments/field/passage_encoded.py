"""Scorers of passages by the encoder: cosines of texts, BERTScore, and its greedy matching of whole words."""

import os
from collections.abc import Iterable, Sequence
from itertools import accumulate, pairwise

import numpy as np
from vorlage.encoder.installed import check_safetensors
from vorlage.encoder.similarities import Encoder
from vorlage.types import Floats, Vectors
from vorlage.workflow.baselines.system import multiply

from field.passage_task import PassageTask, Scorer, Scores, Unit, by_similarity, sentences, table


def sentence_cosine(encoder: Encoder) -> Scorer:
    """Return the scorer by the cosine of the vectors of texts (Reimers & Gurevych 2019).

    The vector of a text is the mean of those of its words in the last layer. A text longer than the encoder
    takes is encoded in several parts.
    """

    def vectors(units: Sequence[Unit]) -> Vectors:
        ends = pairwise(accumulate((len(unit.words) for unit in units), initial=0))
        return encoder.encode_both([word for unit in units for word in unit.words], list(ends))[1]

    def similarities(spans: Sequence[Unit], passages: Sequence[Unit]) -> Floats:
        cosines = np.zeros((len(spans), len(passages)))
        rows, columns = ([k for k, unit in enumerate(units) if unit.words] for units in (spans, passages))
        if rows and columns:
            cosines[np.ix_(rows, columns)] = multiply(
                vectors([spans[k] for k in rows]), vectors([passages[k] for k in columns])
            )
        return cosines

    return by_similarity(similarities)


def greedy_matching(encoder: Encoder) -> Scorer:
    """Return the scorer by the recall of BERTScore (Zhang et al. 2020) without idf, on whole words.

    The recall is the mean over the words of the span of the cosine of the most similar word of the passage.
    Sentences are encoded one by one. A word is unsupported with 1 − the cosine of the most similar word of
    the document, a summary with the mean of its words.
    """

    def score(task: PassageTask) -> Scores:
        summary, document = task.pair.summary, task.pair.document
        cosines = multiply(
            encoder.encode_both(summary.words, summary.sentences)[0],
            encoder.encode_both(document.words, document.sentences)[0],
        )

        def recall(span: Unit, passage: Unit) -> float:
            return float(cosines[np.ix_(span.positions, passage.positions)].max(axis=1).mean())

        unsupported = 1 - cosines.max(axis=1)
        return Scores(table(task.spans, task.passages, recall), unsupported, float(unsupported.mean()))

    return score


def bertscore(folder: str, layer: int, device: str, tasks: Iterable[PassageTask]) -> Scorer:
    """Return the scorer by the recall of BERTScore (Zhang et al. 2020), by its authors' package.

    The span is the reference. The weights of pieces are their inverse document frequencies in the sentences
    of the summaries.

    Args:
        folder: of the encoder.
        layer: its hidden layer.
        device: of torch.
        tasks: those of the corpus, for the weights.

    Raises:
        InputError: if the weights of the encoder are not safetensors.
    """
    check_safetensors(folder)
    os.environ["HF_HUB_OFFLINE"] = "1"
    import torch
    from bert_score import BERTScorer

    torch.set_num_threads(1)  # more threads would take sums in another order
    texts = [sentence.raw for task in tasks for sentence in sentences(task.pair.summary)]
    scorer = BERTScorer(
        model_type=folder, num_layers=layer, idf=True, idf_sents=texts, device=device, nthreads=0
    )

    def similarities(spans: Sequence[Unit], passages: Sequence[Unit]) -> Floats:
        pairs = [(a.raw, b.raw) for a in spans for b in passages if a.words and b.words]
        recalls: dict[tuple[str, str], float] = {}
        if pairs:
            references, candidates = zip(*pairs, strict=True)
            _, recall, _ = scorer.score(list(candidates), list(references))
            # The package divides by zero for a reference whose pieces are in all sentences.
            recalls = dict(zip(pairs, np.nan_to_num(recall.numpy()).tolist(), strict=True))
        return table(spans, passages, lambda span, passage: recalls[span.raw, passage.raw])

    return by_similarity(similarities)
