"""A model of benepar's own: ``python -m pipeline.parse.fetch --name benepar_en3 --output FOLDER``.

The download is benepar's, through NLTK's downloader, which checks the file against its index.
"""

import argparse
import io

from pipeline.io.arrays import replacing_folder
from pipeline.io.outputs import scratch
from pipeline.run.errors import InputError, command
from pipeline.run.progress import log, start_log


def fetch(name, folder):
    """Download the model ``name`` to ``folder``, whole or not at all.

    Raises :class:`InputError` when there is no such model, no network or no benepar.
    """
    try:
        import benepar
    except ImportError as error:
        raise InputError(f"benepar cannot be imported ({error}); install it with `make benepar`") from None
    with scratch(folder) as temporary:
        try:
            benepar.download(
                name,
                download_dir=str(temporary),
                quiet=True,
                raise_on_error=True,
                print_error_to=io.StringIO(),
            )
        except (ValueError, OSError) as error:
            raise InputError(
                f"the benepar model {name} cannot be fetched ({error}); check its name and the network, "
                "or set `parse.benepar_model` to the path of a model"
            ) from None
        made = temporary / "models" / name
        if not made.is_dir():
            raise InputError(
                f"the download of the benepar model {name} holds no folder models/{name}; report it"
            )
        with replacing_folder(folder) as new:
            made.replace(new)


@command
def main(arguments=None):
    """Download a model of benepar's own."""
    parser = argparse.ArgumentParser(prog="python -m pipeline.parse.fetch", description=main.__doc__)
    parser.add_argument("--name", required=True, help="name of the model, such as benepar_en3")
    parser.add_argument("--output", required=True, help="folder to write")
    parser.add_argument("--log", help="log file (default: standard error)")
    options = parser.parse_args(arguments)
    start_log(options.log)
    fetch(options.name, options.output)
    log.info(f"{options.name}: fetched to {options.output}")


if __name__ == "__main__":
    main()
