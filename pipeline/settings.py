"""Settings: one schema for the config file, the command lines and the defaults.

``pipeline/config.schema.yaml`` says what each setting is. Here it validates a config with a
one-line error, fills in defaults, and becomes the options of a stage's command.
"""

import argparse
import contextlib
import json
import math
import re
import shlex
from functools import lru_cache
from pathlib import Path

import yaml
from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match

from pipeline.io.yaml import parse_yaml
from pipeline.run.errors import InputError

SCHEMA = Path(__file__).with_name("config.schema.yaml")
SEMIHMM = "semihmm-"
SHARED = ("benchmarks", "benepar", "encoders", "logs", "parses", "wordnet")
# Settings that name files. Snakemake takes braces for wildcards and cannot print line breaks.
PATHS = ("corpus.path", "corpus.gold", "parse.trees", "parse.benepar_model", "giza.path", "embed.model")
UNFIT = re.compile(r"^-|[{}\x00-\x1f\x7f\ud800-\udfff]")


@lru_cache(maxsize=1)
def schema():
    """The config schema as a dict."""
    return yaml.safe_load(SCHEMA.read_text(encoding="utf-8"))


def complete(config):
    """Validate a config (nested dicts) and return it with every default filled in.

    Raises :class:`InputError` naming the key for anything the schema does not allow, and for a system
    whose jump model is not among those to train.
    """
    config = _completed(schema(), config)
    for system in config["systems"]:
        if system.startswith(SEMIHMM) and system.removeprefix(SEMIHMM) not in config["semihmm"]["jumps"]:
            raise InputError(
                f"config: `systems` has {system} but `semihmm.jumps` does not have "
                f"{system.removeprefix(SEMIHMM)}; add it there or leave the system out"
            )
    return config


def check_paths(config):
    """Raise :class:`InputError` for a path in the completed ``config`` that a command cannot be given."""
    for key in PATHS:
        section, _, name = key.partition(".")
        path = config[section][name]
        if path and UNFIT.search(path):
            raise InputError(
                f"config: `{key}` is {json.dumps(path)}; begin it with `./` where it begins with `-`, "
                "and rename what has braces or control characters in its name"
            )


def check_corpus(corpus):
    """Raise :class:`InputError` unless the files of the section ``corpus`` are there.

    Its name must not be that of a folder of ``results/`` that all corpora share.
    """
    for key in ("path", "gold"):
        if corpus[key] and not Path(corpus[key]).exists():
            raise InputError(
                f"config: `corpus.{key}` is {corpus[key]}, which is not there; "
                f"a relative path starts at the working directory, {Path.cwd()}"
            )
    if corpus["name"] in SHARED:
        raise InputError(
            f"config: `corpus.name` is {corpus['name']}, a folder that corpora share; choose another"
        )


def check_parse(parse):
    """Raise :class:`InputError` unless the file is there that the section ``parse`` wants."""
    if parse["backend"] == "trees":
        if not parse["trees"]:
            raise InputError("config: `parse.trees` is missing; name your file of Penn bracketed trees")
        if not Path(parse["trees"]).is_file():
            raise InputError(f"config: `parse.trees` is {parse['trees']}, which is no file; check the path")
    model = parse["benepar_model"]
    if parse["backend"] == "benepar" and "/" in model and not Path(model).exists():
        raise InputError(f"config: `parse.benepar_model` is {model}, which is not there; check the path")


def section(name, values=None):
    """Validate the settings of one section (``"extract"``), defaults filled in."""
    part = {"type": "object", "properties": {name: schema()["properties"][name]}}
    return _completed(part, {name: values or {}})[name]


def read_by(reader, name="semihmm"):
    """Return the keys of section ``name`` that ``reader`` reads, in order: those whose ``read_by`` lists it."""
    rules = schema()["properties"][name]["properties"]
    return tuple(key for key, rule in rules.items() if reader in rule.get("read_by", ()))


def options(settings, only=None, without=()):
    """The command-line options that set ``settings`` (one section, completed), shell-quoted.

    ``only`` and ``without`` are keys of the section to take or to leave out. Nested settings get
    dotted names: ``--fake_counts.word 2``.
    """
    taken = {
        key: value for key, value in settings.items() if (only is None or key in only) and key not in without
    }
    return " ".join(f"--{name} {shlex.quote(_text(value))}" for name, value in _flat(taken))


