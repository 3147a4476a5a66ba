"""Only what changed runs again: by the modules that each rule names, and by runs of the toy."""

import re
from importlib.util import find_spec

import pytest
from toy import JUMPS, SYSTEMS
from vorlage.alignments.alignment import read_alignments

AFTER_SCORE = {"score", "analysis", "figures", "page"}
AFTER_DECOMPOSE = {"decompose", "figures", "page"}
AFTER_LINKS = AFTER_SCORE | AFTER_DECOMPOSE
AFTER_GOLD = {"gold", "statistics", "evaluate_extracts", "agreement"} | AFTER_LINKS
AFTER_ALIGN = {"align"} | AFTER_LINKS
AFTER_TRAIN = {"train"} | AFTER_ALIGN
AFTER_PARSE = {"parse"} | AFTER_TRAIN
AFTER_TRANSLATION = {"train_translation", "align_translation", "symmetrize"} | AFTER_LINKS
AFTER_EXTRACT = {"extract", "evaluate_extracts", "statistics", "baseline"} | AFTER_PARSE | AFTER_TRANSLATION
AFTER_EMBED = {"encoder", "baseline"} | AFTER_LINKS
EVERYTHING = {"corpus"} | AFTER_GOLD | AFTER_EXTRACT
EDIT = ("\nfrom ", "\nEDITED = 1\nfrom ")
GAUSSIAN = "pipeline/vorlage/semihmm/jumps/gaussian.py"


def lines_of(outcome):
    """Return the jobs of a dry run with their reasons, which are below the table."""
    return [re.sub("  +", ": ", line) for line in outcome.text.rpartition("\n\n")[2].splitlines()]


def test_an_edit_to_a_jump_model_retrains_that_model_alone(toy):
    with toy.edited(GAUSSIAN, *EDIT):
        outcome = toy.snakemake("-n")
    assert outcome.counts == {"train": 1, "align": 1} | dict.fromkeys(AFTER_LINKS, 1)
    assert lines_of(outcome)[0] == "train gaussian: vorlage.semihmm.jumps.gaussian has changed"
    assert "align semihmm-gaussian: after train" in lines_of(outcome)


def test_a_comment_reruns_nothing(toy):
    with toy.edited(GAUSSIAN, "\nfrom ", "\n# A comment.\nfrom "):
        assert toy.planned() == {}


def test_an_edit_to_gold_reruns_scoring_alone(toy):
    with toy.edited("toy-gold.jsonl", '"annotator": "A"', '"annotator": "B"'):
        outcome = toy.snakemake("-n")
    assert outcome.counts.keys() == AFTER_GOLD
    assert lines_of(outcome)[0] == "gold: toy-gold.jsonl has changed"
    assert {"statistics: after gold", "evaluate extracts: after gold"} <= {*lines_of(outcome)}


def test_a_setting_of_the_decoder_aligns_again(toy):
    outcome = toy.snakemake("-n", semihmm={"posterior_threshold": 0.3})
    assert outcome.counts == {"align": len(JUMPS)} | dict.fromkeys(AFTER_LINKS, 1)
    told = "semihmm.posterior_threshold: 0.4 → 0.3"
    assert {f"align semihmm-{jump}: {told}" for jump in JUMPS} | {"score: after align"} <= {
        *lines_of(outcome)
    }


