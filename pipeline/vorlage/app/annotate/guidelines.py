"""The rules for annotators, and the command that puts them into a Markdown file.

    vorlage guidelines docs/annotation.md

They go between the lines `<!-- guidelines -->` and `<!-- end -->`.
"""

from pathlib import Path
from textwrap import wrap

from vorlage.command.errors import command
from vorlage.command.options import CommandParser
from vorlage.files.yaml import read_yaml
from vorlage.types import JsonObject

FILE = Path(__file__).parent / "guidelines.yaml"
WIDTH = 120  # of the lines of the documentation


def read_guidelines() -> list[JsonObject]:
    """Return the rules: `title`, `text`, `examples` (`document`, `summary` and `links`)."""
    rules: list[JsonObject] = read_yaml(FILE)
    return rules


def to_markdown() -> str:
    """Return the rules as Markdown."""
    lines = []
    for number, rule in enumerate(read_guidelines(), start=1):
        lines += [f"### {number}. {rule['title']}", "", *_wrap(rule["text"]), ""]
        for example in rule["examples"]:
            for side in ("document", "summary", "links"):
                lines += _wrap(f"- *{side.capitalize()}*: {example[side]}", "  ")
            lines.append("")
    return "\n".join(lines).rstrip()


def _wrap(text: str, indent: str = "") -> list[str]:
    return wrap(text, WIDTH, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)


@command
def main(arguments: list[str] | None = None) -> None:
    """Put the rules for annotators into a Markdown file."""
    # Imported here because it needs pandas, which the page does not.
    from vorlage.report.markdown import insert_into_file

    parser = CommandParser("guidelines", main, log=False)
    parser.add_argument("file", type=Path, help="Markdown file to change")
    insert_into_file(parser.parse(arguments).file, {"guidelines": to_markdown()})
