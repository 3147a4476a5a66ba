"""A model for the console command, trained on nine short pairs."""

import pytest
from printers import PAIRS, write_pairs
from vorlage.corpus import stage as corpus
from vorlage.extract import stage as extract
from vorlage.semihmm.train import stage as train


@pytest.fixture(scope="session")
def model(tmp_path_factory):
    """The path of a model without WordNet and encoder."""
    folder = tmp_path_factory.mktemp("model")
    pairs, made = write_pairs(folder / "pairs.jsonl"), str(folder / "corpus/corpus.jsonl")
    extracts, path = str(folder / "extracts.jsonl"), str(folder / "model.npz")
    corpus.main(["--reader", "jsonl", "--path", pairs, "--output", str(folder / "corpus")])
    extract.main(["--corpus", made, "--output", extracts, "--enabled", "false"])
    settings = ["--wordnet", "false", "--encoder", "false", "--iterations", "4"]
    train.main(
        ["--jump", "relative", "--corpus", made, "--extracts", extracts, *settings]
        + ["--model", path, "--em", str(folder / "em.tsv")]
    )
    return path


@pytest.fixture
def texts(tmp_path):
    """A document and its summary as files."""
    for name in ("document", "summary"):
        (tmp_path / f"{name}.txt").write_text(PAIRS[0][name] + "\n", encoding="utf-8")
    return str(tmp_path / "document.txt"), str(tmp_path / "summary.txt")
