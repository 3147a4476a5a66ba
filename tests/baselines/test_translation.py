"""Translation models: sentence pairs, sil-thot compared with independent computations, the commands."""

import itertools
from collections import defaultdict

import numpy as np
import pytest
from nltk.translate import AlignedSent, IBMModel1
from toy_pairs import make_pair, run, write
from vorlage.extract.extracts import Extract
from vorlage.workflow.baselines import translation
from vorlage.workflow.baselines.bitext import make_bitext, sentence_pairs

TOY = [
    (document.split(), summary.split())
    for document, summary in [
        ("the house", "das haus"),
        ("the book", "das buch"),
        ("a book", "ein buch"),
        ("a red house", "ein rotes haus"),
    ]
]


PAIR = make_pair(
    ["One two three .", "Four five .", "Six ."], ["One six .", "Five", "Two three four five six ."]
)
EXTRACT = Extract("p", (0, 1, 2), ((2, 0, 1), (1,), (0, 1)))


def positions(sides):
    return [(pair.summary.tolist(), pair.document.tolist()) for pair in sides]


def test_a_summary_sentence_is_paired_with_its_document_sentences_in_document_order():
    assert positions(sentence_pairs(PAIR, EXTRACT, 200)) == [
        ([0, 1, 2], list(range(9))),
        ([3], [4, 5, 6]),
        ([4, 5, 6, 7, 8, 9], list(range(7))),
    ]


def test_sides_that_are_too_long_are_cut_and_nothing_is_left_out():
    assert positions(sentence_pairs(PAIR, EXTRACT, 5)) == [
        ([0, 1, 2], [7, 8]),  # the most similar sentence comes first; the next does not fit on the same side
        ([0, 1, 2], [0, 1, 2, 3]),
        ([0, 1, 2], [4, 5, 6]),
        ([3], [4, 5, 6]),
        ([4, 5, 6, 7, 8], [0, 1, 2, 3]),
        ([4, 5, 6, 7, 8], [4, 5, 6]),
        ([9], [0, 1, 2, 3]),
        ([9], [4, 5, 6]),
    ]
    # A sentence that is too long by itself.
    assert positions(sentence_pairs(PAIR, Extract("p", (0, 1, 2), ((0,), (), ())), 3)) == [
        ([0, 1, 2], [0, 1, 2]),
        ([0, 1, 2], [3]),
    ]


@pytest.fixture
def files(tmp_path):
    return write(tmp_path, [PAIR], [EXTRACT])


def test_each_word_is_added_as_a_pair_with_itself(files):
    pairs = make_bitext(files[1], files[3], 200)
    assert pairs[1] == (["four", "five", "."], ["five"])
    words = "one two three . four five six".split()
    assert pairs[3:] == [([word], [word]) for word in words]


def test_model_1_agrees_with_nltk():
    for source in ("doc", "sum"):
        model = translation.train("ibm1", TOY, source, 5, 1)
        turned = TOY if source == "doc" else [(s, d) for d, s in TOY]
        table = IBMModel1([AlignedSent(target, words) for words, target in turned], 5).translation_table
        seen = {(f, e) for words, target in turned for e in [None, *words] for f in target}
        for f, e in seen:
            number = 0 if e is None else model.get_src_word_index(e)
            found = model.translation_prob(number, model.get_trg_word_index(f))
            assert found == pytest.approx(table[f][e], rel=1e-4)


def enumerated(model, words, target):
    """Yield every state sequence of the HMM for a sentence pair, with its probability under `model`.

    Of n source words, state i ≤ n is word i and state i + n null after word i (Och & Ney 2003, Section 2.1).
    """
    length = len(words)
    source = [model.get_src_word_index(word) for word in words]
    for states in itertools.product(range(1, 2 * length + 1), repeat=len(target)):
        probability, previous = 1.0, 0
        for state, word in zip(states, target, strict=True):
            position = (state - 1) % length + 1
            if state > length and previous and position != previous:
                probability = 0.0  # null keeps the position
                break
            number = source[state - 1] if state <= length else 0
            probability *= model.hmm_alignment_prob(previous, length, state)
            probability *= model.translation_prob(number, model.get_trg_word_index(word))
            previous = position
        if probability:
            yield states, probability


