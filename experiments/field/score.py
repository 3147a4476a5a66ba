"""Score systems on a set of the field.

    python experiments/field_step.py score --corpus corpus.jsonl --gold gold.jsonl \\
        --alignments one.jsonl two.jsonl --evidence bm25.jsonl --output field.tsv

The gold decides what is measured: links of words or phrases, or the attribution gold of
`vorlage.workflow.gold`. The output has one row for each system and measure, with its interval
and the difference from the first system.
"""

from collections.abc import Sequence

from vorlage.command.errors import InputError, command
from vorlage.command.progress import log
from vorlage.documents.pair import Pair
from vorlage.types import StrPath
from vorlage.workflow.gold import CHARACTERS, TOKENS
from vorlage.workflow.score.reference import make_references, read_annotated
from vorlage.workflow.score.rows import resample
from vorlage.workflow.score.systems import make_parser, read_systems
from vorlage.workflow.settings import Score
from vorlage.workflow.tables import Row, write_tsv

from field.attributed import (
    Golds,
    detector_measures,
    fusion_measures,
    passage_measures,
    sentence_measures,
    support_measures,
)
from field.evidence import Evidence, from_alignment, read_evidence
from field.evidence_gold import FUSED, PASSAGES, SUPPORTED, EvidenceGold, gold_kind, read_evidence_pairs
from field.measures import COLUMNS, Measures, measure_rows
from field.published import link_measures, phrase_measures


def score(
    corpus: StrPath,
    gold: StrPath,
    alignments: Sequence[StrPath],
    evidence: Sequence[StrPath],
    samples: int,
    seed: int,
) -> list[Row]:
    """Return the rows of all systems, with the keys `COLUMNS`.

    Args:
        corpus: pairs of the corpus stage
        gold: gold of any kind
        alignments: files of systems that link words
        evidence: files of systems that score passages or words, for gold that needs no links
        samples: the number of bootstrap samples
        seed: that of the samples

    Raises:
        InputError: for files that do not belong together
    """
    kind = gold_kind(gold)
    if evidence and kind in (TOKENS, CHARACTERS, FUSED):
        raise InputError(f"{evidence[0]}: evidence has no links, which {gold} needs; give --alignments only")
    if kind in (TOKENS, CHARACTERS):
        annotated, ids = read_annotated(corpus, gold, kind)
        references = make_references(annotated) if kind == TOKENS else {}
        systems = {
            system: link_measures(links, references) if references else phrase_measures(links, annotated)
            for system, links in read_systems(alignments, annotated, ids)
        }
        pairs = len(annotated)
    else:
        golds, ids = dict[str, tuple[Pair, EvidenceGold]](), set[str]()
        for pair, marked in read_evidence_pairs(corpus, gold):
            ids.add(pair.id)
            if marked:
                golds[pair.id] = pair, marked
        systems = _score_attribution(golds, ids, alignments, evidence, kind)
        pairs = len(golds)
    log.info(f"{len(systems)} systems: scored on {pairs} pairs")
    return list(measure_rows(systems, resample(pairs, samples, seed)))


def _score_attribution(
    golds: Golds, ids: set[str], alignments: Sequence[StrPath], evidence: Sequence[StrPath], kind: str
) -> dict[str, Measures]:
    """Return the measures of each system and detector on attribution gold; `ids`: those of all pairs."""
    systems: dict[str, Measures] = {}
    for system, links in read_systems(alignments, golds, ids):
        if kind == FUSED:
            systems[system] = fusion_measures(links, golds)
        else:
            by_id = {key: from_alignment(links[key], *golds[key]) for key in golds}
            systems[system] = _evidence_measures(kind, by_id, golds)
    for path in evidence:
        by_id = read_evidence(path, golds)
        system = next(iter(by_id.values())).system
        if system in systems:
            raise InputError(f"{path}: system {system!r} is in another file too; give each system once")
        systems[system] = _evidence_measures(kind, by_id, golds)
    return systems | detector_measures(golds)


def _evidence_measures(kind: str, evidence_by_id: dict[str, Evidence], golds: Golds) -> Measures:
    if kind == PASSAGES:
        return passage_measures(evidence_by_id, golds)
    sentences = sentence_measures(evidence_by_id, golds) if kind == SUPPORTED else {}
    return sentences | support_measures(evidence_by_id, golds)


@command
def main(arguments: list[str] | None = None) -> None:
    """Score systems on a set of the field."""
    parser = make_parser(
        "score",
        main,
        "Score systems by the measures that the gold allows: published measures of word links, passages and "
        "sentences that support a text, what has no support, fused spans. With intervals, and differences "
        "from the first system.",
        "field.tsv to write",
    )
    parser.prog = "field_step.py score"
    parser.add_argument(
        "--evidence", nargs="*", default=[], metavar="FILE", help="evidence.jsonl of systems without links"
    )
    Score.add_options(parser, ("bootstrap",))
    options = parser.parse(arguments)
    samples = Score.from_options(options).bootstrap
    rows = score(options.corpus, options.gold, options.alignments, options.evidence, samples, options.seed)
    write_tsv(options.output, rows, COLUMNS)
