import pytest
from toy import Toy


@pytest.fixture(scope="session")
def toy(tmp_path_factory):
    """A copy of the project in which the whole workflow has run once."""
    toy = Toy(tmp_path_factory.mktemp("toy"))
    outcome = toy.snakemake("--cores", "2")
    assert outcome.status == 0, outcome.text
    return toy
