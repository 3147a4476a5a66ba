"""Training in shards, command by command, compared with training in one job."""

import random
from dataclasses import replace

import numpy as np
import pytest
from sharded_training import Training, options, same_models, same_rows, single, write_files
from toy_training import JUMPS, LONGER

from pipeline.io.parts import Part
from pipeline.semihmm.model import Model
from pipeline.train.expectation import Expectations, Sums
from pipeline.train.sharded import collect, entries
from pipeline.train.sharded.files import State, read_counts


@pytest.fixture
def files(tmp_path):
    return write_files(tmp_path)


@pytest.mark.guarantee("shards")
@pytest.mark.parametrize("jump", JUMPS)
@pytest.mark.parametrize("shards", [1, 2, 5])
def test_shards_change_nothing_but_rounding(files, jump, shards):
    one, rows = single(files, jump)
    many, others = Training(files, "many", shards, jump).run()
    # A Gaussian's mean and standard deviation come from a numerical search.
    same_models(one, many, 1e-6 if jump in ("gaussian", "exponential") else 1e-9)
    same_rows(rows, others)


@pytest.mark.guarantee("same bytes")
def test_order_of_jobs_and_threads_change_no_bit(files):
    first = Training(files, "first", 4, "syntax").run()
    second = Training(files, "second", 4, "syntax").run(random.Random(1), threads=3)
    assert first[0].read_bytes() == second[0].read_bytes() and first[1] == second[1]


@pytest.mark.guarantee("same bytes")
@pytest.mark.parametrize("setting", [{}, {"lexical_cooccurrence": 3}, {"tolerance": 0.9}])
def test_parts_of_the_rows_change_no_byte(files, setting):
    one, rows = Training(files, "one", 4, "relative", parts=1, **setting).run()
    # Some of 40 parts of 26 rows are empty.
    for parts in (3, 40):
        training = Training(files, f"in {parts}", 4, "relative", parts=parts, **setting)
        other, others = training.run()
        assert one.read_bytes() == other.read_bytes()
        same_rows(rows, others, 1e-12)
    counts = [np.load(path) for path in training.path("entries").glob("*/partners.npy")]
    assert len(counts) == 40 and min(map(len, counts)) == 0
    assert len(rows) == (5 if "tolerance" not in setting else 3)


@pytest.mark.guarantee("shards")
def test_expected_counts_of_shards_are_added(files):
    training = Training(files, "sums", 4, "relative")
    training.prepare()
    for shard in training.shards:
        training.expect(1, shard)
    training.maximise(1)
    found = [training.path(1, f"{shard}.npz") for shard in training.shards]
    for number, part in enumerate(training.parts):
        plain = {}
        for path in found:
            for entry, count in zip(*read_counts(path, number), strict=True):
                plain[entry] = plain.get(entry, 0.0) + count
        counts = np.load(training.path(1, "counts", part, "counts.npy"))
        assert {entry: counts[entry] for entry in np.flatnonzero(counts)} == pytest.approx(plain, rel=1e-12)


@pytest.mark.parametrize(
    "setting", [{"lexical_cooccurrence": 3}, {"lexical_prune": 0.05}, {"prune": 0.3}, {"remade_extracts": 1}]
)
def test_options_that_save_memory_change_only_rounding(files, setting):
    one, rows = single(files, "relative", **setting)
    many, others = Training(files, "many", 3, "relative", **setting).run()
    # Each shard drops small counts, so sums near the limit may or may not be kept.
    close = 0.1 if "lexical_prune" in setting else 1e-8
    assert float(others[-1].split("\t")[1]) == pytest.approx(float(rows[-1].split("\t")[1]), rel=close)
    if "lexical_prune" not in setting:
        same_models(one, many, 1e-8)


def test_uses_of_unlisted_word_pairs_are_not_added():
    nothing = np.zeros(0)
    expected = Expectations(
        np.array([1.0, 2.0, 4.0]), np.array([8.0]), nothing, 0.0, nothing, nothing, 0.0, 0.0
    )
    sums = Sums(3, 2)
    sums.add(expected, np.array([2, -1, 0]), np.array([1]))
    assert sums.total().counts.tolist() == [4, 0, 1] and sums.total().nulls.tolist() == [0, 8]


