"""Model files: what is saved comes back, and anything else is refused in one line."""

import dataclasses

import numpy as np
import pytest
from toy_training import JUMPS, flat_trees, make, settings
from toy_wordnet import ToyReader
from vorlage.command.errors import InputError
from vorlage.semihmm.model import Model, Origin
from vorlage.semihmm.rewrite.wordnet_distance import WordNetDistances
from vorlage.semihmm.train.training import Resources, train

CORPUS = [
    ("the personal computer sells", "a pc sells"),
    ("machines and computers", "the machine"),
    ("a personal computer offers the machine", "personal computers trade"),
]


@pytest.fixture(scope="module")
def models():
    """By jump model, a model."""
    corpus, origin = make(CORPUS), Origin("0123456789ab", "ba9876543210")
    resources = Resources(WordNetDistances(ToyReader()), flat_trees(corpus))
    return {jump: train(corpus, jump, settings(iterations=3), resources, origin=origin)[0] for jump in JUMPS}


@pytest.mark.parametrize("jump", JUMPS)
def test_a_saved_model_comes_back(models, tmp_path, jump):
    model, path = dataclasses.replace(models[jump], reverse=models["relative"]), tmp_path / "model.npz"
    model.save(path)
    loaded = Model.load(path)
    for name in ("jump", "words", "word_stems", "language", "settings", "origin", "parser", "encoder"):
        assert getattr(loaded, name) == getattr(model, name)
    assert loaded.jumps.describe() == model.jumps.describe() and type(loaded.jumps) is type(model.jumps)
    assert loaded.reverse.jump == "relative" and loaded.reverse.reverse is None
    loaded.save(tmp_path / "again.npz")
    assert path.read_bytes() == (tmp_path / "again.npz").read_bytes()


def damaged(arrays, data):
    """Yield (name, bytes or arrays) of files that are no models."""
    yield "cut", data[: len(data) // 2]
    middle = data.index(b"lexicon_counts") + 100  # inside compressed numbers
    yield "flipped", data[:middle] + bytes([data[middle] ^ 1]) + data[middle + 1 :]
    yield "empty", b""
    yield "text", b"not an archive"
    for name in arrays:
        yield f"without {name}", {key: array for key, array in arrays.items() if key != name}
    yield "other arrays", {"a": np.zeros(3)}
    yield "an object", arrays | {"words": np.array([object()])}
    yield "not finite", arrays | {"mixture_weights": np.full(5, np.nan)}
    unknown = arrays["about"].tobytes().replace(b'"beam"', b'"beem"')
    yield "another setting", arrays | {"about": np.frombuffer(unknown, np.uint8)}
    other = arrays["about"].tobytes().replace(b'"relative"', b'"os"')
    yield "another jump model", arrays | {"about": np.frombuffer(other, np.uint8)}


def test_any_other_file_is_refused_in_one_line(models, tmp_path):
    path = tmp_path / "model.npz"
    with pytest.raises(InputError, match="No such file"):
        Model.load(path)
    models["relative"].save(path)
    with np.load(path) as file:
        arrays = dict(file)
    for name, content in damaged(arrays, path.read_bytes()):
        if isinstance(content, bytes):
            path.write_bytes(content)
        else:
            np.savez(path, **content)
        with pytest.raises(InputError, match="again with `vorlage train`") as error:
            print(name)
            Model.load(path)
        assert str(error.value).startswith(f"{path}: ") and "\n" not in str(error.value)
