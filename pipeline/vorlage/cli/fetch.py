"""Downloads an encoder or a parser: `vorlage fetch --encoder ORGANISATION/MODEL`.

Encoders come from the Hugging Face hub, and benepar's parsers by its own downloader. Without --output, they
go where their name finds them: an encoder to the user's cache, a parser to results/ of the working directory.
"""

import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path

from huggingface_hub import snapshot_download

from vorlage.command.errors import InputError, command
from vorlage.command.options import CommandParser
from vorlage.command.progress import log
from vorlage.encoder.installed import MULTILINGUAL, check_safetensors, fetched_folder
from vorlage.files.outputs import replacing_folder
from vorlage.settings import fetched_parser

# Weights in other formats than safetensors are a pickle, which could run any code.
PATTERNS = ["*.json", "*.txt", "*.model", "*.safetensors"]


def fetch_encoder(name: str, folder: Path) -> None:
    """Download an encoder into a folder."""
    snapshot_download(name, local_dir=folder, allow_patterns=PATTERNS)
    shutil.rmtree(folder / ".cache", ignore_errors=True)
    check_safetensors(folder)


def fetch_parser(name: str, folder: Path) -> None:
    """Download a model of benepar into a folder."""
    import benepar

    with tempfile.TemporaryDirectory() as temporary:
        benepar.download(name, download_dir=temporary, quiet=True, raise_on_error=True)
        shutil.copytree(Path(temporary, "models", name), folder, dirs_exist_ok=True)


@command
def main(arguments: Sequence[str] | None = None) -> None:
    """Download an encoder or a parser."""
    parser = CommandParser("fetch", main)
    names = parser.add_mutually_exclusive_group(required=True)
    names.add_argument("--encoder", metavar="NAME", help=f"name of an encoder, such as {MULTILINGUAL}")
    names.add_argument("--parser", metavar="NAME", help="name of a model of benepar, such as benepar_en3")
    parser.add_argument("--output", help="folder to write (default: where their name finds them)")
    options = parser.parse(arguments)
    name, fetch = options.encoder or options.parser, fetch_encoder if options.encoder else fetch_parser
    output = options.output or (fetched_folder(name) if options.encoder else fetched_parser(name))
    try:
        with replacing_folder(output) as folder:
            fetch(name, folder)
    except (OSError, ValueError) as error:
        reason = " ".join(str(error).split(". ")[0].split())[:200]
        other = ", or set `parse.backend: pattern`" if options.parser else ""
        raise InputError(
            f"{name} cannot be downloaded ({reason}); check its name and the network{other}"
        ) from None
    log.info(f"{name}: downloaded to {output}")
