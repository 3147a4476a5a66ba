"""The files of a corpus that is a folder: none by a link out of it, none passed over in silence."""

import os
from pathlib import Path

from pipeline.io.inputs import check_file
from pipeline.run.errors import InputError


def find_files(path, *patterns, root=None):
    """The files at ``path``: itself, or those below the folder that match one of ``patterns``, sorted.

    Hidden files and folders are passed over, and so are links to folders of the corpus. Raises
    :class:`InputError` where there is no file, for what is no file though its name is that of one, and for a
    link out of ``root`` (``path``), the folder of the corpus.
    """
    if not path.is_dir():
        check_file(path)
        return [path]
    found = sorted(_below(path, patterns or ("*",), root or path))
    if not found:
        raise InputError(
            f"{path}: no files {' or '.join(patterns)} below this folder; "
            "check `corpus.path` and `corpus.reader`"
        )
    return found


def check_inside(file, root):
    """Raise :class:`InputError` where links lead from ``file``, below ``root``, out of ``root`` or nowhere.

    Else a corpus could have any file of this machine read and put into the results.
    """
    try:
        target = file.resolve(strict=True)
    except (OSError, RuntimeError):
        raise InputError(f"{file}: is a link that leads nowhere; remove it, or put the file there") from None
    if not target.is_relative_to(root.resolve()):
        raise InputError(f"{file}: is read by a link out of {root}, from {target}; put a copy there")


def _below(path, patterns, root):
    folders = [path]
    while folders:
        with os.scandir(folders.pop()) as entries:
            shown = [entry for entry in entries if not entry.name.startswith(".")]
        for entry in shown:
            file = Path(entry.path)
            if entry.is_dir(follow_symlinks=False):
                folders.append(file)
            elif any(map(file.match, patterns)) or entry.is_dir():
                check_inside(file, root)
                if not entry.is_dir():
                    check_file(file)
                    yield file
