"""Downloads of benepar's models: `vorlage fetch-parser --name benepar_en3 --output FOLDER`.

benepar downloads a model through NLTK's downloader, which checks the file against its index.
"""

import io
import shutil
import tempfile
from pathlib import Path

from vorlage.command.errors import InputError, command
from vorlage.command.options import CommandParser
from vorlage.command.progress import log
from vorlage.files.outputs import replacing_folder
from vorlage.types import StrPath


def fetch(name: str, folder: StrPath) -> None:
    """Download the model `name` to `folder`, whole or not at all.

    Raise `InputError` if the model, the network or benepar is missing.
    """
    try:
        import benepar
    except ImportError as error:
        raise InputError(f"benepar cannot be imported ({error}); install it with `make benepar`") from None
    with tempfile.TemporaryDirectory() as temporary:
        try:
            benepar.download(
                name,
                download_dir=temporary,
                quiet=True,
                raise_on_error=True,
                print_error_to=io.StringIO(),
            )
        except (ValueError, OSError) as error:
            raise InputError(
                f"the benepar model {name} cannot be downloaded ({error}); check its name and the network, "
                "or set `parse.benepar_model` to the path of a model"
            ) from None
        model = Path(temporary, "models", name)
        if not model.is_dir():
            raise InputError(
                f"the download of the benepar model {name} contains no folder models/{name}; "
                "set `parse.benepar_model` to the path of a model, and report this"
            )
        with replacing_folder(folder) as new:
            shutil.copytree(model, new, dirs_exist_ok=True)


@command
def main(arguments: list[str] | None = None) -> None:
    """Download one of benepar's models."""
    parser = CommandParser("fetch-parser", main)
    parser.add_argument("--name", required=True, help="name of the model, such as benepar_en3")
    parser.add_argument("--output", required=True, help="folder to write")
    options = parser.parse(arguments)
    fetch(options.name, options.output)
    log.info(f"{options.name}: downloaded to {options.output}")