def test_the_hmm_agrees_with_enumeration():
    """Compare the lexical table after an iteration of EM, and then the best alignments."""
    import thot.alignment

    first = translation.train("ibm1", TOY, "doc", 5, 1)
    model = thot.alignment.HmmAlignmentModel(first)
    model.start_training()
    lexical = defaultdict(lambda: defaultdict(float))
    for words, target in TOY:
        paths = list(enumerated(model, words, target))
        total = sum(probability for _, probability in paths)
        for states, probability in paths:
            for state, word in zip(states, target, strict=True):
                lexical[words[state - 1] if state <= len(words) else None][word] += probability / total
    model.train()
    for e, row in lexical.items():
        number = 0 if e is None else model.get_src_word_index(e)
        for f, count in row.items():
            found = model.translation_prob(number, model.get_trg_word_index(f))
            assert found == pytest.approx(count / sum(row.values()), rel=1e-3)
    model.end_training()
    for words, target in TOY:
        best, probability = max(enumerated(model, words, target), key=lambda path: path[1])
        expected = np.array([[state == i for i in range(1, len(words) + 1)] for state in best])
        assert (translation.best_links(model, words, target, "doc") == expected).all()
        found = model.get_best_alignment(words, target)[0]
        length = model.sentence_length_log_prob(len(words), len(target))
        assert found == pytest.approx(np.log(probability) + length, rel=1e-4)


def train(files, folder, name, source):
    """Train a model after the models that it starts from, and return its folder."""
    start = translation.START.get(name)
    start = ["--start", train(files, folder, start, source)] if start else files
    options = [
        "--model",
        name,
        "--source",
        source,
        "--iterations",
        3,
        "--output",
        folder / f"{name}-{source}",
    ]
    translation.main(list(map(str, [*options, *start])))
    return folder / f"{name}-{source}"


@pytest.mark.parametrize("source", ["doc", "sum"])
@pytest.mark.parametrize("name", translation.MODELS)
def test_two_runs_give_the_same_bytes_and_a_loaded_model_the_same_links(name, source, files, tmp_path):
    folder, other = (train(files, tmp_path / run, name, source) for run in "ab")
    contents = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert contents == {path.name: path.read_bytes() for path in other.iterdir()}

    start = translation.START.get(name)
    start = start and translation.load(start, tmp_path / "a" / f"{start}-{source}")
    pairs = make_bitext(files[1], files[3], 200)
    model = translation.train(name, pairs, source, 3, 1, start)
    loaded = translation.load(name, folder)
    for document, summary in pairs:
        expected = translation.best_links(model, document, summary, source)
        assert expected.shape == (len(summary), len(document))
        assert (translation.best_links(loaded, document, summary, source) == expected).all()


@pytest.mark.parametrize("source", ["doc", "sum"])
def test_links_are_those_of_the_sentence_pairs(source, files, tmp_path):
    folder = train(files, tmp_path, "hmm", source)
    (alignment,) = run(tmp_path, f"hmm-{source}", files, "--translation", folder)
    model, expected = translation.load("hmm", folder), set()
    for sides in sentence_pairs(PAIR, EXTRACT, 200):
        document = [PAIR.document.words[k].lower() for k in sides.document]
        summary = [PAIR.summary.words[k].lower() for k in sides.summary]
        for i, j in np.argwhere(translation.best_links(model, document, summary, source)).tolist():
            expected.add((int(sides.summary[i]), int(sides.document[j])))
    cells = [cell for link in alignment.links for cell in link.all_cells()]
    assert set(cells) == expected and len(cells) == len(expected) > 0
    assert {link.summary[0] for link in alignment.links} == set(range(len(PAIR.summary.words)))
    if source == "doc":
        assert len({i for i, _ in cells}) == len(cells)


def test_missing_or_wrong_options_end_with_one_line(files, tmp_path, stops):
    options = ["--source", "doc", "--output", tmp_path / "out"]
    folder = train(files, tmp_path, "ibm1", "doc")
    for command, arguments, message in [
        (translation.main, ["--model", "hmm"], "--start is missing: the training of hmm starts from ibm1"),
        (translation.main, ["--model", "ibm1"], "--corpus and --extracts are missing"),
        (translation.main, ["--model", "model4", "--start", folder], "no translation model hmm"),
        (translation.main, ["--model", "hmm", "--start", tmp_path], "no translation model ibm1"),
        (run, [tmp_path, "hmm-doc", files], "--translation is missing"),
    ]:
        given = arguments if command is run else [[*map(str, [*arguments, *options])]]
        assert message in stops(command, *given)
        assert not (tmp_path / "out").exists()
