"""Options of all commands are spelled with hyphens, and their parser has a log."""

import importlib
import logging
import re
from pathlib import Path

import pytest
import vorlage
from vorlage.command.errors import InputError, command
from vorlage.command.options import CommandParser

PACKAGE = Path(vorlage.__file__).parent
MODULES = [
    ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts)
    for path in sorted(PACKAGE.rglob("*.py"))
    if re.search(r"^@command\ndef main\(", path.read_text(encoding="utf-8"), re.MULTILINE)
]


@command
def main(arguments=None):
    """Print the name of a thing."""
    parser = CommandParser(main)
    parser.add_argument("--the-name", default="nothing")
    print(parser.parse(arguments).the_name)


@pytest.fixture
def pipeline_log():
    """Restore the log of the pipeline after the test."""
    log = logging.getLogger("pipeline")
    handlers = log.handlers[:]
    yield log
    log.handlers[:] = handlers


def test_all_commands_are_found():
    assert len(MODULES) > 30 and "vorlage.semihmm.decode.stage" in MODULES


@pytest.mark.parametrize("module", MODULES)
def test_underscored_option_is_an_error_that_names_the_new_spelling(module, capsys):
    with pytest.raises(SystemExit) as stop:
        importlib.import_module(module).main(["--fake_counts.word", "2"])
    assert stop.value.code == 2
    error = "error: --fake_counts.word: options are spelled with hyphens; write --fake-counts.word\n"
    assert capsys.readouterr().err == error


@pytest.mark.parametrize("module", MODULES)
def test_help_has_no_underscored_option(module, capsys):
    with pytest.raises(SystemExit) as stop:
        importlib.import_module(module).main(["--help"])
    assert stop.value.code == 0
    assert not re.findall(r"--[a-z.-]*_", capsys.readouterr().out)


def test_values_may_have_underscores(capsys, pipeline_log):
    main(["--the-name=--a_b"])
    main(["--the-name", "a_b"])
    assert capsys.readouterr().out == "--a_b\na_b\n"


def test_parser_describes_its_command(capsys):
    with pytest.raises(SystemExit):
        main(["--help"])
    text = capsys.readouterr().out
    assert text.startswith(f"usage: python -m {__name__} ")
    assert "Print the name of a thing." in text and "--log LOG" in text


def test_parser_starts_the_log(tmp_path, capsys, pipeline_log):
    path = tmp_path / "logs" / "some.log"
    main(["--log", str(path)])
    pipeline_log.info("a line")
    assert path.read_text().endswith(" a line\n")


def test_log_can_be_left_out(capsys):
    parser = CommandParser(main, log=False)
    assert "--log" not in parser.format_help()
    assert vars(parser.parse([])) == {}


def test_input_error_is_one_line_with_status_1(capsys):
    @command
    def failing(arguments):
        raise InputError("a file:\n\tis \x1b[31mwrong")

    with pytest.raises(SystemExit) as stop:
        failing([])
    assert stop.value.code == 1
    assert capsys.readouterr().err == "error: a file: is \\x1b[31mwrong\n"
