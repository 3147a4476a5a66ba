"""Gets WordNet 3.0 into a folder of its own.

    vorlage wordnet --output results/wordnet

The command takes the first sound copy from these sources, in this order: NLTK's data folders; the WordNet
files of the system (`WNSEARCHDIR`, `WNHOME`, the usual places); NLTK's download; the Debian package
`wordnet-base`, which is downloaded and unpacked in a temporary folder, without root rights or changes to
the system. A copy is sound if its version is 3.0 and every entry of its index files points to a synset of its
data files.
"""

import contextlib
import io
import json
import logging
import os
import re
import shutil
import subprocess
import tempfile
import zipfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TypeAlias

import numpy as np

from vorlage.command.errors import InputError, command
from vorlage.command.options import CommandParser
from vorlage.files.outputs import replacing_folder
from vorlage.text.wordnet.reader import TABLES
from vorlage.text.wordnet.tables import FILES, PARTS, compute_digest, make_tables
from vorlage.types import JsonObject, StrPath

VERSION = "3.0"
# The folders of the Debian package and of WordNet's own installation.
SYSTEM_FOLDERS = (Path("/usr/share/wordnet"), Path("/usr/local/WordNet-3.0/dict"))
DEBIAN_PACKAGE = "wordnet-base"
APT_SECONDS = 300
# The digest of the files of the package, as `wordnet.json` records it; version 1:3.0-37 has them.
DEBIAN_DIGEST = "a54521a2e5f1e9baebd28ace405cdfecd04b1d6cf74b218bc703ea9932c6e096"

log = logging.getLogger("pipeline")


# Copies of WordNet that a source offers: the name of the source and a folder.
Copies: TypeAlias = list[tuple[str, Path]]


class Unavailable(Exception):
    """The error of a source without a copy; the message gives the reason."""


def locate(scratch: Path) -> tuple[str, Path]:
    """Return `(source, folder)` of the first sound copy; `scratch` is a folder for downloads.

    Raise `InputError` if there is none; the message lists the failures and the ways to get WordNet.
    """
    failures: list[str] = []
    sources: tuple[Callable[[Path], Copies], ...] = (
        nltk_copy,
        system_copies,
        nltk_download,
        debian_package,
    )
    for source in sources:
        try:
            for name, folder in source(scratch):
                problem = defect(folder)
                if problem is None:
                    return name, folder
                failures.append(f"{name}: {problem}")
        except (Unavailable, OSError, subprocess.SubprocessError, zipfile.BadZipFile) as error:
            failures.append(str(error))
        log.info(f"WordNet: {failures[-1]}")
    raise InputError(
        f"no WordNet {VERSION} found ({'; '.join(failures)}); get it with "
        f"`python -m nltk.downloader wordnet` or `apt-get install {DEBIAN_PACKAGE}`, or set WNSEARCHDIR to "
        "the folder of its files; or set `wordnet: false` under `semihmm` in the config"
    )


def nltk_copy(scratch: Path) -> Copies:
    """Return the copy in NLTK's data folders (including `NLTK_DATA`), unpacked or zipped."""
    import nltk  # takes a second or two

    with contextlib.suppress(LookupError):
        return [("NLTK data", Path(nltk.data.find("corpora/wordnet").path))]
    with contextlib.suppress(LookupError):
        archive = nltk.data.find("corpora/wordnet.zip/wordnet/").zipfile.filename
        return [("NLTK data", _unzip(archive, scratch / "nltk"))]
    raise Unavailable("NLTK data: no corpora/wordnet")


def system_copies(scratch: Path) -> Copies:
    """Return the WordNet folders of the system (manual page wnintro(5WN)), set variables first."""
    places = [Path(os.environ["WNSEARCHDIR"])] if os.environ.get("WNSEARCHDIR") else []
    places += [Path(os.environ["WNHOME"], "dict")] if os.environ.get("WNHOME") else []
    folders = [place for place in (*places, *SYSTEM_FOLDERS) if place.is_dir()]
    if not folders:
        raise Unavailable("system: no WordNet files")
    return [("system files", folder) for folder in folders]


def nltk_download(scratch: Path) -> Copies:
    """Return the copy that NLTK downloads; NLTK verifies its checksum and sets time-outs."""
    import nltk

    errors = io.StringIO()
    try:
        successful = nltk.download("wordnet", download_dir=str(scratch), quiet=True, print_error_to=errors)
    except Exception as error:  # for example, the page of a captive portal in place of the index
        raise Unavailable(f"NLTK download: {error}") from None
    if not successful:
        reason = " ".join(errors.getvalue().replace("[nltk_data]", "").split())
        raise Unavailable(f"NLTK download: {reason or 'failed'}")
    return [("NLTK download", _unzip(scratch / "corpora" / "wordnet.zip", scratch / "download"))]


