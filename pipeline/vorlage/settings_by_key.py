"""Settings: one schema for the config file, the command lines and the defaults.

`config.schema.yaml` says what each setting is. This module validates a config against it with
one-line errors, fills in the defaults, and turns each setting into an option of a stage's command.
"""

import argparse
import contextlib
import json
import math
import os
import re
import shlex
from collections.abc import Collection, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeAlias, cast

import yaml
from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError, best_match

from vorlage.command.errors import InputError
from vorlage.files.yaml import parse_yaml
from vorlage.types import JsonObject

Rule: TypeAlias = Mapping[str, Any]  # a part of the schema

SCHEMA = Path(__file__).with_name("config.schema.yaml")
SEMIHMM = "semihmm-"
SHARED = ("benchmarks", "benepar", "encoders", "field", "logs")
# Settings that name files. Snakemake takes braces for wildcards and cannot print line breaks.
PATHS = ["corpus.path", "corpus.gold", "parse.trees", "parse.benepar_model", "giza.path"]
PATHS += ["embed.model", "field.data"]
# The limits of a rule, in words.
LIMITS = {
    **{"minimum": "at least {}", "exclusiveMinimum": "above {}", "maximum": "at most {}"},
    "exclusiveMaximum": "below {}",
    **{"minItems": "of at least {} entries", "maxItems": "of at most {} entries"},
    "maxLength": "of at most {} characters",
}
UNFIT = re.compile(r"^-|[{}\x00-\x1f\x7f\ud800-\udfff]")


@lru_cache(maxsize=1)
def schema() -> JsonObject:
    """Return the config schema."""
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # the one in C is not in every build
    return cast(JsonObject, loader(SCHEMA.read_text(encoding="utf-8")).get_single_data())


def complete(config: JsonObject, encoder: bool = False) -> JsonObject:
    """Validate a config and return it with all defaults filled in.

    `encoder`: what `semihmm.encoder: auto` becomes. Raise `InputError` naming the key for anything
    that the schema does not allow, and for a system whose jump model is not trained.
    """
    config = _complete(schema(), config, encoder)
    for system in config["systems"]:
        if system.startswith(SEMIHMM) and system.removeprefix(SEMIHMM) not in config["semihmm"]["jumps"]:
            raise InputError(
                f"config: `systems` has {system} but `semihmm.jumps` does not have "
                f"{system.removeprefix(SEMIHMM)}; add it there or remove the system"
            )
    return config


def check_paths(config: JsonObject) -> None:
    """Raise `InputError` for a path in the completed `config` that no command line can contain."""
    for key in PATHS:
        section, _, name = key.partition(".")
        path = config[section][name]
        if path and UNFIT.search(path):
            raise InputError(
                f"config: `{key}` is {json.dumps(path)}; write `./` before a leading `-`, "
                "and rename a file with braces or control characters in its name"
            )


def check_corpus(corpus: JsonObject) -> None:
    """Raise `InputError` unless the files of the section `corpus` exist.

    Its name must differ from the folders of `results/` that all corpora share.
    """
    for key in ("path", "gold"):
        if corpus[key] and not os.path.exists(corpus[key]):
            raise InputError(
                f"config: `corpus.{key}` is {corpus[key]}, which does not exist; "
                f"a relative path starts at the working directory, {Path.cwd()}"
            )
    if corpus["name"] in SHARED:
        raise InputError(f"config: `corpus.name` is {corpus['name']}, a folder of all corpora; rename it")


def check_parse(config: JsonObject) -> None:
    """Raise `InputError` unless the parser has its file and reads the language of the corpus."""
    parse, language = config["parse"], config["corpus"]["language"]
    backend, model = parse["backend"], parse["benepar_model"]
    if backend == "trees":
        if not parse["trees"]:
            raise InputError("config: `parse.trees` is missing; name your file of Penn bracketed trees")
        if not os.path.isfile(parse["trees"]):
            raise InputError(f"config: `parse.trees` is {parse['trees']}, which is not a file; check it")
    if backend == "benepar" and "/" in model and not os.path.exists(model):
        raise InputError(f"config: `parse.benepar_model` is {model}, which does not exist; check the path")
    if backend == "pattern" and language != "en" and "syntax" in config["semihmm"]["jumps"]:
        raise InputError(
            f"config: `corpus.language` is {language}, but the parser `pattern` reads English alone; remove "
            "syntax from `semihmm.jumps` and semihmm-syntax from `systems`, or give trees (`parse.backend`)"
        )


