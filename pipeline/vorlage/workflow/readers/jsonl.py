"""Reads JSON lines and tables with a heading: the forms of `vorlage.documents.records`."""

from vorlage.documents.records import parse_records
from vorlage.workflow.reader import Reader

READER = Reader("jsonl", lambda path, settings: parse_records(path))
