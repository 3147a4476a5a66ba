"""Configs that are broken or hostile, given to the command that people run: ``snakemake``."""

import os

import pytest
from hostile_configs import CORPUS, NO_YAML
from toy import Toy

DEEP = {
    "lists": "[" * 100_000,
    "closed lists": "seed: " + "[" * 100_000 + "]" * 100_000,
    "mappings": "{a: " * 3000 + "1" + "}" * 3000,
    "JSON": '{"a": ' * 3000 + "1" + "}" * 3000,
    "indented": "".join(" " * depth + "a:\n" for depth in range(400)),
    "byte": b"\xff",
    "many": "# " + "x" * 2_000_000,
    "template": f"__use_yte__: true\n{CORPUS}seed: ?__import__('pathlib').Path('RAN').touch()\n",
}
LONG = {
    "path": "corpus: {name: mine, reader: jsonl, path: %s}\n" % ("x" * 100_000),
    "gold": "corpus: {name: mine, reader: jsonl, path: toy.jsonl, gold: %s}\n" % ("x" * 3000),
    "name in a path": "corpus: {name: mine, reader: jsonl, path: %s}\n" % ("x" * 300),
    "trees": f"parse: {{backend: trees, trees: {'x' * 300}}}\n",
    "model": f"embed: {{model: {'x/' * 600}}}\n",
    "parser": f"parse: {{backend: benepar, benepar_model: ./{'x' * 300}}}\n",
    "window": f"cutpaste: {{window: {10**30}}}\n",
    "bootstrap": f"score: {{bootstrap: {10**18}}}\n",
}


@pytest.fixture(scope="module")
def toy(tmp_path_factory):
    """Return the toy without results."""
    return Toy(tmp_path_factory.mktemp("configs"))


def one_error(toy, outcome):
    """Check that a run ended with one line of error, and changed nothing."""
    lines = [line for line in outcome.text.splitlines() if line.startswith("error: ")]
    assert outcome.status == 1 and len(lines) == 1, outcome.text[:3000]
    assert "Traceback" not in outcome.text and len(outcome.text) < 4000
    assert not (toy.folder / "RAN").exists() and not (toy.folder / "results").exists()
    return lines[0]


@pytest.mark.guarantee("config")
@pytest.mark.parametrize("name", [*NO_YAML, *DEEP])
def test_snakemake_refuses_configs_that_are_no_yaml(toy, name):
    content = DEEP.get(name) or NO_YAML[name][0]
    path = toy.folder / "user.yaml"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    assert "user.yaml" in one_error(toy, toy.bare("-n", "--configfile", "user.yaml"))


@pytest.mark.guarantee("config")
@pytest.mark.parametrize("name", ["lists", "byte", "template"])
def test_snakemake_refuses_them_as_the_config_of_the_project_and_beside_others(toy, name):
    content = DEEP[name] if isinstance(DEEP[name], bytes) else DEEP[name].encode()
    (toy.folder / "user.yaml").write_bytes(content)
    for arguments in (["--configfile=user.yaml"], ["--configfiles", toy.write_config(), "user.yaml", "-q"]):
        assert "user.yaml" in one_error(toy, toy.bare("-n", *arguments))
    before = (toy.folder / "config.yaml").read_bytes()
    try:
        (toy.folder / "config.yaml").write_bytes(content)
        assert "config.yaml" in one_error(toy, toy.bare("-n"))
    finally:
        (toy.folder / "config.yaml").write_bytes(before)


@pytest.mark.guarantee("config")
def test_snakemake_refuses_configs_that_are_no_files(toy):
    os.mkfifo(toy.folder / "pipe.yaml")
    for name in ("pipe.yaml", "/dev/zero", "workflow"):
        assert name in one_error(toy, toy.bare("-n", "--configfile", name))


@pytest.mark.guarantee("config")
@pytest.mark.parametrize("name", LONG)
def test_snakemake_refuses_paths_and_numbers_that_are_too_long(toy, name):
    (toy.folder / "user.yaml").write_text(LONG[name])
    text = one_error(toy, toy.bare("-n", "--configfile", toy.write_config(), "user.yaml"))
    assert "config: `" in text