def debian_package(scratch: Path) -> Copies:
    """Return the copy in Debian's package, which apt downloads and verifies without root rights.

    apt uses package lists in `scratch`, so the system stays unchanged. Its files must be those of
    `DEBIAN_DIGEST`.
    """
    if not (shutil.which("apt-get") and shutil.which("dpkg-deb")):
        raise Unavailable("Debian package: no apt-get and dpkg-deb on this system")
    folder = scratch / "debian"
    settings = {
        "Dir::State::lists": folder / "lists",
        "Dir::Cache": folder / "cache",
        "Acquire::Languages": "none",
        "Acquire::Retries": 3,
        "Acquire::http::Timeout": 30,
        "Acquire::https::Timeout": 30,
    }
    for part in ("lists/partial", "cache/archives/partial"):
        (folder / part).mkdir(parents=True)
    apt = ["apt-get", "--quiet", *(f"--option={key}={value}" for key, value in settings.items())]
    # With a broken third-party source the update fails, but the download may succeed: only that decides.
    with contextlib.suppress(Unavailable):
        _run([*apt, "update"], folder)
    _run([*apt, "download", DEBIAN_PACKAGE], folder)
    package = next(folder.glob("*.deb"))
    _run(["dpkg-deb", "--extract", package, folder / "root"], folder)
    version = _run(["dpkg-deb", "--field", package, "Version"], folder).strip()
    files = folder / "root" / "usr/share/wordnet"
    if (digest := compute_digest(files)) != DEBIAN_DIGEST:
        raise Unavailable(f"Debian package: {DEBIAN_PACKAGE} {version} has other files ({digest:.12})")
    return [(f"Debian package {DEBIAN_PACKAGE} {version}", files)]


def defect(folder: Path) -> str | None:
    """Return what is wrong with the WordNet files in `folder`, in a few words, or None."""
    for name in FILES:
        if not (folder / name).is_file():
            return f"no {name} in {folder}"
    for part in PARTS:
        data = (folder / f"data.{part}").read_bytes()
        version = re.search(rb"WordNet (\S+) Copyright", data[:5000])
        if version is None or version[1].decode() != VERSION:
            return f"version {version[1].decode() if version else 'unknown'} in {folder}, not {VERSION}"
        try:
            sound = all(
                data[int(offset) : int(offset) + 9] == offset + b" "
                for offset in _index_offsets(folder / f"index.{part}")
            )
        except (ValueError, IndexError):  # what is not a number, or missing
            sound = False
        if not sound:
            return f"index.{part} in {folder} does not match data.{part}"
    try:
        make_tables(folder)
    except (ValueError, KeyError, IndexError):  # a pointer that leads nowhere, a line that is cut off
        return f"the files in {folder} are damaged"
    return None


def install(source: str, folder: Path, output: StrPath) -> JsonObject:
    """Copy the WordNet files of `folder` to the folder `output`, whole or not at all.

    Add `tables.npz`, see `vorlage.text.wordnet.tables.make_tables`, and `wordnet.json` with `source`,
    `version` and `sha256`, the digest of the output of `sha256sum *.exc data.* index.*` in that folder.
    Return the content of `wordnet.json`.
    Replace an existing WordNet folder; raise `InputError` if anything else exists there.
    """
    target = Path(output)
    if (
        target.exists()
        and not (target / "wordnet.json").is_file()
        and (target.is_file() or any(target.iterdir()))
    ):
        raise InputError(f"{target}: exists and is not a WordNet folder; choose another --output")
    with replacing_folder(target) as new:
        for name in FILES:
            shutil.copyfile(folder / name, new / name)
        np.savez_compressed(new / TABLES, allow_pickle=False, **make_tables(new))
        record = {"source": source, "version": VERSION, "sha256": compute_digest(new)}
        (new / "wordnet.json").write_text(json.dumps(record, indent=2) + "\n")
    return record


def _index_offsets(path: Path) -> Iterator[bytes]:
    """Yield the eight-digit synset offsets of an index file; format: wndb(5WN)."""
    with open(path, "rb") as lines:
        for line in lines:
            if not line.startswith(b" "):
                fields = line.split()
                yield from fields[len(fields) - int(fields[2]) :]


def _unzip(archive: StrPath, folder: Path) -> Path:
    """Extract the WordNet files of an archive to a new folder, which is returned."""
    with zipfile.ZipFile(archive) as files:
        present = {Path(name).name: name for name in files.namelist() if not name.endswith("/")}
        folder.mkdir()
        for name in FILES:
            if name in present:
                (folder / name).write_bytes(files.read(present[name]))
    return folder


def _run(arguments: Sequence[StrPath], folder: Path) -> str:
    """Run a program in `folder` and return its standard output; raise `Unavailable` if it fails."""
    completed = subprocess.run(
        arguments,
        cwd=folder,
        env={**os.environ, "LC_ALL": "C"},
        capture_output=True,
        text=True,
        timeout=APT_SECONDS,
    )
    if completed.returncode:
        errors = [line for line in completed.stderr.splitlines() if line.startswith("E:")]
        reason = errors[-1].removeprefix("E: ") if errors else completed.stderr.strip()
        raise Unavailable(f"Debian package: {arguments[0]} says {reason!r}")
    return completed.stdout


@command
def main(arguments: Sequence[str] | None = None) -> None:
    """Get WordNet into a folder."""
    parser = CommandParser(
        "wordnet",
        main,
        description=f"Get WordNet {VERSION} into a folder from the first source that has a sound copy: "
        "NLTK's data folders, the WordNet files of the system, NLTK's download, or the Debian package "
        f"{DEBIAN_PACKAGE} (no root rights needed).",
    )
    parser.add_argument("--output", required=True, help="folder to write")
    options = parser.parse(arguments)
    with tempfile.TemporaryDirectory(prefix="wordnet.") as scratch:
        record = install(*locate(Path(scratch)), options.output)
    log.info(f"WordNet {record['version']} from {record['source']} in {options.output}")