def test_unlisted_word_pairs_keep_only_their_fake_count(files):
    paper = {"fake_counts.word": 2, "fake_counts.unigram": 0, "lexical_threshold": 0}
    pruned = Model.load(single(files, "relative", lexical_cooccurrence=3, **paper)[0])
    whole = Model.load(single(files, "relative", **paper)[0])
    held = co_occurrences()
    for d, s, count in listed(pruned):
        assert held[d, s] >= 3 or d == s or d.rstrip("s") == s.rstrip("s"), (d, s, count)
    assert {(d, s) for d, s, _ in listed(pruned)} < {(d, s) for d, s, _ in listed(whole)}
    # The totals include the fake counts of all pairs, listed or not: 2 for each summary word, more for equal
    # words; and the counts.
    counts = {word: 0.0 for word in pruned.words}
    for d, _, count in listed(pruned):
        counts[d] += count
    for word, total in zip(pruned.words, pruned.lexicon.totals, strict=False):
        fake = sum(2 + 3 * (stem(d) == stem(s)) + 4 * (d == s) for d, s in held if d == word)
        assert total == pytest.approx(counts[word] + fake if fake else 0.0, rel=1e-12)


def stem(word):
    return word[:-1] if word in ("ships", "sells") else word


def co_occurrences():
    """Return the number of pairs of texts that contain each (document word, summary word)."""
    held = {}
    for document, summary in LONGER:
        for d in set(document.split()):
            for s in set(summary.split()):
                held[d, s] = held.get((d, s), 0) + 1
    return held


def listed(model):
    """Return (document word, summary word, count) of the word pairs that a model stores."""
    table, counts = model.lexicon.table, model.lexicon.counts
    for d, word in enumerate(model.words):
        for e in range(table.word_rows[d], table.word_rows[d + 1]):
            yield word, model.words[table.partners[e]], counts[e]


def test_iterations_after_convergence_do_nothing(files):
    # With many fake counts by frequency, no change of the objective is a hundredth of it.
    settings = {"tolerance": 1e-2, "iterations": 12, "fake_counts.word": 2, "fake_counts.unigram": 0}
    one, rows = single(files, "relative", **settings)
    many, others = Training(files, "many", 2, "relative", **settings).run()
    assert 3 < len(rows) == len(others) < 13
    same_models(one, many, 1e-9)


def test_empty_shards_are_accepted_and_wrong_files_refused(files, tmp_path, capsys):
    training = Training(files, "few", 2, "relative")
    training.prepare()
    (training.path("shards", Part(2, 2), "cells.npy")).write_bytes(b"nothing")
    with pytest.raises(SystemExit):
        training.expect(1, Part(2, 2))
    assert "cells.npy: cannot be read (not an array); make it with" in capsys.readouterr().err
    assert not training.path(1, "2-of-2.npz").exists()
    training.expect(1, Part(1, 2))
    bad = training.path(1, "2-of-2.npz")
    bad.write_bytes(training.path(1, "1-of-2.npz").read_bytes()[:500])
    with pytest.raises(SystemExit):
        training.maximise(1)
    assert "2-of-2.npz: not expectations, or damaged" in capsys.readouterr().err
    assert not list(training.path(1, "counts").iterdir())
    with pytest.raises(SystemExit):
        entries.main(
            [
                *training.collected,
                *options(index=training.path("index"), part="1-of-3", output=tmp_path / "x"),
            ]
        )
    assert "--part is 1-of-3, but the index has 2 parts of rows" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        collect.main([*training.given, *options(part="70-of-90", output=tmp_path / "x", wordnet="false")])
    assert "no pairs to train on; check the corpus, or set fewer `semihmm.shards`" in capsys.readouterr().err


def test_missing_forests_are_reported_in_one_line(files, capsys):
    training = Training(files, "bare", 1, "syntax")
    training.prepare()
    training.jump = "relative"  # so that no forests are given
    with pytest.raises(SystemExit):
        training.expect(1, Part(1, 1))
    assert "error: --forests is missing; the jump model syntax needs" in capsys.readouterr().err


def test_missing_wordnet_is_reported_at_the_end_of_training(files, capsys):
    training = Training(files, "bare", 1, "relative", iterations=1)
    training.run()
    folder = training.path(1, "state")
    state = State.load(folder)
    replace(state, settings=state.settings | {"wordnet": True}).save(folder)
    with pytest.raises(SystemExit):
        training.finish()
    assert "error: --wordnet-data is missing; make the folder with" in capsys.readouterr().err
