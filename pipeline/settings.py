"""Settings: one schema for the config file, the command lines and the defaults.

``workflow/schemas/config.schema.yaml`` says what each setting is. Here it validates a config with a
one-line error, fills in defaults, and becomes the options of a stage's command.
"""

import argparse
import json
import shlex
from functools import lru_cache
from pathlib import Path

import yaml
from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match

from pipeline.errors import InputError

SCHEMA = Path(__file__).parents[1] / "workflow" / "schemas" / "config.schema.yaml"


@lru_cache(maxsize=1)
def schema():
    """The config schema as a dict."""
    return yaml.safe_load(SCHEMA.read_text(encoding="utf-8"))


def complete(config):
    """Validate a config (nested dicts) and return it with every default filled in.

    Raises :class:`InputError` naming the key for anything the schema does not allow.
    """
    error = best_match(Draft202012Validator(schema()).iter_errors(config))
    if error is not None:
        raise InputError(_explain(error))
    return _with_defaults(schema(), config)


def section(name, values=None):
    """Validate the settings of one section (``"extract"``), defaults filled in."""
    part = {"properties": {name: schema()["properties"][name]}}
    error = best_match(Draft202012Validator(part).iter_errors({name: values or {}}))
    if error is not None:
        raise InputError(_explain(error))
    return _with_defaults(part["properties"][name], values or {})


def options(settings):
    """The command-line options that set ``settings`` (one section, completed), shell-quoted.

    Nested settings get dotted names: ``--fake_counts.word 2``.
    """
    return " ".join(f"--{name} {shlex.quote(_text(value))}" for name, value in _flat(settings))


def add_options(parser, name, only=None):
    """Add an option for each setting of section ``name`` (or those in ``only``) to an argparse parser."""
    group = parser.add_argument_group(f"settings of the stage ({name} in config.yaml)")
    for key, rule in _rules(schema()["properties"][name]):
        if only is None or key in only:
            default = rule.get("default")
            group.add_argument(
                f"--{key}",
                metavar=key.rsplit(".", 1)[-1].upper(),
                dest=f"{name}/{key}",
                type=yaml.safe_load,
                default=argparse.SUPPRESS,
                help=f"{rule.get('description', '')} (default: {json.dumps(default)})".replace("%", "%%"),
            )


def from_options(arguments, name):
    """The completed settings of section ``name`` from parsed arguments of :func:`add_options`."""
    values = {}
    for key, value in vars(arguments).items():
        if key.startswith(f"{name}/"):
            *path, last = key.split("/", 1)[1].split(".")
            place = values
            for part in path:
                place = place.setdefault(part, {})
            place[last] = value
    return section(name, values)


def _explain(error):
    where = ".".join(str(part) for part in error.absolute_path)
    if error.validator == "additionalProperties":
        known = error.schema["properties"]
        unknown = [key for key in error.instance if key not in known]
        place = f"{where}." if where else ""
        return f"config: unknown key `{place}{unknown[0]}`; known here: {', '.join(known)}"
    if error.validator == "enum":
        choices = ", ".join(str(choice) for choice in error.validator_value)
        return f"config: `{where}` is {error.instance!r}; choose one of: {choices}"
    if error.validator == "required":
        missing = [key for key in error.validator_value if key not in error.instance]
        return f"config: `{'.'.join(filter(None, [where, missing[0]]))}` is missing; add it"
    return f"config: `{where}`: {error.message}"


def _with_defaults(rule, value):
    if rule.get("type") != "object":
        return value
    filled = {}
    for key, part in rule["properties"].items():
        if key in value or "default" in part:
            filled[key] = _with_defaults(part, value.get(key, part.get("default")))
    return filled


def _rules(rule, prefix=""):
    for key, part in rule["properties"].items():
        if part.get("type") == "object":
            yield from _rules(part, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}", part


def _flat(settings, prefix=""):
    for key, value in settings.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}", value


def _text(value):
    return value if isinstance(value, str) else json.dumps(value)
