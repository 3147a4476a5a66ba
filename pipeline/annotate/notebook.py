"""The annotation page in a notebook."""

from collections.abc import Sequence
from pathlib import Path

from pipeline.annotate.annotation_page import disk_page, frame
from pipeline.annotate.annotation_task import open_task
from pipeline.types import StrPath


class Annotate:
    """Shows the annotation page of a corpus as the result of a cell.

    The arguments are those of :func:`pipeline.annotate.annotation_task.open_task` and ``annotator``, whose
    gold in the file ``gold`` is continued. The page forgets the work when the notebook is closed: download
    it before.
    Raise :class:`pipeline.run.errors.InputError` for input that cannot be used.
    """

    def __init__(
        self,
        corpus: StrPath,
        gold: StrPath | None = None,
        alignments: Sequence[StrPath] = (),
        annotator: str = "",
        tokenized: bool = False,
        language: str = "en",
    ) -> None:
        task = open_task(corpus, gold, alignments, tokenized, language)
        self._page = disk_page(task, Path(corpus).name, annotator)

    def _repr_html_(self) -> str:
        return frame(self._page)
