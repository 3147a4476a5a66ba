"""Training in shards through the workflow: the same bytes in any order, and only what changed runs again."""

import shutil

import pytest
from toy import Toy

JUMPS = ("relative", "syntax")
# The models of the jumps, and the model of the other direction, which they share.
MODELS = (*JUMPS, "reverse")
SHARDS, ITERATIONS = 2, 2
STEPS = {"collect", "forests", "index", "entries", "start", "expect", "add", "maximise", "finish"}
AFTER_TRAIN = {"align", "score", "analysis", "decompose", "figures", "page"}


def models(toy):
    """Return path → bytes of the results of training, without seconds."""
    results = toy.folder / "results/toy"
    found = {}
    for pattern in ("train/*/model.npz", "train/*/em.tsv"):
        for path in sorted(results.glob(pattern)):
            content = path.read_bytes()
            if path.name == "em.tsv":
                content = b"\n".join(line.rpartition(b"\t")[0] for line in content.splitlines())
            found[str(path.relative_to(results))] = content
    return found


@pytest.fixture(scope="module")
def sharded(finished_toy, tmp_path_factory):
    """Run the stages from training on in shards, on the results of the stages before it."""
    toy = Toy(tmp_path_factory.mktemp("sharded"), finished_toy)
    for stage in ("train", "align", "score", "report"):
        shutil.rmtree(toy.folder / "results/toy" / stage)
    toy.config["semihmm"] |= {"shards": SHARDS, "jumps": list(JUMPS)}
    toy.config["systems"] = [f"semihmm-{jump}" for jump in JUMPS]
    outcome = toy.snakemake("--cores", "2")
    assert outcome.status == 0, outcome.text
    assert outcome.jobs >= STEPS and "train" not in outcome.jobs
    assert outcome.counts["expect"] == SHARDS * ITERATIONS * len(MODELS)
    assert outcome.counts["add"] == outcome.counts["maximise"] == ITERATIONS * len(MODELS)
    # In each direction.
    assert (
        outcome.counts["collect"] == 2 * SHARDS and outcome.counts["index"] == outcome.counts["entries"] == 2
    )
    assert outcome.counts["forests"] == SHARDS
    assert outcome.counts["finish"] == len(MODELS)
    return toy


def test_results_of_iterations_are_removed_and_a_second_run_does_nothing(sharded):
    train = sharded.folder / "results/toy/train"
    collected = {"shards", "index", "entries"}
    assert {path.name for path in train.iterdir()} == {"forward", "forests", *MODELS}
    assert {path.name for path in (train / "forward").iterdir()} == collected
    made = {"model.npz", "em.tsv"}
    made |= {f".{name}.sum" for name in made}
    for model in MODELS:
        expected = made | collected if model == "reverse" else made
        assert {path.name for path in (train / model).iterdir()} == expected
    assert sharded.planned() == set()


@pytest.mark.guarantee("same bytes")
def test_another_order_of_jobs_gives_the_same_bytes(sharded):
    before = models(sharded)
    assert len(before) == 2 * len(MODELS)
    targets = [f"results/toy/train/{jump}/model.npz" for jump in JUMPS]
    outcome = sharded.snakemake(*targets, "--cores", "1", "--forcerun", "collect", "--scheduler", "greedy")
    assert outcome.status == 0, outcome.text
    assert outcome.counts["expect"] == SHARDS * ITERATIONS * len(MODELS)
    assert models(sharded) == before


@pytest.mark.guarantee("shards")
def test_scores_equal_those_of_training_in_one_job(sharded, toy):
    whole = (toy.folder / "results/toy/score/scores.tsv").read_text().splitlines()
    rows = [line for line in whole if line.startswith(("system", *(f"semihmm-{jump}" for jump in JUMPS)))]
    assert (sharded.folder / "results/toy/score/scores.tsv").read_text().splitlines() == rows


@pytest.mark.guarantee("reruns")
def test_an_edit_to_a_step_is_noticed_after_its_results_are_removed(sharded):
    for path in ("sharded/expect.py", "pairs.py", "sharded/collect.py"):
        with sharded.edited(f"pipeline/train/{path}", "\nfrom ", "\nEDITED = 1\nfrom "):
            assert sharded.planned() >= {"expect", "finish"} | AFTER_TRAIN
    with sharded.edited("pipeline/semihmm/jumps/relative.py", "\nimport ", "\nEDITED = 1\nimport "):
        outcome = sharded.snakemake("-n")
        # All: each contains the model of the other direction, with these jumps, and iterations are removed.
        assert outcome.counts["expect"] == len(MODELS) * SHARDS * ITERATIONS
        assert not outcome.jobs & {"collect", "index", "entries", "forests"}


@pytest.mark.guarantee("reruns")
def test_settings_of_training_retrain_and_settings_of_decoding_do_not(sharded):
    again = sharded.planned(semihmm=sharded.config["semihmm"] | {"null_start": 0.1})
    assert again == {"start", "expect", "add", "maximise", "finish"} | AFTER_TRAIN
    assert sharded.planned(semihmm=sharded.config["semihmm"] | {"posterior_threshold": 0.3}) == AFTER_TRAIN


@pytest.mark.guarantee("reruns")
def test_settings_of_collecting_collect_again_and_agreement_does_not(sharded):
    semihmm = sharded.config["semihmm"]
    outcome = sharded.snakemake("-n", semihmm=semihmm | {"sentence_similarity": 1})
    assert outcome.counts["collect"] == 2 * SHARDS
    outcome = sharded.snakemake("-n", semihmm=semihmm | {"agreement": False})
    assert not outcome.jobs & {"collect", "index", "entries"}
    assert outcome.counts["finish"] == len(JUMPS)


def test_index_and_counts_of_many_shards_are_in_parts(sharded):
    semihmm = sharded.config["semihmm"] | {"shards": 300, "iterations": 2}
    outcome = sharded.snakemake("-n", "results/toy/train/reverse/model.npz", semihmm=semihmm)
    assert outcome.status == 0, outcome.text
    # A part for every 256 shards.
    assert outcome.counts["entries"] == 2 and outcome.counts["index"] == 1
    assert outcome.counts["expect"] == 2 * 300 and outcome.counts["add"] == 2 * 2


def test_a_job_on_a_cluster_has_a_single_rule_for_its_output(sharded):
    """A cluster asks for a job by its output alone; `start` makes the state before EM."""
    target = "results/toy/train/relative/em/0/state"
    outcome = sharded.snakemake("-n", target, "--force", "--allowed-rules", "start", "maximise")
    assert outcome.status == 0 and outcome.jobs == {"start"}, outcome.text


def test_every_kept_result_is_a_target(sharded):
    assert sharded.untargeted() == []
