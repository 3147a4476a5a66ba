"""Model files that are damaged, of other versions, or say what no training says."""

import json
import random

import numpy as np
import pytest
from toy_training import flat_trees, make
from toy_training import settings as of_training
from toy_wordnet import ToyReader
from vorlage.command.errors import InputError
from vorlage.semihmm.model import Model, Origin
from vorlage.semihmm.rewrite.wordnet_distance import WordNetDistances
from vorlage.semihmm.train.resources import Resources
from vorlage.semihmm.train.training import train

CORPUS = [
    ("the personal computer sells", "a pc sells"),
    ("machines and computers", "the machine"),
    ("a personal computer offers the machine", "personal computers trade"),
]
JUMPS = ("relative", "gaussian", "exponential", "syntax")
# Every array of a model but its texts, by the jump models that have it.
NUMBERS = {
    **dict.fromkeys(("jump_null", "jump_smoothing", "jump_table", "jump_smallest"), "relative"),
    **dict.fromkeys(("jump_mean", "jump_standard_deviation", "jump_longest"), "gaussian"),
    **dict.fromkeys(("jump_forward", "jump_backward"), "exponential"),
    "jump_factors": "syntax",
    **dict.fromkeys(
        "mixture_weights mixture_eta null_probability null_unseen lexicon_longer lexicon_word_rows".split()
        + "lexicon_partners lexicon_phrase_pairs lexicon_kind lexicon_counts lexicon_totals".split()
        + ["lexicon_frequency"],
        "relative",
    ),
}


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    """By jump model, a model file."""
    folder, corpus = tmp_path_factory.mktemp("models"), make(CORPUS)
    for jump in JUMPS:
        chosen = of_training(iterations=3)
        resources = Resources(WordNetDistances(ToyReader()), flat_trees(corpus))
        origin = Origin("00ff", "0123456789ab", "ba9876543210")
        model, _ = train(corpus, jump, chosen, resources, origin=origin)
        model.save(folder / f"{jump}.npz")
    return {jump: folder / f"{jump}.npz" for jump in JUMPS}


def arrays_of(path):
    with np.load(path) as file:
        return dict(file)


def refused(path, arrays, reason):
    np.savez(path, **arrays)
    with pytest.raises(InputError, match=reason) as error:
        Model.load(path)
    assert str(error.value).startswith(f"{path}: ") and "\n" not in str(error.value)


@pytest.mark.parametrize(("name", "jump"), NUMBERS.items())
def test_numbers_that_no_training_gives_are_refused(saved, tmp_path, name, jump):
    arrays = arrays_of(saved[jump])
    whole, path = arrays[name], tmp_path / "model.npz"
    assert whole.size, f"the toy has no {name}"
    if whole.dtype.kind == "f":
        for value in (np.nan, np.inf, -np.inf, -0.5):
            if name == "jump_mean" and value == -0.5:
                continue
            changed = np.array(whole)
            changed.flat[-1] = value
            refused(path, arrays | {name: changed}, "a damaged model, |not a model, or damaged")
    else:
        for value in (np.iinfo(whole.dtype).max, np.iinfo(whole.dtype).min):
            changed = np.array(whole)
            changed.flat[-1] = value
            refused(path, arrays | {name: changed}, "damaged model, |not a model")
    if whole.ndim:
        refused(path, arrays | {name: whole[:-1]}, "damaged model, |not a model")
        refused(path, arrays | {name: whole[..., None]}, "damaged model, |not a model")
        refused(path, arrays | {name: whole.flat[0]}, "damaged model, |not a model")
    refused(path, arrays | {name: whole.astype(complex)}, "damaged model, |not a model")
    refused(path, arrays | {name: whole.astype("U")}, "damaged model, |not a model")
    refused(path, {key: value for key, value in arrays.items() if key != name}, "not a model")


