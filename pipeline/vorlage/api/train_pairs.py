"""Trains a model on pairs that are in memory, as the workflow does on a corpus."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from vorlage.api.trained_model import TrainedModel
from vorlage.command.errors import InputError
from vorlage.documents.pair import Pair
from vorlage.documents.records import PairInput, as_records, refuse_repeated, tokenize
from vorlage.encoder.installed import find_model
from vorlage.encoder.similarities import SimilarityStore, measure, write_similarities
from vorlage.encoder.transformer import open_encoder
from vorlage.extract import cosine
from vorlage.extract.extracts import Extract
from vorlage.extract.methods import choose_extract
from vorlage.semihmm.decode.load import open_aligner
from vorlage.semihmm.jump_model import jump_model
from vorlage.semihmm.train.blocks import collect_pairs, make_index
from vorlage.semihmm.train.training import Resources, fit
from vorlage.semihmm.wordnet import open_distances
from vorlage.settings import Embed, Extraction, SemiHmm, validate
from vorlage.text.detect import check_language

# The other direction has a jump model by distance: summaries are not parsed.
REVERSE_JUMP = "relative"


def train(
    pairs: Iterable[PairInput],
    *,
    jump: str = "relative",
    tokenized: bool = False,
    language: str = "en",
    processes: int = 1,
    **settings: Any,
) -> TrainedModel:
    """Train a model on pairs, without annotation, as the workflow does with its default settings.

    It has both directions, and uses the encoder if that is installed. `TrainedModel.save` keeps it.

    Args:
        pairs: `(document, summary)` each, or objects with `id`, `document` and `summary`; each side a string
            or a list of sentences.
        jump: the jump model: relative, gaussian or exponential.
        tokenized: whether single spaces separate tokens.
        language: of the texts, a two-letter code.
        processes: how many work on pairs; more than one helps from some hundred pairs on.
        settings: those of section `semihmm` of the config, such as `iterations=10`.

    Raises:
        InputError: for a pair without text, a repeated id, and an invalid setting.
    """
    check_language(language, "language")
    if jump_model(jump).needs_trees:
        raise InputError(f"the jump model {jump} needs the trees of documents; train it by the workflow")
    texts = [tokenize(record, tokenized, language) for record in refuse_repeated(as_records(pairs))]
    if not texts:
        raise InputError("no pairs; give at least one document with its summary")
    encoder = find_model(Embed().model)
    values = {"wordnet": language == "en", **settings, "jumps": [jump]}
    chosen = validate(SemiHmm, values, encoder=encoder is not None)
    corpus = _with_extracts(texts)
    with TemporaryDirectory(prefix="vorlage-") as name:
        folder = Path(name)
        similarities = _measure(folder, corpus) if chosen.encoder else None
        training = chosen.training
        resources = Resources(open_distances(training), None, similarities)
        collected = collect_pairs(corpus, resources.sources(training), folder, processes)
        if chosen.agreement:
            index = make_index(collected, training, resources.wordnet, folder, reverse=True)
            reverse_model, _ = fit(index, REVERSE_JUMP, training, resources, folder, processes)
            resources = replace(resources, reverse_model=reverse_model)
        index = make_index(collected, training, resources.wordnet, folder)
        model, _ = fit(index, jump, training, resources, folder, processes)
    return TrainedModel(partial(open_aligner, model))


def _with_extracts(pairs: Sequence[Pair]) -> list[tuple[Pair, Extract]]:
    """Return pairs with their extracts, by the default settings."""
    counts, settings = cosine.StemCounts(), Extraction()
    for pair in pairs:
        counts.add(cosine.sentence_stems(pair.document))
    weights = cosine.fit_weights(counts)
    return [(pair, choose_extract(pair, weights, settings)) for pair in pairs]


def _measure(folder: Path, corpus: Iterable[tuple[Pair, Extract]]) -> SimilarityStore:
    """Write the similarities of pairs to a folder by the default encoder, and open them."""
    embed = Embed()
    encoder = open_encoder(embed.model, embed.layer)
    made = ((pair.id, measure(encoder, pair, extracted.sentences)) for pair, extracted in corpus)
    write_similarities(folder / "1-of-1", encoder.about, made)
    return SimilarityStore(folder)
