"""Model files: what is saved comes back, and anything else is refused in one line."""

import dataclasses
import json

import numpy as np
import pytest
from toy_training import JUMPS, flat_trees, make, settings
from toy_wordnet import ToyReader
from vorlage.command.errors import InputError
from vorlage.semihmm.model import Model, Origin
from vorlage.semihmm.train.training import Resources, train
from vorlage.semihmm.wordnet import WordNetDistances

CORPUS = [
    ("the personal computer sells", "a pc sells"),
    ("machines and computers", "the machine"),
    ("a personal computer offers the machine", "personal computers trade"),
]


@pytest.fixture(scope="module")
def models():
    """By jump model, a model."""
    corpus, origin = make(CORPUS), Origin("0123456789ab", "ba9876543210")
    resources = Resources(WordNetDistances(ToyReader()), flat_trees(corpus), origin=origin)
    made = {jump: train(corpus, jump, settings(iterations=3), resources)[0] for jump in JUMPS}
    made["2004"], _ = train(corpus, "relative", settings(**PAPER_2004), resources)
    return made


PAPER_2004 = {"iterations": 3, "paper": 2004, "null_state": "jumps-phrases", "wordnet": "first"}
PAPER_2004["fake_counts"] = {"unigram": 0, "phrase": 1}


@pytest.mark.parametrize(("jump", "reverse"), [*((jump, "relative") for jump in JUMPS), ("2004", "2004")])
def test_a_saved_model_comes_back(models, tmp_path, jump, reverse):
    model, path = dataclasses.replace(models[jump], reverse=models[reverse]), tmp_path / "model.npz"
    model.save(path)
    loaded = Model.load(path)
    for name in ("jump", "settings", "origin", "parser", "encoder"):
        assert getattr(loaded, name) == getattr(model, name)
    for name in ("words", "stems", "language"):
        assert getattr(loaded.vocabulary, name) == getattr(model.vocabulary, name)
    assert loaded.jumps.describe() == model.jumps.describe() and type(loaded.jumps) is type(model.jumps)
    assert loaded.reverse.jump == "relative" and loaded.reverse.reverse is None
    loaded.save(tmp_path / "again.npz")
    assert path.read_bytes() == (tmp_path / "again.npz").read_bytes()


