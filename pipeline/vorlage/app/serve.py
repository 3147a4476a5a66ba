"""Open the app: `vorlage serve`."""

import argparse
import os
import secrets
import socket
import sys
import threading
import webbrowser

import uvicorn

from vorlage.api import load_model
from vorlage.app.annotate.annotation_task import AnnotationTask
from vorlage.app.annotate.routes import annotation_routes
from vorlage.app.app import make_app
from vorlage.app.corpus_files import add_corpus_options, open_corpus
from vorlage.command.errors import InputError, command
from vorlage.command.options import CommandParser

if sys.platform != "win32":
    import resource

LAST_PORT = 65535
TOKEN_BYTES = 24
LOOPBACK = ("127.0.0.1", "[::1]", "localhost")
ANYWHERE = ("0.0.0.0", "::")
MAX_OPEN = 10_000  # files and connections, where the system lets the user raise the limit
ENDING_SECONDS = 1  # that a request has to end in when the app ends


@command
def main(arguments: list[str] | None = None) -> None:
    """Open the app in the browser: paste or drop a document and a text, and see where the text comes from."""
    parser = CommandParser("serve", main, log=False)
    parser.add_argument("corpus", nargs="?", help="show its pairs: a folder of results, or JSON lines")
    parser.add_argument("--port", type=int, default=8000, help="0 takes a free one (default: 8000)")
    host = "address to listen on (default: this machine alone)"
    parser.add_argument("--host", default="127.0.0.1", help=host)
    parser.add_argument("--no-browser", action="store_true", help="only print the address")
    parser.add_argument("--model", metavar="FILE", help="a trained model (default: the one supplied)")
    add_corpus_options(parser)
    options = parser.parse(arguments)
    with _open_listener(options.host, options.port) as listener:
        _serve(options, listener)


def _serve(options: argparse.Namespace, listener: socket.socket) -> None:
    corpus = open_corpus(options) if options.corpus else None
    if not corpus and (options.alignments or options.gold):
        raise InputError("--alignments and --gold are for a corpus; name its file or its folder of results")
    print("starting …", file=sys.stderr)
    model = load_model(*filter(None, [options.model]))
    host = "localhost" if options.host in ANYWHERE else options.host
    host = f"[{host}]" if ":" in host else host
    hosts = ["*"] if options.host in ANYWHERE else [*LOOPBACK, host]
    token = os.environ.get("VORLAGE_TOKEN") or secrets.token_urlsafe(TOKEN_BYTES)
    annotation = []
    if corpus and options.gold:
        annotation = annotation_routes(AnnotationTask(corpus, options.gold, model if options.align else None))
    config = uvicorn.Config(
        make_app(model, corpus, annotation, token, hosts),
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
    if host not in LOOPBACK or options.host in ANYWHERE:
        print(
            f"warning: --host {options.host}: others on the network can reach the app; nothing is encrypted, "
            "and whoever has the token can read what is opened",
            file=sys.stderr,
        )
    # So that the first answer waits neither for compilation nor for tables.
    threading.Thread(target=model.attribute, args=("A text.", "A text."), daemon=True).start()
    address = f"http://{host}:{listener.getsockname()[1]}/?token={token}"
    print(address, flush=True)
    print("Ctrl-C stops the app.", file=sys.stderr)
    # A browser that runs in the terminal would take it over.
    screen = any(map(os.environ.get, ("DISPLAY", "WAYLAND_DISPLAY"))) or sys.platform in ("darwin", "win32")
    if screen and not options.no_browser:
        threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()
    if sys.platform != "win32":
        # With the usual limit of 1,024 or 256, connections that send nothing would keep others out.
        _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, MAX_OPEN), hard))
    uvicorn.Server(config).run(sockets=[listener])


def _open_listener(host: str, port: int) -> socket.socket:
    """Return a socket that listens; raise `InputError` if that is not possible."""
    if not 0 <= port <= LAST_PORT:
        raise InputError(f"--port is {port}; give a number from 0 to {LAST_PORT}")
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        return socket.create_server((host, port), family=family)
    except OSError as error:
        raise InputError(
            f"--host {host}, --port {port}: {error.strerror or error}; choose another address, or port 0 for "
            "any free one"
        ) from None