@pytest.mark.parametrize(
    ("sections", "line"),
    [
        ({"seed": 2}, "corpus: seed: 1 → 2"),
        ({"translation": {"iterations": 3}}, "train translation ibm1 doc: translation.iterations: 5 → 3"),
        (
            {"semihmm": {"iterations": 3, "jump_smoothing": 0.02}},
            "train reverse: semihmm.iterations: 2 → 3, semihmm.jump_smoothing: 0.01 → 0.02",
        ),
        ({"semihmm": {"fake_counts": {"word": 1}}}, "train reverse: semihmm.fake_counts.word: 0.0 → 1.0"),
        ({"extract": {"method": "deletion"}}, "extract: extract.method: cosine → deletion"),
        ({"report": {"pairs": 3}}, "page: report.pairs: 1000 → 3"),
        (
            {"semihmm": {"jumps": ["exponential"]}, "systems": ["semihmm-exponential"]},
            "align semihmm-exponential: "
            "missing: results/toy/align/semihmm-exponential/alignments.jsonl; after train",
        ),
        ({"systems": ["cutpaste"]}, "score: another set of input files"),
    ],
)
def test_a_dry_run_says_which_setting_changed(toy, sections, line):
    assert line in lines_of(toy.snakemake("-n", **sections))


def test_a_dry_run_without_metadata_says_what_is_missing(toy):
    lines = lines_of(toy.snakemake("-n", corpus={"name": "new"}))
    assert "corpus: missing: results/new/corpus/corpus.jsonl" in lines
    assert "gold: missing: results/new/corpus/gold.jsonl; after corpus" in lines


SHORT = {"mine": {"semihmm": {"max_summary_phrase": 1}}}


@pytest.mark.parametrize(
    ("variants", "system", "counts"),
    [
        ({}, "semihmm-gaussian-viterbi", {"align": 1}),
        (SHORT, "mine-gaussian", {"train": 2, "align": 1}),  # in both directions
        ({"mine": {"semihmm": {"decoder": "viterbi"}}}, "mine-relative", {"align": 1}),
        (
            {"mine": {"extract": {"sentences": 1}, "semihmm": {"agreement": False}}},
            "mine-syntax",
            {"extract": 1, "evaluate_extracts": 1, "parse": 1, "train": 1, "align": 1},
        ),
    ],
)
def test_a_variant_runs_only_the_stages_whose_settings_it_changes(toy, variants, system, counts):
    planned = toy.planned(variants=variants, systems=[*SYSTEMS, system])
    assert planned == counts | dict.fromkeys(AFTER_LINKS, 1)


@pytest.mark.slow
def test_variants_have_results_of_their_own(toy):
    variants = SHORT | {"file": "workflow/presets/paper.yaml"}
    systems = [*SYSTEMS, "mine-relative", "semihmm-relative-viterbi", "file-syntax"]
    outcome = toy.snakemake("--cores", "2", variants=variants, systems=systems)
    assert outcome.status == 0, outcome.text
    results = toy.folder / "results/toy"
    assert (results / "variants/file/extract/extracts.jsonl").exists()
    fingerprints = set()
    for system in systems:
        alignments = list(read_alignments(results / f"align/{system}/alignments.jsonl"))
        assert {alignment.system for alignment in alignments} == {system}
        fingerprints |= {alignment.fingerprint for alignment in alignments}
    assert len(fingerprints) == len(systems)
    scored = (results / "score/scores.tsv").read_text()
    assert all(f"\n{system}\t" in scored for system in systems)
    assert toy.snakemake("-n", variants=variants, systems=systems).counts == {}
    # Those by Viterbi do without: the system of that name, and the preset.
    outcome = toy.snakemake("-n", variants=variants, systems=systems, semihmm={"posterior_threshold": 0.3})
    assert outcome.counts["align"] == len(JUMPS) + 1
    # The settings for other models do not move those of the preset.
    moved = {"max_summary_phrase": 1, "null_state": "jumps", "encoder_baseline": 0.5, "unigram_null": 0.1}
    outcome = toy.snakemake("-n", variants=variants, systems=systems, semihmm=moved)
    jobs = {line.partition(":")[0] for line in lines_of(outcome)}
    assert "train syntax" in jobs and not {"align file-syntax", "extract"} & jobs
    assert toy.snakemake("--cores", "2").status == 0  # as before, for the other tests


