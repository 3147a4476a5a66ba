"""A check of config files before Snakemake reads them, which ends with a traceback for some of them.

Snakemake reads those of ``--configfile`` before it reads the Snakefile, but after its profile: so
``workflow/profiles/default/config.yaml`` calls :func:`check_named_configs`, and the Snakefile calls
:func:`check_configs` for its own config.
"""

import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from pipeline.io.yaml import read_yaml
from pipeline.run.errors import InputError, one_line

# Snakemake takes any beginning of an option that no other option has.
OPTIONS = ("--configfile", "--configfiles")
SHORTEST = len("--configf")
TEMPLATE = "__use_yte__"


def check_named_configs(arguments: Sequence[str]) -> None:
    """Exit with one line unless the config files that the arguments of Snakemake name can be read."""
    check_configs(_named(arguments))


def check_configs(paths: Iterable[str]) -> None:
    """Exit with one line for a config that is not valid YAML, or is a template, which could run code.

    Snakemake reports a file that does not exist.
    """
    try:
        for path in paths:
            config = read_yaml(path) if Path(path).exists() else None
            if isinstance(config, dict) and config.get(TEMPLATE):
                raise InputError(f"{path}: is a template ({TEMPLATE}), which is not run; write its values")
    except (InputError, OSError) as error:
        sys.exit(f"error: {one_line(str(error))}")


def _named(arguments: Sequence[str]) -> Iterator[str]:
    """Yield the files that follow ``--configfile``, or ``--configfile=`` and one file."""
    named = False
    for argument in arguments:
        option, equals, value = argument.partition("=")
        if argument.startswith("-"):
            named = len(option) >= SHORTEST and any(full.startswith(option) for full in OPTIONS)
            if named and equals:
                yield value
        elif named:
            yield argument
