"""The toy workflow on a real SLURM cluster of one node; `tests/slurm/cluster.sh start` starts it."""

import re
import shutil
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import pytest
from toy import PAGE_SECONDS, Toy

# Few jobs: the start of Snakemake on the node takes two thirds of each.
SETTINGS = {
    "semihmm": {"jumps": ["relative"], "iterations": 5},
    "systems": ["semihmm-relative", "cutpaste", "identity"],
}
CANCELLED = "rule_train_wildcards_toy__relative"  # the comment of the job that the test kills
OVER_MEMORY = "baseline:mem_mb=40 if attempt == 1 else 2000"
SECONDS = 400


def slurm(*command):
    return subprocess.run(command, capture_output=True, text=True, timeout=30, check=True).stdout


def is_running():
    """Return whether the cluster of `cluster.sh` runs; tests never use any other cluster."""
    if not shutil.which("sinfo"):
        return False
    try:
        return "throwaway" in slurm("scontrol", "show", "config") and "idle" in slurm("sinfo", "--format=%T")
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired):
        return False


pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not is_running(), reason="SLURM is not running: `tests/slurm/cluster.sh start` starts it"
    ),
]


def cancel_at_work(comment, log, seconds=200):
    """Kill the first job with this comment as soon as it opens its log; return its id, or None."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if log.exists():
            for line in slurm("squeue", "--noheader", "--states=RUNNING", "--format=%i %k").splitlines():
                number, _, said = line.partition(" ")
                if said.strip() == comment:
                    slurm("scancel", number)
                    return number
        time.sleep(0.1)
    return None


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """Run the workflow here and on SLURM, where one job is killed and one has too little memory."""
    local, cluster = (Toy(tmp_path_factory.mktemp(name)) for name in ("local", "cluster"))
    cluster.environment["SLURM_PARTITION"] = "long"
    cluster.seconds = SECONDS
    options = ("--slurm-init-seconds-before-status-checks", "2", "--set-resources", OVER_MEMORY)
    with ThreadPoolExecutor() as pool:
        by_slurm = pool.submit(cluster.snakemake, "--profile", "slurm", *options, **SETTINGS)
        log = cluster.folder / "results/toy/logs/train-relative.log"
        killed = pool.submit(cancel_at_work, CANCELLED, log)
        here = local.snakemake("--cores", "2", **SETTINGS)
        assert here.status == 0, here.text
        assert by_slurm.result().status == 0, by_slurm.result().text
    lines = slurm("scontrol", "--oneliner", "show", "job").splitlines()
    jobs = [dict(re.findall(r"(\w+)=(\S+)", line)) for line in lines]
    jobs = [job for job in jobs if job["WorkDir"] == str(cluster.folder)]
    return SimpleNamespace(
        local=local.folder,
        cluster=cluster.folder,
        killed=killed.result(),
        text=by_slurm.result().text,
        jobs=jobs,
    )


def results(folder):
    """Return path → bytes of the results of a run, without logs and times."""
    root = folder / "results/toy"
    made = {
        str(path.relative_to(root)): PAGE_SECONDS.sub(b"", path.read_bytes())
        for path in root.rglob("*")
        if path.is_file() and path.relative_to(root).parts[0] not in ("logs", "benchmarks")
    }
    for name in [name for name in made if name.endswith("em.tsv")]:
        rows = [line.split(b"\t") for line in made[name].splitlines()]
        seconds = rows[0].index(b"seconds")
        made[name] = [row[:seconds] + row[seconds + 1 :] for row in rows]
    return made


def test_results_equal_those_of_a_local_run(runs):
    here, there = results(runs.local), results(runs.cluster)
    assert here.keys() == there.keys() and "train/relative/model.npz" in here
    # Both directions; one was killed.
    assert len([job for job in runs.jobs if job["Comment"].startswith("rule_train_")]) == 2 + 1
    assert [name for name in here if here[name] != there[name]] == []


def test_jobs_use_the_partition_of_the_environment(runs):
    assert {job["Partition"] for job in runs.jobs} == {"long"}
    comments = {job["Comment"] for job in runs.jobs}
    assert {"rule_corpus_wildcards_toy", CANCELLED, "rule_baseline_wildcards_toy_cutpaste"} <= comments


def attempts(runs, comment):
    """Return the state and the memory of each job with this comment, in order."""
    found = [job for job in runs.jobs if job["Comment"] == comment]
    return [
        (job["JobState"], job["MinMemoryNode"]) for job in sorted(found, key=lambda job: int(job["JobId"]))
    ]


def test_a_killed_job_is_retried_with_more_memory(runs):
    assert runs.killed in {job["JobId"] for job in runs.jobs}
    (killed, least), (ended, more) = attempts(runs, CANCELLED)
    assert (killed, ended) == ("CANCELLED", "COMPLETED")
    # Each is rounded up to whole megabytes.
    assert megabytes(more) == pytest.approx(2 * megabytes(least), abs=1)


def test_a_job_over_its_memory_is_retried_with_more(runs):
    (killed, least), (ended, more) = attempts(runs, "rule_baseline_wildcards_toy_cutpaste")
    assert killed != "COMPLETED" and ended == "COMPLETED"
    assert (megabytes(least), megabytes(more)) == (40, 2000)


def megabytes(memory):
    """Return the megabytes of `2000M` or `4G`, as SLURM writes them."""
    return float(memory[:-1]) * {"M": 1, "G": 1024}[memory[-1]]
