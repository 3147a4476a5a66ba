"""The annotation page in a notebook."""

from collections.abc import Sequence
from pathlib import Path

from vorlage.app.annotate.annotation_page import disk_page, frame
from vorlage.app.annotate.annotation_task import open_task
from vorlage.app.annotate.supplied_model import supplied_model
from vorlage.types import StrPath


class Annotate:
    """Shows the annotation page of a corpus as the result of a cell.

    The arguments are those of `vorlage.app.annotate.annotation_task.open_task`; `align`: whether the
    supplied model aligns the pairs, too; `annotator`: whose gold in the file `gold` is continued. The
    page forgets the work when the notebook is closed: download it before.
    Raise `vorlage.command.errors.InputError` for input that cannot be used.
    """

    def __init__(
        self,
        corpus: StrPath,
        gold: StrPath | None = None,
        alignments: Sequence[StrPath] = (),
        annotator: str = "",
        tokenized: bool = False,
        language: str = "en",
        align: bool = False,
    ) -> None:
        aligner = supplied_model() if align else None
        task = open_task(corpus, gold, alignments, tokenized, language, aligner)
        self._page = disk_page(task, Path(corpus).name, annotator)

    def _repr_html_(self) -> str:
        return frame(self._page)