def section(name: str, values: JsonObject | None = None, encoder: bool = False) -> JsonObject:
    """Validate the settings of one section, such as `"extract"`, and fill in the defaults.

    `encoder`: what the setting `encoder: auto` becomes.
    """
    part = {"type": "object", "properties": {name: schema()["properties"][name]}}
    return cast(JsonObject, _complete(part, {name: values or {}}, encoder)[name])


def read_by(reader: str, name: str = "semihmm") -> tuple[str, ...]:
    """Return the keys of section `name` whose `read_by` lists `reader`, in order."""
    rules = schema()["properties"][name]["properties"]
    return tuple(key for key, rule in rules.items() if reader in rule.get("read_by", ()))


def options(settings: JsonObject, only: Collection[str] | None = None, without: Collection[str] = ()) -> str:
    """Return the command-line options that set `settings` (one section, completed), shell-quoted.

    `only` and `without` are keys of the section to include or to exclude. Nested settings get dotted
    names, and all names have hyphens: `--fake-counts.word 2`.
    """
    chosen = {
        key: value for key, value in settings.items() if (only is None or key in only) and key not in without
    }
    return " ".join(f"{_option(name)} {shlex.quote(to_text(value))}" for name, value in _flatten(chosen))


def add_options(parser: argparse.ArgumentParser, name: str, only: Collection[str] | None = None) -> None:
    """Add an option for each setting of section `name` (or those in `only`) to an argparse parser."""
    group = parser.add_argument_group(f"settings of the stage ({name} in config.yaml)")
    for key, rule in _rules(schema()["properties"][name]):
        if only is None or key.partition(".")[0] in only:
            default = rule.get("default")
            group.add_argument(
                _option(key),
                metavar=key.rsplit(".", 1)[-1].upper(),
                dest=f"{name}/{key}",
                default=argparse.SUPPRESS,
                help=f"{rule.get('description', '')} (default: {json.dumps(default)})".replace("%", "%%"),
            )


def from_options(arguments: argparse.Namespace, name: str, encoder: bool = False) -> JsonObject:
    """Return the completed settings of section `name` from parsed arguments of `add_options`.

    `encoder`: what the setting `encoder: auto` becomes.
    """
    values: JsonObject = {}
    for key, value in vars(arguments).items():
        if key.startswith(f"{name}/"):
            *path, last = key.split("/", 1)[1].split(".")
            place = values
            for part in path:
                place = place.setdefault(part, {})
            place[last] = value
    return section(name, values, encoder)


def _option(key: str) -> str:
    """Return the option of a setting: `--fake-counts.word` for `fake_counts.word`."""
    return f"--{key.replace('_', '-')}"


def _complete(rule: Rule, value: Any, encoder: bool) -> JsonObject:
    value = _typed(rule, value)
    _check_finite(value)
    error = best_match(Draft202012Validator(rule).iter_errors(value))
    if error is not None:
        raise InputError(_explain(error))
    return cast(JsonObject, _with_defaults(rule, value, encoder))


def _check_finite(value: Any, where: str = "") -> None:
    """Raise `InputError` for infinities and for NaN, which no limit of the schema excludes."""
    if isinstance(value, float) and not math.isfinite(value):
        raise InputError(f"config: `{where}` is {value}; give a finite number")
    for key, part in value.items() if isinstance(value, dict) else ():
        _check_finite(part, f"{where}.{key}".removeprefix("."))
    for part in value if isinstance(value, list) else ():
        _check_finite(part, where)


