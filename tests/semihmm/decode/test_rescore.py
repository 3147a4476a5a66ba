"""The decoder `rescored`: its features, its trees, and the command that fits them."""

import json

import numpy as np
import pytest
from printers import PAIRS
from vorlage import InputError, load_model
from vorlage.cli.main import main
from vorlage.corpus.pair import read_pairs
from vorlage.semihmm.decode.rescore import Rescorer
from vorlage.text.words import is_stop_word


def content_links(pair):
    """Return the links of equal words that are no stop words; a word occurs once in these documents."""
    places = {word.lower(): place for place, word in enumerate(pair.document.words) if not is_stop_word(word)}
    words = [word.lower() for word in pair.summary.words]
    return {(t, places[word]) for t, word in enumerate(words) if word in places and word != "printer"}


def write_gold(path, pairs, sure=True):
    """Write gold of content words alone."""
    golds = [
        {
            "id": pair.id,
            "alignments": [
                {"summary": [t, t + 1], "document": [j, j + 1], "sure": sure}
                for t, j in sorted(content_links(pair))
            ],
        }
        for pair in pairs
    ]
    path.write_text("".join(json.dumps(gold) + "\n" for gold in golds))
    return str(path)


@pytest.fixture(scope="module")
def rescorer(printers, tmp_path_factory):
    folder = tmp_path_factory.mktemp("gold")
    pairs = list(read_pairs(printers / "corpus/corpus.jsonl"))
    gold = write_gold(folder / "gold.jsonl", pairs[:8])
    main(train_options(printers, gold, folder / "rescorer.npz"))
    return folder / "rescorer.npz"


def train_options(printers, gold, output):
    options = {
        "--gold": gold,
        "--corpus": printers / "corpus/corpus.jsonl",
        "--model": printers / "model.npz",
    }
    return ["train", *(str(part) for option in (options | {"--output": output}).items() for part in option)]


def test_the_command_fits_a_rescorer_that_aligns_as_the_gold_does(printers, rescorer):
    model = load_model(printers / "model.npz")
    usual = model.align(PAIRS[8]["document"], PAIRS[8]["summary"])
    rescored = model.align(
        PAIRS[8]["document"], PAIRS[8]["summary"], decoder="rescored", rescorer=str(rescorer)
    )
    content = content_links(rescored.pair)
    assert set(rescored.alignment.word_links()) == content < set(usual.alignment.word_links())
    assert rescored.alignment.system == "semihmm-relative (trained with gold)"
    assert rescored.alignment.nulls == usual.alignment.nulls
    np.testing.assert_array_equal(rescored.posteriors, usual.posteriors)
    assert all(0 < link.posterior <= 1 for link in rescored.alignment.links)


@pytest.mark.parametrize(
    ("pairs", "sure", "message"),
    [(9, False, "no sure links"), (3, True, "3 documents"), (0, True, "no gold")],
)
def test_gold_that_is_not_enough_is_refused(printers, tmp_path, stops, pairs, sure, message):
    corpus = list(read_pairs(printers / "corpus/corpus.jsonl"))
    gold = write_gold(tmp_path / "gold.jsonl", corpus[:pairs], sure)
    assert message in stops(main, train_options(printers, gold, tmp_path / "rescorer.npz"))
    assert not (tmp_path / "rescorer.npz").exists()


def test_rescorers_that_do_not_fit_are_refused(printers, rescorer, tmp_path):
    model = load_model(printers / "model.npz")
    other = Rescorer.load(rescorer)
    other.encoder["model"] = "another"
    other.save(tmp_path / "other.npz")
    for path in ("other.npz", "missing.npz"):
        with pytest.raises(InputError, match=path):
            model.align("A b.", "A.", decoder="rescored", rescorer=str(tmp_path / path))
    with pytest.raises(InputError, match=r"model\.npz"):
        model.align("A b.", "A.", decoder="rescored", rescorer=str(printers / "model.npz"))
    with pytest.raises(InputError, match="semihmm.rescorer"):
        model.align("A b.", "A.", decoder="rescored")
