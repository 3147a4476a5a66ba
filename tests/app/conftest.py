"""The app with the model of the package."""

import pytest
from app_requests import TOKEN, Client
from vorlage import load_model
from vorlage.app.app import make_app
from vorlage.app.corpus_files import CorpusFiles


@pytest.fixture(scope="session")
def model():
    return load_model()


@pytest.fixture(scope="session")
def make_client(model):
    """A function that returns a client of the app; its arguments are those of `CorpusFiles`, or none."""

    def make(*paths, model=model, hosts=("127.0.0.1", "[::1]", "localhost")):
        return Client(make_app(model, CorpusFiles(*paths) if paths else None, [], TOKEN, hosts))

    return make


@pytest.fixture(scope="session")
def client(make_client):
    return make_client()
