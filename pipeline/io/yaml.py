"""Config files read strictly: what YAML lets pass in silence, or would unfold without end, is refused."""

import yaml

from pipeline.io.inputs import not_utf8, open_file
from pipeline.run.errors import InputError

MOST = 10_000  # values, with those that aliases repeat


def read_yaml(path):
    """What a YAML file holds; raises :class:`InputError` for another file.

    Refused as well are a key that comes twice in a mapping, and aliases that repeat so much, or themselves,
    that there are more than ``MOST`` values.
    """
    with open_file(path, encoding="utf-8-sig") as file:
        try:
            return parse_yaml(file.read())
        except UnicodeDecodeError:
            raise not_utf8(path) from None
        except yaml.MarkedYAMLError as error:
            line = f", line {error.problem_mark.line + 1}" if error.problem_mark else ""
            raise InputError(f"{path}{line}: not valid YAML ({error.problem}); correct it") from None
        except (ValueError, RecursionError, yaml.YAMLError) as error:
            why = "nested too deep" if isinstance(error, RecursionError) else error
            raise InputError(f"{path}: not valid YAML ({why}); correct it") from None


def parse_yaml(text):
    """The value of a text in YAML; raises ValueError, RecursionError or YAMLError."""
    loader = yaml.SafeLoader(text)
    try:
        node = loader.get_single_node()
        if node is None:
            return None
        _check(node, {})
        return loader.construct_document(node)
    finally:
        loader.dispose()


def _check(node, sizes):
    """How many values there are below a node, which an alias repeats; ``sizes``: of nodes met before."""
    if id(node) in sizes:
        if sizes[id(node)] is None:
            raise ValueError("an alias stands inside of what it repeats")
        return sizes[id(node)]
    sizes[id(node)] = None
    parts = []
    if isinstance(node, yaml.MappingNode):
        seen = set()
        for key, _ in node.value:
            if isinstance(key, yaml.ScalarNode) and (key.tag, key.value) in seen:
                raise yaml.MarkedYAMLError(
                    problem=f"the key `{key.value}` comes twice", problem_mark=key.start_mark
                )
            seen.add((key.tag, key.value) if isinstance(key, yaml.ScalarNode) else id(key))
        parts = [part for pair in node.value for part in pair]
    elif isinstance(node, yaml.SequenceNode):
        parts = node.value
    size = sizes[id(node)] = 1 + sum(_check(part, sizes) for part in parts)
    if size > MOST:
        raise ValueError(f"more than {MOST} values, with those that aliases repeat")
    return size
