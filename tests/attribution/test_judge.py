"""Judges that users bring: their numbers, their labels, what is wrong with a folder, and the command."""

import json
from importlib.util import find_spec

import numpy as np
import pytest
from attribution.judge_folders import PAIRS, TOKENS, write_judge
from scipy.special import expit, logit, softmax
from vorlage import InputError, load_model
from vorlage.attribution.judges import open_judge
from vorlage.attribution.support import MODEL
from vorlage.cli.main import main
from vorlage.encoder.installed import JUDGE, fetched_folder
from vorlage.semihmm.decode.load import SHIPPED

PAIR = "a cab . the b", "the c d ."
IDS = [2, 4, 6, 30, 31, 37, 36, 5, 3, 36, 6, 7, 37, 3]  # [CLS] a c ##a ##b . the b [SEP] the c d . [SEP]
WITHOUT = SHIPPED / "without-encoder.npz"
runtime = pytest.mark.skipif(
    find_spec("onnxruntime") is None,
    reason="onnxruntime is not installed; `make torch` installs it",
)


@runtime
@pytest.mark.parametrize(
    ("labels", "entailed", "contradicted"),
    [
        (("contradiction", "entailment", "neutral"), lambda p: p[1], lambda p: p[0]),
        (("entailment", "not_entailment"), lambda p: p[0], lambda p: p[1]),
        (("other", "contradiction"), lambda p: p[0], lambda p: p[1]),
        (("LABEL_0", "LABEL_1"), lambda p: p[1], lambda p: p[0]),
    ],
)
def test_a_classifier_of_pairs(labels, entailed, contradicted, tmp_path):
    table = write_judge(tmp_path, PAIRS, labels)
    expected = softmax(table[IDS].mean(axis=0)), softmax(table[[*IDS[:-2], 7, 3]].mean(axis=0))
    found = open_judge(str(tmp_path))([PAIR, ("a cab . the b", "the c d d")])
    for judgement, p in zip(found, expected, strict=True):
        assert judgement == pytest.approx((entailed(p), contradicted(p)), abs=1e-6)


@runtime
def test_a_classifier_with_one_output(tmp_path):
    table = write_judge(tmp_path, PAIRS, ["score"])
    expected = expit(table[IDS].mean())
    assert open_judge(str(tmp_path))([PAIR])[0] == pytest.approx((expected, 1 - expected), abs=1e-6)


@runtime
def test_a_classifier_of_pieces_is_as_sure_as_its_least_sure_piece(tmp_path, monkeypatch):
    monkeypatch.setattr("vorlage.attribution.judges.PROMPT", "{}")
    table = write_judge(tmp_path, TOKENS, ["LABEL_0", "LABEL_1"])
    expected = softmax(table[IDS[9:12]], axis=1)[:, 0].min()
    assert open_judge(str(tmp_path))([PAIR])[0] == pytest.approx((expected, 1 - expected), abs=1e-6)


def test_supported_is_a_function_of_links_findings_and_the_judge():
    with np.load(MODEL) as arrays:
        bias, null, finding, judge_bias, judge = arrays["sentence_without"]
    document = "The council approved 5 schools in May. Ana Roth opened the library."
    text = "The council approved 6 schools in May. Ana Roth opened the new library."
    for contradicted in (0.5, 0.95):
        model = load_model(WITHOUT, judge=lambda *_, p=contradicted: {"contradiction": p})
        found = model.attribute(document, text)
        for sentence, is_found in zip(found.sentences, (1, 0), strict=True):
            odds = bias + null * np.log(1 - sentence.linked + 0.01) + finding * is_found
            odds += judge_bias + judge * max(logit(contradicted) - 2, 0)
            assert sentence.supported == pytest.approx(expit(-odds), abs=1e-9)
        (number,) = [word for word in found.words if text[slice(*word.text)] == "6"]
        assert number.supported <= found.sentences[0].supported < 0.5
    assert found.supported == found.sentences[0].supported


@runtime
def test_the_fastest_network_of_a_folder_is_taken(tmp_path):
    write_judge(tmp_path)
    first = open_judge(str(tmp_path))([PAIR])
    (tmp_path / "onnx").mkdir()
    (tmp_path / "model.onnx").rename(tmp_path / "onnx/model_quint8_avx2.onnx")
    (tmp_path / "model.onnx").write_bytes(b"not read")
    assert open_judge(str(tmp_path))([PAIR]) == first


@pytest.mark.parametrize(
    ("said", "expected"),
    [(0.75, (0.75, 0.25)), ({"entailment": 0.5, "neutral": 0.3, "contradiction": 0.2}, (0.5, 0.2))],
)
def test_a_function_is_a_judge(said, expected):
    assert open_judge(lambda sources, sentence: said)([PAIR]) == [pytest.approx(expected)]


