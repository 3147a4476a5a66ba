"""Downloads an encoder, a judge or a parser: `vorlage fetch --encoder ORGANISATION/MODEL`, `--judge`.

Encoders and judges come from the Hugging Face hub, and benepar's parsers by its own downloader. Without
--output, they go where their name finds them: encoders and judges to the user's cache, a parser to results/
of the working directory.
"""

import shutil
import tempfile
from collections.abc import Sequence
from fnmatch import fnmatch
from pathlib import Path

from huggingface_hub import list_repo_files, snapshot_download

from vorlage.attribution.judges import NETWORKS
from vorlage.command.errors import InputError, command
from vorlage.command.options import CommandParser
from vorlage.command.progress import log
from vorlage.encoder.installed import (
    JUDGE,
    JUDGE_LICENCE,
    MULTILINGUAL,
    check_safetensors,
    fetched_folder,
)
from vorlage.files.outputs import replacing_folder
from vorlage.settings import fetched_parser

# Weights in other formats than safetensors are a pickle, which could run any code.
PATTERNS = ["*.json", "*.txt", "*.model", "*.safetensors"]


def fetch_encoder(name: str, folder: Path) -> None:
    """Download an encoder into a folder."""
    snapshot_download(name, local_dir=folder, allow_patterns=PATTERNS)
    shutil.rmtree(folder / ".cache", ignore_errors=True)
    check_safetensors(folder)


def fetch_judge(name: str, folder: Path) -> None:
    """Download a judge into a folder: its config, its tokenizer and its fastest network in ONNX."""
    patterns = [path for path in list_repo_files(name) if path.endswith(".onnx")]
    ranked = [path for form in NETWORKS for path in patterns if fnmatch(Path(path).name, form)]
    if not ranked:
        raise ValueError("it has no network in ONNX")
    snapshot_download(
        name, local_dir=folder, allow_patterns=["*.json", "*.txt", ranked[0]], ignore_patterns=["*/*.json"]
    )
    shutil.rmtree(folder / ".cache", ignore_errors=True)


def fetch_parser(name: str, folder: Path) -> None:
    """Download a model of benepar into a folder."""
    import benepar

    with tempfile.TemporaryDirectory() as temporary:
        benepar.download(name, download_dir=temporary, quiet=True, raise_on_error=True)
        shutil.copytree(Path(temporary, "models", name), folder, dirs_exist_ok=True)


@command
def main(arguments: Sequence[str] | None = None) -> None:
    """Download an encoder, a judge or a parser."""
    parser = CommandParser("fetch", main)
    names = parser.add_mutually_exclusive_group(required=True)
    names.add_argument("--encoder", metavar="NAME", help=f"name of an encoder, such as {MULTILINGUAL}")
    judge = f"name of a classifier of entailment with a network in ONNX (default: {JUDGE}, {JUDGE_LICENCE})"
    names.add_argument("--judge", metavar="NAME", nargs="?", const=JUDGE, help=judge)
    names.add_argument("--parser", metavar="NAME", help="name of a model of benepar, such as benepar_en3")
    parser.add_argument("--output", help="folder to write (default: where their name finds them)")
    options = parser.parse(arguments)
    if options.encoder:
        name, fetch, folder = options.encoder, fetch_encoder, fetched_folder(options.encoder)
    elif options.judge:
        name, fetch, folder = options.judge, fetch_judge, fetched_folder(options.judge, "judges")
    else:
        name, fetch, folder = options.parser, fetch_parser, Path(fetched_parser(options.parser))
    output = options.output or folder
    try:
        with replacing_folder(output) as written:
            fetch(name, written)
    except (OSError, ValueError) as error:
        cause: BaseException = error
        while below := cause.__cause__ or cause.__context__:
            cause = below  # the first cause is what the system said, such as that there is no network
        reason = getattr(cause, "strerror", None) or " ".join(str(error).split(". ")[0].split())[:200]
        other = ", or set `parse.backend: pattern`" if options.parser else ""
        raise InputError(
            f"{name} cannot be downloaded ({reason}); check its name and the network{other}"
        ) from None
    licence = f" ({JUDGE_LICENCE})" if name == JUDGE else ""
    log.info(f"{name}{licence}: downloaded to {output}")
