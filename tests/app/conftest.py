"""The app with the model of the package."""

import pytest
from asgi import TOKEN, Client
from vorlage import load_model
from vorlage.app.app import make_app
from vorlage.app.opening import open_paths
from vorlage.app.security import LOOPBACK


@pytest.fixture(scope="session")
def model():
    return load_model()


@pytest.fixture(scope="session")
def make_client(model):
    """A function that returns a client of the app with these paths opened."""

    def make(*paths, **rules):
        opened = open_paths([str(path) for path in paths])
        return Client(
            make_app(rules.pop("model", model), opened, token=TOKEN, **{"names": LOOPBACK, **rules})
        )

    return make


@pytest.fixture(scope="session")
def client(make_client):
    return make_client()
