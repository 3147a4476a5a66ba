"""The config of a run of the workflow, checked, and decided where it says `auto` or null."""

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

import yaml

from vorlage.command.errors import InputError
from vorlage.encoder.installed import find_model
from vorlage.files.inputs import read_text
from vorlage.settings import Embed, validate
from vorlage.types import StrPath
from vorlage.workflow.settings import Config, check_files
from vorlage.workflow.stages.corpus import with_languages


def load_config(values: dict[str, Any], *replacements: Mapping[str, Any]) -> Config:
    """Return the config of given sections, with what `auto` and null mean on this machine and for its corpus.

    The encoder and the parser are those that are installed, the languages those of the first pairs; WordNet
    is off unless both are English.

    Args:
        values: the sections, in which Snakemake has merged all files and options key by key.
        replacements: the sections of the user's files and options. The last `corpus` among them counts
            whole, so that the gold of another corpus does not stay.

    Raises:
        InputError: for a wrong setting and for a missing file.
    """
    for replacement in replacements:
        if "corpus" in replacement:
            values = values | {"corpus": replacement["corpus"]}
    encoder = find_model(validate(Embed, values.get("embed")).model) is not None
    config = validate(Config, values, encoder)
    with suppress(InputError):  # the corpus stage explains what is wrong with a corpus
        config = config.model_copy(update={"corpus": with_languages(config.corpus)})
    check_files(config)
    if not {config.corpus.language, config.corpus.document_language} - {"en", None}:
        return config
    return config.model_copy(update={"semihmm": config.semihmm.model_copy(update={"wordnet": False})})


def read_yaml(path: StrPath) -> Any:
    """Return the value of a YAML file; raise `InputError` for a file that is not valid YAML."""
    try:
        return yaml.load(read_text(path), _Loader)  # a safe loader
    except yaml.MarkedYAMLError as error:
        line = f", line {error.problem_mark.line + 1}" if error.problem_mark else ""
        raise InputError(
            f"{path}{line}: not valid YAML ({error.problem}); correct it or the line before"
        ) from None
    except (ValueError, RecursionError, yaml.YAMLError) as error:
        raise InputError(f"{path}: not valid YAML ({error}); correct it") from None


class _Loader(yaml.SafeLoader):
    """Refuses a key that occurs twice in a mapping."""

    def compose_mapping_node(self, anchor: Any) -> yaml.MappingNode:
        mapping: yaml.MappingNode = super().compose_mapping_node(anchor)
        keys = set()
        for key, _ in mapping.value:
            if (key.tag, str(key.value)) in keys:
                problem = f"the key `{key.value}` occurs twice"
                raise yaml.MarkedYAMLError(problem=problem, problem_mark=key.start_mark)
            keys.add((key.tag, str(key.value)))
        return mapping
