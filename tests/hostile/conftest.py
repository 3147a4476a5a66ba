"""A small corpus whose files the tests replace by hostile ones."""

import hostile_world
import pytest


@pytest.fixture(scope="session")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("made")
    hostile_world.build(folder)
    return folder


@pytest.fixture
def world(made, tmp_path):
    """Return a copy of the small corpus that a test may change."""
    return hostile_world.copy(made, tmp_path)
