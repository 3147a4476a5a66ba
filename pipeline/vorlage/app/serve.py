"""Open the app: `vorlage serve`, or `vorlage serve`."""

import argparse
import errno
import os
import secrets
import socket
import sys
import threading
import webbrowser
from collections.abc import Sequence
from ipaddress import ip_address

import uvicorn
from starlette.routing import Route

from vorlage.api import TrainedModel, load_model
from vorlage.app.annotate.annotation_task import open_task
from vorlage.app.annotate.routes import routes
from vorlage.app.app import make_app
from vorlage.app.opened import Opened
from vorlage.app.opening import open_paths
from vorlage.app.security import LOOPBACK
from vorlage.command.errors import InputError, command
from vorlage.command.options import CommandParser
from vorlage.semihmm.kernels.compile import is_compiled

LAST_PORT = 65535
TOKEN_BYTES = 24
ENDING_SECONDS = 1  # that a request has to end in when the app ends


@command
def main(arguments: list[str] | None = None) -> None:
    """Open the app in the browser: paste or drop a document and a text, and see where the text comes from."""
    parser = CommandParser("serve", main, log=False)
    parser.add_argument(
        "paths",
        nargs="*",
        metavar="PATH",
        help="a folder of results, or JSON lines: pairs, and alignments, gold or sources of them",
    )
    parser.add_argument("--port", type=int, default=8000, help="0 takes a free one (default: 8000)")
    parser.add_argument(
        "--host", default="127.0.0.1", help="address to listen on (default: this machine alone)"
    )
    parser.add_argument("--no-browser", action="store_true", help="only print the address")
    parser.add_argument(
        "--model", metavar="FILE", help="a trained model, model.npz (default: the one supplied)"
    )
    parser.add_argument(
        "--gold", metavar="FILE", help="annotate the corpus: a gold file to write, which need not exist yet"
    )
    parser.add_argument(
        "--align",
        action="store_true",
        help="with --gold: align the corpus, to start from and to order it by doubt",
    )
    parser.add_argument(
        "--tokenized", action="store_true", help="with --gold: spaces separate tokens in the corpus"
    )
    parser.add_argument(
        "--language", default="en", help="with --gold: language of the texts, two letters (default: en)"
    )
    options = parser.parse(arguments)
    with _listen(options.host, options.port) as listener:
        _serve(options, listener)


def _serve(options: argparse.Namespace, listener: socket.socket) -> None:
    opened = open_paths(options.paths)
    model = load_model(*filter(None, [options.model]))
    annotation = _annotation(options, opened, model)
    bound, port = ip_address(listener.getsockname()[0]), listener.getsockname()[1]
    host = "localhost" if bound.is_unspecified else options.host
    token = secrets.token_urlsafe(TOKEN_BYTES)
    names = {*LOOPBACK, host}
    config = uvicorn.Config(
        make_app(model, opened, annotation, token=token, names=names, addresses=bound.is_unspecified),
        http="h11",
        ws="none",
        lifespan="off",
        log_config=None,
        log_level="critical",  # the app logs its errors itself, and a request that is cut off is none
        access_log=False,
        proxy_headers=False,
        server_header=False,
        timeout_graceful_shutdown=ENDING_SECONDS,
    )
    address = f"http://{f'[{host}]' if ':' in host else host}:{port}/?token={token}"
    if not bound.is_loopback:
        print(
            f"warning: --host {options.host}: others on the network can reach the app; nothing is encrypted, "
            "and whoever has the token can read what is opened",
            file=sys.stderr,
        )
    if not is_compiled():
        print("compiling the model, which takes about a minute; an answer waits for it", file=sys.stderr)
        threading.Thread(target=model.attribute, args=("A text.", "A text."), daemon=True).start()
    print(address, flush=True)
    if not options.no_browser and _has_screen():
        threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()
    uvicorn.Server(config).run(sockets=[listener])


def _annotation(options: argparse.Namespace, opened: Sequence[Opened], model: TrainedModel) -> list[Route]:
    """Return the routes of the annotation page, none without `--gold`."""
    if not options.gold:
        return []
    corpora = [(one.corpus.path, one.systems) for one in opened if one.corpus and not one.sources]
    if len(corpora) != 1:
        raise InputError(
            f"--gold {options.gold}: {len(corpora)} corpora are opened; name the one to annotate"
        )
    [(corpus, systems)] = corpora
    alignments = [file.path for file in systems]
    align = (lambda pair: model.align_pair(pair).alignment) if options.align else None
    return routes(open_task(corpus, options.gold, alignments, options.tokenized, options.language, align))


def _listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens; raise `InputError` if that is not possible."""
    if not 0 <= port <= LAST_PORT:
        raise InputError(f"--port is {port}; give a number from 0 to {LAST_PORT}")
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        return socket.create_server((host, port), family=family)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise InputError(f"--port {port}: is in use; choose another one, or 0 for any free one") from None
        raise InputError(
            f"--host {host}, --port {port}: {error.strerror or error}; choose another address"
        ) from None


def _has_screen() -> bool:
    """Return whether a browser can open a window; one that runs in the terminal would take it over."""
    return sys.platform in ("darwin", "win32") or any(map(os.environ.get, ("DISPLAY", "WAYLAND_DISPLAY")))
