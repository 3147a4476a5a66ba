"""Print the JSON Schema of what a command writes: `vorlage schema`."""

import json

from vorlage.api.schemas import TYPES, schema
from vorlage.command.errors import command
from vorlage.command.options import CommandParser
from vorlage.extract.extracts import Extract
from vorlage.workflow.gold import Gold
from vorlage.workflow.score.ratings import Rating

TYPES.update(gold=Gold, extract=Extract, rating=Rating)


@command
def main(arguments: list[str] | None = None) -> None:
    """Print the JSON Schema of an output: of `vorlage attribute --json`, or of a line of a file."""
    parser = CommandParser("schema", main, log=False)
    parser.add_argument("name", choices=TYPES, help="of what")
    print(json.dumps(schema(parser.parse(arguments).name), indent=2, ensure_ascii=False))
