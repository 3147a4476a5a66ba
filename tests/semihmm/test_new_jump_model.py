"""A jump model that is defined here alone: by a Laplace distribution over distances."""

import json
import math
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
import pytest
from naive_jumps import NaiveDensity
from toy_training import CORPUS, PAPER, make, settings
from twins import BY_DISTANCE, Twins, check
from vorlage.api.derivation import derive
from vorlage.command.errors import InputError
from vorlage.extensions import JUMPS
from vorlage.files.arrays import Form
from vorlage.semihmm.decode.aligner import Aligner
from vorlage.semihmm.jump_model import ByFormula, jump_model, minimise
from vorlage.semihmm.model import Model
from vorlage.semihmm.train.training import Resources, train
from vorlage.settings import SemiHmm, validate
from vorlage.workflow.fingerprint import PACKAGE
from vorlage.workflow.settings import semihmm_system

SHARPEST = 30.0


@dataclass(frozen=True)
class Laplace(ByFormula):
    """J(δ) = (1 − φ) · exp(−rate · |δ − centre|) / Σ, with a whole number as its centre."""

    name: ClassVar[str] = "laplace"

    centre: int = 1
    rate: float = 0.0

    @classmethod
    def forms(cls, arrays):
        yield from super().forms(arrays)
        yield "centre", Form(np.int64, (), -(10**7), 10**7)
        yield "rate", Form(float, (), 0, SHARPEST)

    def exponents(self, distances):
        return -self.rate * np.abs(distances - self.centre).astype(float)

    def maximised(self, counts, nulls, jumps):
        distances, share = self.distances(), counts / counts.sum()

        def fitted(centre):
            steps = np.abs(distances - centre).astype(float)

            def cost(rate):
                norm = np.logaddexp.reduce(-rate * steps)
                slope = share @ steps - np.exp(-rate * steps - norm) @ steps
                return float(norm + rate[0] * (share @ steps)), np.array([slope])

            [rate] = minimise(cost, np.array([self.rate]), [(0.0, SHARPEST)])
            return cost(np.array([rate]))[0], centre, float(rate)

        _, centre, rate = min(fitted(int(centre)) for centre in distances)
        return replace(self, null_probability=nulls / (nulls + jumps), centre=centre, rate=rate)


class NaiveLaplace(NaiveDensity):
    """Its twin: a grid of rates for each centre, then a finer one around the best."""

    def maximise(self, jumps, nulls):
        counts, self.best = self.count(jumps, nulls), -math.inf
        for centre in self.factors:
            low, high = 0.0, SHARPEST
            for _ in range(40):
                rates = [low + (high - low) * i / 10 for i in range(11)]
                fit, rate = max((self.fit(counts, centre, rate), rate) for rate in rates)
                low, high = max(rate - (high - low) / 8, 0.0), min(rate + (high - low) / 8, SHARPEST)
            if fit > self.best:
                self.best, best = fit, (centre, rate)
        self.counts = counts
        self.use(*best)

    def compare(self, jumps):
        """The search may end at another of the likeliest; what counts is how likely it is."""
        found = self.fit(self.counts, jumps.centre, jumps.rate)
        assert found == pytest.approx(self.best, rel=1e-9)
        self.use(jumps.centre, jumps.rate)

    def density(self, centre, rate):
        weights = {d: math.exp(-rate * abs(d - centre)) for d in self.factors}
        return {d: weight / sum(weights.values()) for d, weight in weights.items()}


OF_2004 = {"paper": 2004, "null_state": "jumps-phrases", "null_smoothing": 2}


@pytest.fixture(autouse=True)
def _registered(monkeypatch):
    monkeypatch.setitem(JUMPS.added, "laplace", Laplace)
    monkeypatch.setitem(BY_DISTANCE, "laplace", NaiveLaplace)


@pytest.mark.parametrize("changes", [{}, {"null_learned": False}, OF_2004])
def test_em_posteriors_and_derivations_are_those_of_enumeration(changes):
    chosen = settings(**PAPER | {"wordnet": False} | changes)
    twins = check(Twins(CORPUS, "laplace", chosen), iterations=4)
    assert twins.parameters.jumps.rate > 0


def test_it_is_saved_loaded_and_explained(tmp_path):
    corpus = make(CORPUS)
    model, iterations = train(corpus, "laplace", settings(wordnet=False), Resources())
    objective = [iteration.log_posterior for iteration in iterations]
    assert objective == sorted(objective)
    model.save(tmp_path / "model.npz")
    loaded = Model.load(tmp_path / "model.npz")
    assert loaded.jump == "laplace" and loaded.jumps.describe() == model.jumps.describe()
    assert loaded.jumps.describe().keys() == {"null", "centre", "rate"}
    pair, extract = corpus[0]
    for decoder in ("posterior", "viterbi"):
        decoding = validate(SemiHmm, {"decoder": decoder})
        alignments = [Aligner(made).align(pair, extract.sentences, decoding) for made in (model, loaded)]
        assert alignments[0] == alignments[1] and alignments[0].system == "semihmm-laplace"
    assert derive(Aligner(loaded), pair, extract.sentences) == derive(Aligner(model), pair, extract.sentences)
    np.savez(tmp_path / "wrong.npz", **dict(np.load(tmp_path / "model.npz")) | {"jump_rate": np.array(-1.0)})
    with pytest.raises(InputError, match=r"`jump_rate` has -1\.0 at \(\), which must be from 0 to 30"):
        Model.load(tmp_path / "wrong.npz")


def test_settings_know_it_and_name_what_is_similar():
    assert validate(SemiHmm, {"jumps": ["laplace"]}).jumps == ("laplace",)
    assert semihmm_system("paper-laplace-viterbi") == ("paper", "laplace", True)
    with pytest.raises(InputError, match=r'`semihmm.jumps` is "laplac"; it must be one of: .*mean laplace\?'):
        validate(SemiHmm, {"jumps": ["laplac"]})


def test_the_names_of_files_are_those_of_the_classes():
    for name in set(JUMPS.names()) - {"laplace"}:
        assert jump_model(name).name == name and jump_model(name).__module__ == JUMPS.module(name)


PRINT_FINGERPRINTS = """
import json
from vorlage.workflow.fingerprint import fingerprint
from vorlage.extensions import JUMPS
commands = "vorlage.cli.train", "vorlage.semihmm.decode.load"
print(json.dumps({name: fingerprint(*commands, JUMPS.module(name)) for name in JUMPS.names()}))
"""


def test_a_file_that_is_added_changes_the_fingerprint_of_no_other_model(tmp_path):
    shutil.copytree(PACKAGE, tmp_path / "vorlage", ignore=shutil.ignore_patterns("__pycache__", "*.npz"))

    def fingerprints():
        command = [sys.executable, "-c", PRINT_FINGERPRINTS]
        environment = os.environ | {"PYTHONPATH": str(tmp_path)}
        return json.loads(subprocess.run(command, env=environment, check=True, capture_output=True).stdout)

    before = fingerprints()
    (tmp_path / "vorlage/semihmm/jumps/added_here.py").write_text(
        "class AddedHere:\n    name = 'added-here'\n"
    )
    after = fingerprints()
    assert after.keys() - before.keys() == {"added-here"}
    assert before == {name: after[name] for name in before}
    for name, modules in before.items():
        assert {JUMPS.module(other) for other in before} & modules.keys() == {JUMPS.module(name)}
