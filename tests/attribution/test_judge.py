"""Judges that users bring: their numbers, their labels, what is wrong with a folder, and the command."""

import json

import numpy as np
import pytest
from attribution.judge_folders import PAIRS, TOKENS, change_weights, onnx_model, write_judge
from encoder.networks import PIECES, hidden_states
from scipy.special import softmax
from vorlage import InputError, load_model
from vorlage.attribution.judges import open_judge
from vorlage.cli.main import main
from vorlage.semihmm.decode.load import SHIPPED

SOURCES, SENTENCE = ["a cab .", "the b"], "the c d ."
IDS = [2, 4, 6, 30, 31, 37, 36, 5, 3, 36, 6, 7, 37, 3]  # [CLS] a c ##a ##b . the b [SEP] the c d . [SEP]
TYPES = [0] * 9 + [1] * 5
ROBERTA = "RobertaForSequenceClassification"


def expected_logits(config, weights, head, ids, types, first=0):
    """Return the logits of the last layer as transformers computes them."""
    states = hidden_states(config, weights, ids, first, types)[-1]
    names = [name.removesuffix(".weight") for name in head if name.endswith(".weight")]
    if len(names) == 2:
        states = np.tanh(head[f"{names[0]}.weight"] @ states[0] + head[f"{names[0]}.bias"])
    return states @ head[f"{names[-1]}.weight"].T + head[f"{names[-1]}.bias"]


@pytest.mark.parametrize(("architecture", "first"), [(PAIRS, 0), (ROBERTA, 2)])
def test_a_classifier_of_pairs_is_that_of_the_paper(architecture, first, tmp_path):
    config, weights, head = write_judge(tmp_path, architecture)
    logits = expected_logits(config, weights, head, IDS, TYPES, first)
    assert open_judge(str(tmp_path)).supported(SOURCES, SENTENCE) == pytest.approx(
        softmax(logits)[1], abs=1e-5
    )


def test_a_classifier_of_pieces_gives_characters(tmp_path, monkeypatch):
    monkeypatch.setattr("vorlage.attribution.judges.PROMPT", "{}")
    config, weights, head = write_judge(tmp_path, TOKENS, ["LABEL_0", "LABEL_1"])
    judge = open_judge(str(tmp_path))
    expected = softmax(expected_logits(config, weights, head, IDS, TYPES), axis=1)[9:-1, 1]
    spans, values = zip(*judge.hallucinated(SOURCES, SENTENCE), strict=True)
    assert [SENTENCE[slice(*span)] for span in spans] == ["the", "c", "d", "."]
    np.testing.assert_allclose(values, expected, atol=1e-5)
    assert judge.supported(SOURCES, SENTENCE) == pytest.approx(1 - expected[:3].max(), abs=1e-5)


@pytest.mark.embed
@pytest.mark.parametrize("architecture", [PAIRS, TOKENS, ROBERTA])
def test_judges_are_those_of_torch(architecture, tmp_path):
    torch = pytest.importorskip("torch", reason="torch is not installed; `make torch` installs it")
    transformers = pytest.importorskip("transformers", reason="`make torch` installs transformers")
    write_judge(tmp_path, architecture, type_vocab_size=2)
    model = getattr(transformers, architecture).from_pretrained(tmp_path).eval()
    judge = open_judge(str(tmp_path))
    text = judge._tokenizer.encode(" ".join(SOURCES), SENTENCE)
    assert (text.ids, text.type_ids) == (IDS, TYPES)
    with torch.inference_mode():
        logits = model(torch.tensor([IDS]), token_type_ids=torch.tensor([TYPES])).logits[0]
    np.testing.assert_allclose(judge._network.logits(text), logits, atol=1e-4)


WRONG = {
    "architecture": ({"architectures": ["BertModel"]}, {}, "its architecture is BertModel; choose a judge"),
    "labels": ({}, {"labels": ["yes", "no"]}, "its labels are yes, no; name the one that means supported"),
    "form": (
        {"model_type": "deberta-v2"},
        {},
        "has neither model.safetensors of the form of BERT nor model.onnx",
    ),
    "head": ({}, {"weights": {"classifier.weight": None}}, "a judge whose weights lack its head"),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_what_is_wrong_with_a_judge_is_named(wrong, tmp_path):
    config, parts, message = WRONG[wrong]
    write_judge(tmp_path, **{"labels": parts["labels"]} if "labels" in parts else {})
    path = tmp_path / "config.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | config))
    change_weights(tmp_path, parts.get("weights", {}))
    assert message in error_of(tmp_path)


def error_of(name):
    with pytest.raises(InputError) as error:
        open_judge(str(name))
    assert "\n" not in str(error.value)
    return str(error.value)


@pytest.mark.parametrize("architecture", [PAIRS, TOKENS])
def test_other_networks_are_run_by_onnxruntime(architecture, tmp_path, monkeypatch):
    pytest.importorskip("onnxruntime", reason="onnxruntime is not installed; `make torch` installs it")
    monkeypatch.setattr("vorlage.attribution.judges.PROMPT", "{}")
    write_judge(tmp_path, architecture, ["supported", "other"], model_type="deberta-v2")
    table = np.random.default_rng(3).normal(size=(len(PIECES), 2)).astype(np.float32)
    (tmp_path / "onnx").mkdir()
    (tmp_path / "onnx/model.onnx").write_bytes(onnx_model(table, architecture == TOKENS))
    if architecture == TOKENS:
        expected = softmax(table[IDS[9:12]], axis=1)[:, 0].min()
    else:
        expected = softmax(table[IDS].mean(axis=0))[0]
    assert open_judge(str(tmp_path)).supported(SOURCES, SENTENCE) == pytest.approx(expected, abs=1e-6)
    (tmp_path / "onnx/model.onnx").write_bytes(b"no")
    assert "model.onnx: cannot be read as ONNX" in error_of(tmp_path)


def test_a_missing_onnxruntime_is_named(tmp_path, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "onnxruntime", None)
    write_judge(tmp_path, model_type="modernbert")
    (tmp_path / "model.onnx").touch()
    assert 'onnxruntime is not installed; install it with `pip install "vorlage[judge]"`' in error_of(
        tmp_path
    )


def test_the_command_shows_what_a_judge_says(tmp_path, capsys):
    write_judge(tmp_path / "judge")
    document, text = "the cab ran . a bed fell . it was dead .", "the cab ran . a bad fed ."
    for name, content in (("document.txt", document), ("text.txt", text)):
        (tmp_path / name).write_text(content)
    command = ["attribute", str(tmp_path / "document.txt"), str(tmp_path / "text.txt")]
    command += ["--model", str(SHIPPED / "without-encoder.npz"), "--judge", str(tmp_path / "judge")]
    main([*command, "--json"])
    record = json.loads(capsys.readouterr().out)
    first, second = judged = [sentence["judged"] for sentence in record["sentences"]]
    assert first != second and all(0 < value < 1 for value in judged)
    main(command)
    assert f"{second:.2f} supported, according to the judge" in capsys.readouterr().out
    main([*command, "--tsv"])
    rows = [line.split("\t") for line in capsys.readouterr().out.splitlines()]
    assert rows[0][-1] == "judged" and {row[-1] for row in rows[1:]} <= {f"{value:.6f}" for value in judged}
    model = load_model(SHIPPED / "without-encoder.npz", judge=tmp_path / "judge")
    shown = model.attribute(document, text).viewer_data()["sentences"]
    assert [sentence["judged"] for sentence in shown] == [round(value, 3) for value in judged]