@pytest.mark.parametrize("said", ["yes", 85, float("nan"), None, {"neutral": 1.0}])
def test_a_function_that_says_something_else_is_an_error(said):
    with pytest.raises(InputError, match="the judge returned .*; return a probability of support"):
        open_judge(lambda sources, sentence: said)([PAIR])


def error_of(name):
    with pytest.raises(InputError) as error:
        open_judge(str(name))
    assert "\n" not in str(error.value)
    return str(error.value)


def test_what_is_wrong_with_a_judge_is_named(tmp_path, monkeypatch):
    assert "is neither a folder nor downloaded; download it with" in error_of("we/none")
    write_judge(tmp_path, labels=["yes", "no"])
    assert "its labels are yes, no; name the one that means supported" in error_of(tmp_path)
    config = tmp_path / "config.json"
    config.write_text(json.dumps(json.loads(config.read_text()) | {"architectures": ["BertModel"]}))
    assert "its architecture is BertModel; choose a judge" in error_of(tmp_path)
    write_judge(tmp_path)
    (tmp_path / "model.onnx").write_bytes(b"no")
    with monkeypatch.context() as patch:
        patch.setitem(__import__("sys").modules, "onnxruntime", None)
        message = 'onnxruntime is not installed; install it with `pip install "vorlage[judge]"`'
        assert message in error_of(tmp_path)
    (tmp_path / "model.onnx").unlink()
    assert "has no network, such as model.onnx; export the judge" in error_of(tmp_path)


@runtime
def test_a_file_that_is_no_network_is_named(tmp_path):
    write_judge(tmp_path)
    (tmp_path / "model.onnx").write_bytes(b"no")
    assert "model.onnx: cannot be read as ONNX" in error_of(tmp_path)


@runtime
def test_the_command_shows_what_a_judge_says(tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    fetched_folder(JUDGE, "judges").mkdir(parents=True)
    write_judge(fetched_folder(JUDGE, "judges"))  # is used unasked
    document, text = "the cab ran . a bed fell . it was dead .", "the cab ran . a bad fed ."
    for name, content in (("document.txt", document), ("text.txt", text)):
        (tmp_path / name).write_text(content)
    command = [
        "attribute",
        str(tmp_path / "document.txt"),
        str(tmp_path / "text.txt"),
        "--model",
        str(WITHOUT),
    ]
    main([*command, "--json"])
    record = json.loads(capsys.readouterr().out)
    first, second = judged = [sentence["judged"] for sentence in record["sentences"]]
    assert first != second and all(0 < value < 1 for value in judged)
    assert all(0 < sentence["contradicted"] < 1 for sentence in record["sentences"])
    main(command)
    assert f"{second:.2f} supported, according to the judge" in capsys.readouterr().out
    main([*command, "--judge", "none", "--json"])
    assert "judged" not in json.loads(capsys.readouterr().out)["sentences"][0]


def test_a_judge_finds_the_clause_that_is_contradicted():
    def judge(sources, sentence):
        return {"entailment": 0.0, "contradiction": 0.99 if "cheap" in sentence else 0.05}

    document = "The bridge opened in May. It was costly to build."
    text = "The bridge opened in May, although it was cheap."
    found = load_model(WITHOUT, judge=judge).attribute(document, text)
    (part,) = (part for part in found.unsupported if part.kind == "judge")
    assert "cheap" in part.quote and "opened" not in part.quote and part.severity == 2
    (sentence,) = found.sentences
    assert sentence.verdict == "unsupported" and sentence.contradicted == pytest.approx(0.99)
    quiet = load_model(WITHOUT, judge=None).attribute(
        "The bridge opened in May. It was costly to build.", text
    )
    assert sentence.supported < quiet.sentences[0].supported


def test_a_judge_reads_the_sentence_before_each_of_several_sources():
    read = []

    def judge(sources, sentence):
        read.append(sources)
        return 1.0

    model = load_model(WITHOUT, judge=judge)
    mill, sold = "The mill stands by the river.", "It sold 300 boats in March."
    school, runs = "A school opened.", "Ines Okafor runs it with two teachers."
    document = " ".join([mill, sold, school, runs])
    model.attribute(document, "The mill sold 300 boats in March.")
    model.attribute(document, "It sold 300 boats in March, and Ines Okafor runs it with two teachers.")
    model.attribute({"a": sold, "b": runs}, "It sold 300 boats in March, and Ines Okafor runs it.")
    assert read == [sold, document, f"{sold} {runs}"]