def add_options(parser, name, only=None):
    """Add an option for each setting of section ``name`` (or those in ``only``) to an argparse parser."""
    group = parser.add_argument_group(f"settings of the stage ({name} in config.yaml)")
    for key, rule in _rules(schema()["properties"][name]):
        if only is None or key.partition(".")[0] in only:
            default = rule.get("default")
            group.add_argument(
                f"--{key}",
                metavar=key.rsplit(".", 1)[-1].upper(),
                dest=f"{name}/{key}",
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


def _completed(rule, value):
    value = _typed(rule, value)
    _check_finite(value)
    error = best_match(Draft202012Validator(rule).iter_errors(value))
    if error is not None:
        raise InputError(_explain(error))
    return _with_defaults(rule, value)


def _check_finite(value, where=""):
    """Raise :class:`InputError` for NaN, which is within all limits, and for infinities."""
    if isinstance(value, float) and not math.isfinite(value):
        raise InputError(f"config: `{where}` is {value}; give a finite number")
    for key, part in value.items() if isinstance(value, dict) else ():
        _check_finite(part, f"{where}.{key}".removeprefix("."))
    for part in value if isinstance(value, list) else ():
        _check_finite(part, where)


def _typed(rule, value):
    """``value`` with texts read as the number, truth value or list that ``rule`` wants, where they are one.

    Options are texts, so are values in Snakemake's ``--config``, and YAML takes 1e-5 for one.
    """
    if isinstance(value, dict):
        rules = rule.get("properties", {})
        return {key: _typed(rules.get(key, {}), part) for key, part in value.items()}
    if isinstance(value, list):
        return [_typed(rule.get("items", {}), part) for part in value]
    if value == "null" and "null" in rule.get("type", ()):
        return None
    if isinstance(value, str) and not Draft202012Validator(rule).is_valid(value):
        read = _value(value)
        return read if Draft202012Validator(rule).is_valid(read) else value
    return value


def _explain(error):
    while error.parent is not None:  # say what all the alternatives are, not why one of them fails
        error = error.parent
    where = ".".join(part for part in error.absolute_path if isinstance(part, str))
    if error.validator == "additionalProperties":
        known = error.schema["properties"]
        unknown = [key for key in error.instance if key not in known]
        place = f"{where}." if where else ""
        return f"config: unknown key `{place}{unknown[0]}`; known here: {', '.join(known)}"
    if error.validator == "required":
        missing = [key for key in error.validator_value if key not in error.instance]
        return f"config: `{'.'.join(filter(None, [where, missing[0]]))}` is missing; add it"
    given = f"config: `{where}` is {json.dumps(error.instance, default=str)}; "
    if error.validator == "pattern":
        return f"{given}it must be {error.schema['description']}"
    if error.validator == "uniqueItems":
        return f"{given}leave out what is there twice"
    return f"{given}it must be {_wanted(error.schema)}"


def _wanted(rule):
    """What a rule of the schema allows, in words."""
    if "anyOf" in rule:
        return " or ".join(_wanted(part) for part in rule["anyOf"])
    if "const" in rule:
        return str(rule["const"])
    if "enum" in rule:
        return f"one of: {', '.join(str(choice) for choice in rule['enum'])}"
    types = rule["type"] if isinstance(rule["type"], list) else [rule["type"]]
    names = {"array": "a list", "integer": "a whole number", "object": "a section of settings"}
    text = " or ".join(names.get(name, f"a {name}") for name in types if name != "null")
    limits = {
        "minimum": "at least {}",
        "exclusiveMinimum": "above {}",
        "maximum": "at most {}",
        "exclusiveMaximum": "below {}",
        "minItems": "of at least {} entries",
        "maxItems": "of at most {} entries",
    }
    stated = " and ".join(limits[key].format(rule[key]) for key in limits if key in rule)
    return " ".join(filter(None, [text, stated, "or null" if "null" in types else ""]))


def _with_defaults(rule, value):
    if isinstance(value, float) and "integer" in rule.get("type", ()):
        return int(value)  # JSON Schema takes 10.0 for an integer; range() does not
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


def _value(text):
    """The value of a text written in JSON, as :func:`_text` does, or in YAML; itself where it is neither."""
    for read in (json.loads, parse_yaml):
        with contextlib.suppress(ValueError, RecursionError, yaml.YAMLError):
            return read(text)
    return text
