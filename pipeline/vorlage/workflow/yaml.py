"""YAML files, in which a key that is repeated is an error."""

from typing import Any

import yaml

from vorlage.command.errors import InputError
from vorlage.files.inputs import read_text
from vorlage.types import StrPath


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
