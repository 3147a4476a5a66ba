"""The small corpus that hostile files take the place of."""

import hostile_world
import pytest


@pytest.fixture(scope="session")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("made")
    hostile_world.build(folder)
    return folder


@pytest.fixture
def world(made, tmp_path):
    """A copy of the small corpus that may be spoiled."""
    return hostile_world.copy(made, tmp_path)