def _typed(rule: Rule, value: Any) -> Any:
    """Return `value` with texts converted to the number, truth value or list that `rule` expects.

    Options are texts, values of Snakemake's `--config` may be, and YAML reads 1e-5 as one.
    """
    if isinstance(value, dict):
        rules = rule.get("properties", {})
        return {key: _typed(rules.get(key, {}), part) for key, part in value.items()}
    if isinstance(value, list):
        return [_typed(rule.get("items", {}), part) for part in value]
    if value == "null" and "null" in rule.get("type", ()):
        return None
    if isinstance(value, str) and not Draft202012Validator(rule).is_valid(value):
        converted = _from_text(value)
        return converted if Draft202012Validator(rule).is_valid(converted) else value
    return value


def _explain(error: ValidationError) -> str:
    """Return the message for an error of validation."""
    top: Any = error
    while top.parent is not None:  # name all the alternatives, not why one of them fails
        top = top.parent
    where = ".".join(part for part in top.absolute_path if isinstance(part, str))
    if top.validator == "additionalProperties":
        known = top.schema["properties"]
        unknown = [key for key in top.instance if key not in known]
        place = f"{where}." if where else ""
        return f"config: unknown key `{place}{unknown[0]}`; known here: {', '.join(known)}"
    if top.validator == "required":
        missing = [key for key in top.validator_value if key not in top.instance]
        return f"config: `{'.'.join(filter(None, [where, missing[0]]))}` is missing; add it"
    given = f"config: `{where}` is {json.dumps(top.instance, default=str):.300}; "
    if top.validator == "pattern":
        return f"{given}it must be {top.schema['description']}"
    if top.validator == "uniqueItems":
        return f"{given}remove the entry that occurs twice"
    return f"{given}it must be {_describe(top.schema)}"


def _describe(rule: Rule) -> str:
    """Return what a rule of the schema allows, in words."""
    if "anyOf" in rule:
        return " or ".join(_describe(part) for part in rule["anyOf"])
    if "const" in rule:
        return str(rule["const"])
    if "enum" in rule:
        return f"one of: {', '.join(map(to_text, rule['enum']))}"
    types = rule["type"] if isinstance(rule["type"], list) else [rule["type"]]
    names = {"array": "a list", "integer": "a whole number", "object": "a section of settings"}
    text = " or ".join(names.get(name, f"a {name}") for name in types if name != "null")
    stated = " and ".join(limit.format(rule[key]) for key, limit in LIMITS.items() if key in rule)
    return " ".join(filter(None, [text, stated, "or null" if "null" in types else ""]))


def _with_defaults(rule: Rule, value: Any, encoder: bool) -> Any:
    """Return a valid `value` with the defaults of `rule` for what is missing.

    `encoder`: what the setting `encoder: auto` becomes. Where it is true, the default of a setting beside
    it is its `with_encoder`.
    """
    if isinstance(value, float) and "integer" in rule.get("type", ()):
        return int(value)  # JSON Schema accepts 10.0 as an integer; range() does not
    if rule.get("type") != "object":
        return value
    if "encoder" in rule["properties"] and value.get("encoder", "auto") == "auto":
        value = {**value, "encoder": encoder}
    filled = {}
    for key, part in rule["properties"].items():
        default = part.get("default")
        if value.get("encoder") is True:
            default = part.get("with_encoder", default)
        if key in value or "default" in part:
            filled[key] = _with_defaults(part, value.get(key, default), encoder)
    return filled


def _rules(rule: Rule, prefix: str = "") -> Iterator[tuple[str, Rule]]:
    """Yield the dotted name and the rule of each setting of a section."""
    for key, part in rule["properties"].items():
        if part.get("type") == "object":
            yield from _rules(part, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}", part


def _flatten(settings: JsonObject, prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Yield the dotted name and the value of each setting."""
    for key, value in settings.items():
        if isinstance(value, dict):
            yield from _flatten(value, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}", value


def to_text(value: Any) -> str:
    """Return a value as the text of an option: JSON, but a text as it is."""
    return value if isinstance(value, str) else json.dumps(value)


def _from_text(text: str) -> Any:
    """Return the value of a text in JSON or in YAML, or the text itself if it is neither."""
    for read in (json.loads, parse_yaml):
        with contextlib.suppress(ValueError, RecursionError, yaml.YAMLError):
            return read(text)
    return text