def test_a_missing_result_is_made_again(toy):
    path = toy.folder / "results/toy/extract/extracts.jsonl"
    away = path.rename(toy.folder / "away")
    try:
        assert toy.planned().keys() == AFTER_EXTRACT
    finally:
        away.rename(path)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("path", "old", "new", "rules"),
    [
        ("pipeline/vorlage/semihmm/jumps/relative.py", *EDIT, AFTER_TRAIN),  # of the other direction too
        ("pipeline/vorlage/trees/pattern.py", *EDIT, AFTER_PARSE),
        ("pipeline/vorlage/trees/benepar.py", *EDIT, set()),
        ("pipeline/vorlage/views/templates/viewer.js", "use strict", "use  strict", {"page"}),
        ("toy.jsonl", "Visitors pay nothing", "Visitors pay little", EVERYTHING),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_an_edit_reruns_what_it_decides(toy, path, old, new, rules):
    with toy.edited(path, old, new):
        assert toy.planned().keys() == rules


@pytest.mark.slow
@pytest.mark.parametrize(
    ("sections", "rules"),
    [
        ({"extract": {"sentences": 2}}, AFTER_EXTRACT),
        ({"semihmm": {"agreement": False}}, AFTER_TRAIN),
        # Two settings exchange their values; the same values, spelled differently.
        ({"semihmm": {"jump_smoothing": 0.02, "null_smoothing": 0.01}}, AFTER_TRAIN),
        ({"extract": {"sentences": 3}, "semihmm": {"beam": "1.0", "tolerance": "0"}}, set()),
        ({"systems": [*SYSTEMS, "embed"], "embed": {"model": "a/b"}}, AFTER_EMBED),
        ({"systems": ["cutpaste"]}, AFTER_LINKS),
        ({"translation": {"iterations": 3}}, AFTER_TRANSLATION),
        ({"score": {"errors": 5}}, AFTER_SCORE - {"score"}),
        ({"report": {"pairs": 3}}, {"page"}),
        ({"seed": 2}, EVERYTHING),
    ],
    ids=lambda value: str(value) if isinstance(value, dict) else "",
)
def test_a_changed_setting_reruns_what_it_decides(toy, sections, rules):
    assert toy.planned(**sections).keys() == rules


@pytest.mark.skipif(find_spec("benepar") is not None, reason="benepar is installed")
def test_benepar_makes_the_trees_where_it_is_installed(toy):
    outcome = toy.snakemake("-n", parse={"backend": "benepar"})
    assert outcome.status == 1 and outcome.text.splitlines()[-1].startswith("error: config: `parse.backend`")
    package = toy.folder / "pipeline/benepar.py"
    package.touch()
    try:
        outcome = toy.snakemake("-n", parse={"backend": "auto"})
        assert outcome.counts == {} and "the bundled grammar makes the parse trees" in outcome.text
        assert toy.planned(parse={"backend": "benepar"}).keys() == {"benepar_model"} | AFTER_PARSE
        (toy.folder / "results/benepar/benepar_en3").mkdir(parents=True)
        assert toy.planned(parse={"backend": "auto"}).keys() == AFTER_PARSE
    finally:
        package.unlink()


@pytest.mark.slow
def test_a_corpus_that_is_a_folder_is_watched(toy):
    corpus = {"name": "texts", "reader": "text", "path": "texts", "gold": None, "tokenized": False}
    target = "results/texts/corpus/corpus.jsonl"
    for part in ("documents", "summaries"):
        (toy.folder / "texts" / part).mkdir(parents=True)
        (toy.folder / "texts" / part / "1.txt").write_text("Two boats left.")
    outcome = toy.snakemake("--cores", "1", target, corpus=corpus)
    assert outcome.status == 0, outcome.text
    assert toy.snakemake("-n", target, corpus=corpus).counts == {}
    with toy.edited("texts/documents/1.txt", "Two", "Few"):
        assert toy.snakemake("-n", target, corpus=corpus).counts == {"corpus": 1}
