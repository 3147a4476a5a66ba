"""Config files, read strictly: YAML that repeats a key or expands without end is refused."""

from typing import Any

import yaml

from vorlage.command.errors import InputError
from vorlage.files.inputs import open_file, utf8_error
from vorlage.types import StrPath

MOST = 10_000  # values, including those that aliases repeat
DEEPEST = 30  # levels of lists and mappings


def read_yaml(path: StrPath) -> Any:
    """Return the value of a YAML file; raise `InputError` for a file that is not valid YAML.

    Also refuses a key that occurs twice in a mapping, an alias inside the value it repeats, and more than
    `MOST` values or `DEEPEST` levels.
    """
    with open_file(path, encoding="utf-8-sig") as file:
        try:
            return parse_yaml(file.read())
        except UnicodeDecodeError:
            raise utf8_error(path) from None
        except yaml.MarkedYAMLError as error:
            line = f", line {error.problem_mark.line + 1}" if error.problem_mark else ""
            raise InputError(f"{path}{line}: not valid YAML ({error.problem}); correct it") from None
        except (ValueError, RecursionError, yaml.YAMLError) as error:
            why = "nested too deeply" if isinstance(error, RecursionError) else error
            raise InputError(f"{path}: not valid YAML ({why}); correct it") from None


def parse_yaml(text: str) -> Any:
    """Return the value of a text in YAML; raise ValueError, RecursionError or YAMLError."""
    loader = yaml.SafeLoader(text)
    try:
        node = loader.get_single_node()
        if node is None:
            return None
        _count_values(node, {}, DEEPEST)
        return loader.construct_document(node)
    finally:
        loader.dispose()


def _count_values(node: yaml.Node, counts: dict[int, int | None], depth: int) -> int:
    """Return the number of values in a node, with aliases expanded; raise what `parse_yaml` refuses.

    `depth`: how many levels the node may have. `counts` has the number for each node that was visited,
    by its id, and None while it is being visited.
    """
    if depth < 0:
        raise RecursionError
    if id(node) in counts:
        known = counts[id(node)]
        if known is None:
            raise ValueError("an alias is inside the value that it repeats")
        return known
    counts[id(node)] = None
    parts: list[yaml.Node] = []
    if isinstance(node, yaml.MappingNode):
        _check_keys(node)
        parts = [part for pair in node.value for part in pair]
    elif isinstance(node, yaml.SequenceNode):
        parts = node.value
    count = counts[id(node)] = 1 + sum(_count_values(part, counts, depth - 1) for part in parts)
    if count > MOST:
        raise ValueError(f"more than {MOST} values, including those that aliases repeat")
    return count


def _check_keys(mapping: yaml.MappingNode) -> None:
    """Raise MarkedYAMLError for a key that occurs twice in a mapping."""
    seen = set()
    for key, _ in mapping.value:
        if isinstance(key, yaml.ScalarNode):
            if (key.tag, key.value) in seen:
                problem = f"the key `{key.value}` occurs twice"
                raise yaml.MarkedYAMLError(problem=problem, problem_mark=key.start_mark)
            seen.add((key.tag, key.value))
