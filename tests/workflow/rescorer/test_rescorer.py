"""The decoder `rescored`: its features, its trees, and the command that fits them."""

import json
from dataclasses import replace

import numpy as np
import pytest
from printers import PAIRS
from vorlage import InputError, load_model
from vorlage.cli.main import main
from vorlage.documents.pair import read_pairs
from vorlage.semihmm.decode.load import open_aligner
from vorlage.text.words import is_stop_word, stem
from vorlage.workflow.rescorer.rescorer import NAMES, Rescorer, make_cells, word_class


def naive_features(pair, pair_input, links):
    """Return the features of each cell by name, one at a time; the cell is a key."""
    words = pair.summary.words, [pair.document.words[i] for i in pair_input.positions]
    cosines = None if pair_input.pair.contexts is None else pair_input.pair.contexts.astype(float)
    rows, columns = links.shape
    inside = [(t, j) for t in range(rows) for j in range(columns)]

    def value(table, t, j):
        return table[t, j] if (t, j) in set(inside) else 0.0

    def others(table, t, j):
        row = [table[t, other] for other in range(columns) if other != j]
        column = [table[other, j] for other in range(rows) if other != t]
        return max(row, default=-1), max(column, default=-1)

    def word(side, place):
        return words[side][place] if 0 <= place < len(words[side]) else None

    cells = {}
    for t, j in inside:
        beside = [(t + a, j + b) for a in (-1, 0, 1) for b in (-1, 0, 1) if a or b]
        if links[t, j] <= 0.002 and not any(value(links, *cell) > 0.5 for cell in beside):
            continue
        cell = {"posterior": links[t, j]}
        cell["row_other"], cell["column_other"] = others(links, t, j)
        cell["row_rest"] = links[t].sum() - links[t, j]
        cell["column_rest"] = links[:, j].sum() - links[t, j]
        for name in NAMES:
            if name.startswith("posterior") and name != "posterior":
                cell[name] = value(links, t + int(name[9:11]), j + int(name[11:]))
        cell["equal"] = words[0][t].lower() == words[1][j].lower()
        for step in (-1, 0, 1):
            pairs = word(0, t + step), word(1, j + step)
            cell[f"stem{step:+}"] = None not in pairs and stem(pairs[0]) == stem(pairs[1])
            for side, place in (("summary", t), ("document", j)):
                near = word(side == "document", place + step)
                cell[f"{side}_class{step:+}"] = -1 if near is None else word_class(near, "en")
        cell["summary_information"] = pair_input.information[t]
        cell["document_information"] = pair_input.document_information[j]
        for name in NAMES[-5:]:
            cell[name] = 0.0
        if cosines is not None:
            row, column = others(cosines, t, j)
            cell["cosine"] = cosines[t, j]
            cell["cosine_row"], cell["cosine_column"] = cosines[t, j] - row, cosines[t, j] - column
            cell["cosine-1"], cell["cosine+1"] = value(cosines, t - 1, j - 1), value(cosines, t + 1, j + 1)
        cells[t, j] = [cell[name] for name in NAMES]
    return cells


@pytest.mark.parametrize("encoder", [False, True])
def test_features_are_those_of_the_definition(printers, encoder):
    aligner = open_aligner(printers / "model.npz")
    pair = next(read_pairs(printers / "corpus/corpus.jsonl"))
    [pair_input] = aligner.prepare([(pair, [0, 2])])
    links = next(aligner.posteriors([pair_input], whole=True))[1].links.dense()
    if encoder:
        cosines = np.random.default_rng(1).uniform(-1, 1, links.shape).astype(np.float16)
        pair_input = pair_input._replace(pair=replace(pair_input.pair, contexts=cosines))
    cells = make_cells(pair, pair_input, links)
    expected = naive_features(pair, pair_input, links)
    assert list(zip(cells.rows.tolist(), cells.columns.tolist(), strict=True)) == list(expected)
    np.testing.assert_allclose(cells.features, list(expected.values()), rtol=1e-5, atol=1e-6)


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
    options |= {"--output": output}
    return ["fit-rescorer", *(str(part) for option in options.items() for part in option)]


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


def test_pairs_whose_gold_was_used_are_announced(printers, rescorer, caplog):
    model = load_model(printers / "model.npz")
    for pair in (PAIRS[8], PAIRS[0], PAIRS[1]):
        model.align(pair["document"], pair["summary"], decoder="rescored", rescorer=str(rescorer))
        assert len(caplog.messages) == (pair != PAIRS[8])
    assert "fitted to the gold" in caplog.text


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


def test_trees_that_have_changed_are_refused(rescorer, tmp_path):
    with np.load(rescorer) as file:
        arrays = dict(file)
    text = arrays["rescorer"].tobytes().replace(b"leaf_value=", b"leaf_value=1", 1)
    np.savez(tmp_path / "wrong.npz", rescorer=np.frombuffer(text, dtype=np.uint8))
    with pytest.raises(InputError, match="wrong.npz: not a rescorer.*trees have changed"):
        Rescorer.load(tmp_path / "wrong.npz")
