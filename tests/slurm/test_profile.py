"""The profile for SLURM, as Snakemake reads it with and without a cluster."""

import re
from pathlib import Path

import pytest
from snakemake.cli import get_argument_parser
from snakemake.profiles import ProfileConfigFileParser

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
PROFILE = ROOT / "slurm" / "config.yaml"
PROFILES = ROOT / "profiles"


@pytest.fixture
def read(tmp_path, monkeypatch):
    """Return a function that reads the profile on a cluster whose SLURM reports this accounting."""
    for name in ("SLURM_ACCOUNT", "SBATCH_ACCOUNT", "SLURM_PARTITION", "SBATCH_PARTITION"):
        monkeypatch.delenv(name, raising=False)

    def read(accounts=None):
        monkeypatch.setenv("PATH", str(tmp_path))
        if accounts:
            scontrol = tmp_path / "scontrol"
            scontrol.write_text(f"#!/bin/sh\necho 'AccountingStorageType   = {accounts}'\n")
            scontrol.chmod(0o755)
        with open(PROFILE) as stream:
            return ProfileConfigFileParser().parse(stream)

    return read


def test_snakemake_and_the_plugin_know_every_option(read):
    options = {text for action in get_argument_parser(["slurm"])._actions for text in action.option_strings}
    assert {f"--{name}" for name in read("accounting_storage/slurmdbd")} <= options


@pytest.mark.parametrize(
    ("accounts", "command"),
    [
        ("accounting_storage/slurmdbd", "sacct"),
        ("accounting_storage/none", "squeue"),
        ("(null)", "squeue"),  # in newer versions of SLURM
        (None, None),
    ],
)
def test_the_status_command_suits_the_accounting_of_the_cluster(read, accounts, command):
    assert read(accounts).get("slurm-status-command") == command


def test_account_and_partition_come_from_the_environment(read, monkeypatch):
    resources = read()["default-resources"]
    assert not [resource for resource in resources if resource.startswith("slurm_")]
    monkeypatch.setenv("SBATCH_ACCOUNT", "guests")
    monkeypatch.setenv("SLURM_PARTITION", "night")
    assert set(read()["default-resources"]) == {*resources, "slurm_account=guests", "slurm_partition=night"}
    monkeypatch.setenv("SLURM_ACCOUNT", "1234567")
    assert "slurm_account='1234567'" in read()["default-resources"]


@pytest.mark.skipif(not Path("/proc/meminfo").exists(), reason="needs /proc/meminfo, which Linux has")
def test_one_machine_runs_jobs_within_its_memory():
    with open(PROFILES / "machine/config.yaml") as stream:
        options = ProfileConfigFileParser().parse(stream)
    known = {text for action in get_argument_parser([])._actions for text in action.option_strings}
    assert {f"--{name}" for name in options} <= known
    (limit,) = options["resources"]
    kilobytes = re.search(r"^MemTotal:\s+(\d+)", Path("/proc/meminfo").read_text(), re.MULTILINE)
    assert int(limit.removeprefix("mem_mb=")) == int(kilobytes[1]) // 1024 * 9 // 10