def damaged(arrays, data):
    """Yield (name, bytes or arrays) of files that are no models."""
    yield "cut", data[: len(data) // 2]
    middle = data.index(b"table_partners") + 100  # inside compressed numbers
    yield "flipped", data[:middle] + bytes([data[middle] ^ 1]) + data[middle + 1 :]
    yield "empty", b""
    yield "text", b"not an archive"
    for name in arrays:
        yield f"without {name}", {key: array for key, array in arrays.items() if key != name}
    yield "other arrays", {"a": np.zeros(3)}
    yield "an object", arrays | {"words": np.array([object()])}
    yield "not finite", arrays | {"weights": np.full(6, np.nan)}
    unknown = arrays["about"].tobytes().replace(b'"beam"', b'"beem"')
    yield "another setting", arrays | {"about": np.frombuffer(unknown, np.uint8)}
    other = arrays["about"].tobytes().replace(b'"relative"', b'"os"')
    yield "another jump model", arrays | {"about": np.frombuffer(other, np.uint8)}


def test_any_other_file_is_refused_in_one_line(models, tmp_path):
    path = tmp_path / "model.npz"
    with pytest.raises(InputError, match="No such file"):
        Model.load(path)
    models["relative"].save(path)
    arrays = load(path)
    for name, content in damaged(arrays, path.read_bytes()):
        if isinstance(content, bytes):
            path.write_bytes(content)
        else:
            np.savez(path, **content)
        with pytest.raises(InputError, match="again with `vorlage train`") as error:
            print(name)
            Model.load(path)
        assert str(error.value).startswith(f"{path}: ") and "\n" not in str(error.value)


# A model, an array, a change of it that no training makes, and what is said about it.
WRONG = [
    ("relative", "table_partners", lambda a: a + 10**8, "which must be from 0 to"),
    ("relative", "table_partners", lambda a: a[::-1].copy(), "is not in order"),
    ("relative", "table_rows", lambda a: a[::-1].copy(), "is not in order"),
    ("relative", "readings_first", lambda a: a + 10**8, "is not in order"),
    ("relative", "readings_above", lambda a: a + 10**8, "which must be from 0 to 117658"),
    ("relative", "readings_counts", lambda a: a * 0, "which must be from 1"),
    ("relative", "weights", lambda a: -a, "which must be from 0 to 1"),
    ("relative", "weights", lambda a: a * 0, "sums to 0.0, not to 1"),
    ("relative", "eta", lambda a: a * 0 - 3, "has -3.0 at (), which must be from 0 to 50"),
    ("relative", "unseen", lambda a: a * 0 - 1, "which must be from"),
    ("relative", "null", lambda a: a * 0 + 2, "has 2.0 at (0,), which must be from 0 to 1"),
    ("relative", "jump_null", lambda a: a * 0 + 5, "has 5.0 at (), which must be from 0 to 1"),
    ("relative", "jump_table", lambda a: a / 2, "sums to"),
    ("relative", "table_longer", lambda a: a[::-1].copy(), "is not in order"),
    ("relative", "frequency", lambda a: a - 10**8, "which must be from 0"),
    ("relative", "counts", lambda a: a[:5], "is float64 (5,), not float64"),
    ("relative", "counts", lambda a: a * 1e4, "`totals` has"),
    ("relative", "totals", lambda a: a * 0, "`totals` has 0.0 at"),
    ("relative", "words", lambda a: a[: len(a) // 2], "words and 12 stems of words"),
    ("gaussian", "jump_standard_deviation", lambda a: a * 0, "which must be from 0.29"),
    ("exponential", "jump_backward", lambda a: a - 99, "which must be from 0 to 30"),
    ("syntax", "jump_factors", lambda a: a[:-1], "`jump_factors` is float64"),
    ("syntax", "jump_labels", lambda a: a[:-1], "`jump_factors` is float64"),
    ("syntax", "jump_factors", lambda a: a * 0, "has 0.0 at (0, 0), which must be from 1e-22 to 1"),
    ("syntax", "jump_next_word", lambda a: a * np.inf, "has inf at (), which must be from 1e-22"),
    ("syntax-counts", "jump_factors", lambda a: a / 2, "sums to 0.5"),
    ("syntax-counts", "jump_labels", lambda a: a[:-1], "`jump_factors` is float64"),
    ("2004", "stems_longer", lambda a: a + 10**8, "which must be from -1"),
    ("2004", "stems_partners", lambda a: a[::-1].copy(), "is not in order"),
    ("2004", "stem_totals", lambda a: a * 0, "`stem_totals` has 0.0 at"),
]


def save(path, arrays):
    np.savez(path, **arrays)
    return path


def load(path):
    with np.load(path) as file:
        return dict(file)


@pytest.mark.parametrize(("jump", "name", "change", "message"), WRONG)
def test_an_array_that_does_not_fit_its_model_is_named(models, tmp_path, jump, name, change, message):
    path = tmp_path / "model.npz"
    models[jump].save(path)
    arrays = load(path)
    save(path, arrays | {name: change(arrays[name])})
    with pytest.raises(InputError, match="again with `vorlage train`") as error:
        Model.load(path)
    assert message in str(error.value) and "\n" not in str(error.value)


# Of any array, these make a file that is refused.
ANY_WRONG = {
    "halved": lambda a: a[: len(a) // 2] if a.ndim else a[None],
    "rows in rows": lambda a: a[None],
    "strings": lambda a: a.astype("U9") if a.dtype.kind != "U" else a.astype("S9"),
    "complex": lambda a: np.zeros(a.shape, complex),
    "another order of bytes": lambda a: a.astype(a.dtype.newbyteorder()) if a.itemsize > 1 else a[None],
    "far below": lambda a: (a - 1e8).astype(a.dtype) if a.dtype.kind in "if" else a[None],
    "no number": lambda a: np.full(a.shape, np.nan),
}


@pytest.mark.parametrize("jump", [*JUMPS, "2004"])
@pytest.mark.parametrize("change", ANY_WRONG.values(), ids=ANY_WRONG)
def test_every_array_is_checked(models, tmp_path, jump, change):
    path = tmp_path / "model.npz"
    dataclasses.replace(models[jump], reverse=models["2004" if jump == "2004" else "relative"]).save(path)
    arrays = load(path)
    for name, array in arrays.items():
        save(path, arrays | {name: change(array)})
        with pytest.raises(InputError) as error:
            print(name)
            Model.load(path)
        assert str(error.value).startswith(f"{path}: not a model") and "\n" not in str(error.value)


@pytest.mark.parametrize(
    "fields",
    [
        *({"language": language} for language in (5, "../..", "english")),
        *({"jump": jump} for jump in ("os", 5, "gaussian")),
        *({"settings": settings} for settings in (5, {"beam": 2}, {"beem": 1}, {"encoder": True})),
        *({"origin": origin} for origin in (5, {"corpus": 5, "fingerprint": ""})),
        *({"parser": parser} for parser in (5, {"backend": "os"})),
        *({"encoder": encoder} for encoder in (5, {"layer": 4})),
        {"more": 1},
    ],
    ids=str,
)
def test_what_a_model_says_about_itself_is_checked(models, tmp_path, fields):
    path = tmp_path / "model.npz"
    models["relative"].save(path)
    arrays = load(path)
    about = json.loads(bytes(arrays["about"])) | fields
    save(path, arrays | {"about": np.frombuffer(json.dumps(about).encode() + b"\n", np.uint8)})
    with pytest.raises(InputError, match="again with `vorlage train`") as error:
        Model.load(path)
    assert "\n" not in str(error.value)


def test_the_two_directions_fit_each_other(models, tmp_path):
    path = tmp_path / "model.npz"
    for reverse in ("syntax", "2004"):
        dataclasses.replace(models["relative"], reverse=models[reverse]).save(path)
        with pytest.raises(InputError, match="the settings of its two directions differ"):
            Model.load(path)