@pytest.mark.parametrize(
    ("name", "jump"),
    [
        *(("jump_table", "relative"), ("jump_factors", "syntax")),
        *(("mixture_weights", "gaussian"), ("null_probability", "gaussian")),
    ],
)
def test_distributions_sum_to_one(saved, tmp_path, name, jump):
    arrays = arrays_of(saved[jump])
    refused(tmp_path / "model.npz", arrays | {name: arrays[name] * 1.0001}, "sum to .* and not to 1")


def text(value):
    return np.frombuffer(value.encode(), dtype=np.uint8)


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"jump": text("os")}, "not a model"),
        ({"jump": text("gaussian")}, "not a model"),
        ({"format": np.float32(np.inf)}, "not a model"),
        ({"format": np.int64(2)}, "a model of format 2, not 5; train it again"),
        ({"settings": text('{"beam": 2}')}, "`semihmm.beam` is 2; it must be a number above 0 and at most 1"),
        ({"settings": text('{"fake_counts": {"word": NaN}}')}, "not a model"),
        ({"settings": text("[" * 100_000)}, "not a model"),
        ({"settings": text('{"beam": 0.5}')}, "its settings are incomplete"),
        ({"settings": text("[]")}, "its settings are not objects"),
        ({"parser": text('{"backend": "../x"}')}, "`parse.backend`"),
        ({"parser": text("0")}, "its settings are not objects"),
        ({"words": np.array([255], dtype=np.uint8)}, "not a model"),
        ({"fingerprint": text("../../x")}, "not a fingerprint"),
        ({"phrases": text("pc\npc\n")}, "is repeated"),
        ({"phrases": text("pc")}, "the array phrases has another type or shape"),
        ({"phrases": np.array([[object()] * 4])}, "not a model, or damaged"),
    ],
)
def test_what_a_model_says_of_itself_is_checked(saved, tmp_path, changes, reason):
    refused(tmp_path / "model.npz", arrays_of(saved["relative"]) | changes, reason)


@pytest.mark.parametrize("jump", JUMPS)
def test_a_model_of_an_earlier_version_aligns_as_it_did(saved, tmp_path, jump):
    arrays = arrays_of(saved[jump])
    for name in {"settings", "reverse_settings"} & arrays.keys():
        settings = json.loads(arrays[name].tobytes())
        del settings["corresponding"]
        arrays[name] = text(json.dumps(settings))
    np.savez(tmp_path / "model.npz", **arrays)
    assert Model.load(tmp_path / "model.npz").settings == Model.load(saved[jump]).settings


def test_labels_are_texts_and_each_another(saved, tmp_path):
    arrays = arrays_of(saved["syntax"])
    labels = arrays["jump_labels"]
    for changed in (labels[:, None], np.repeat(labels[:1], len(labels)), labels.astype("S")):
        says = "its labels are not distinct texts|the array jump_labels has another type or shape"
        refused(tmp_path / "model.npz", arrays | {"jump_labels": changed}, says)


@pytest.mark.parametrize("jump", JUMPS)
def test_a_flipped_bit_or_a_cut_gives_no_other_model(saved, tmp_path, jump):
    whole, rng = saved[jump].read_bytes(), random.Random(jump)
    expected, path = arrays_of(saved[jump]), tmp_path / "model.npz"
    missed = 0
    for case in range(400):
        damaged = bytearray(whole)
        if case % 4:
            damaged[rng.randrange(len(whole))] ^= 1 << rng.randrange(8)
        else:
            del damaged[rng.randrange(len(whole)) :]
        path.write_bytes(damaged)
        try:
            model = Model.load(path)
        except InputError:
            continue
        # The date of a member, say, is no part of the model.
        missed += 1
        model.save(tmp_path / "again.npz")
        again = arrays_of(tmp_path / "again.npz")
        assert again.keys() == expected.keys()
        assert all(np.array_equal(again[name], expected[name]) for name in expected)
    assert missed < 200
