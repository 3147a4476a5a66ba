"""Gets WordNet 3.0 into a folder of its own.

``python -m pipeline.wordnet --output results/wordnet`` takes the first sound copy of: NLTK's data
folders; the system's WordNet files (``WNSEARCHDIR``, ``WNHOME``, the usual places); NLTK's download; the
Debian package ``wordnet-base``, fetched and unpacked in a temporary folder, which takes neither root nor
changes to the system. A copy is sound when it is version 3.0 and every entry of its indices points at a
synset of its data files.
"""

import argparse
import contextlib
import hashlib
import io
import json
import logging
import os
import re
import shutil
import subprocess
import tempfile
import zipfile
from pathlib import Path

from pipeline.io.arrays import replacing_folder
from pipeline.run.errors import InputError, command
from pipeline.run.progress import start_log
from pipeline.text.nltk import nltk
from pipeline.wordnet.reader import FILES, PARTS, VERSION

# The lexicographer files in the order of their numbers (WordNet 3.0 manual, lexnames(5WN)): NLTK wants
# the list as a file, which Debian leaves out.
LEXICOGRAPHER_FILES = """
    adj.all adj.pert adv.all noun.Tops noun.act noun.animal noun.artifact noun.attribute noun.body
    noun.cognition noun.communication noun.event noun.feeling noun.food noun.group noun.location
    noun.motive noun.object noun.person noun.phenomenon noun.plant noun.possession noun.process
    noun.quantity noun.relation noun.shape noun.state noun.substance noun.time verb.body verb.change
    verb.cognition verb.communication verb.competition verb.consumption verb.contact verb.creation
    verb.emotion verb.motion verb.perception verb.possession verb.social verb.stative verb.weather adj.ppl
"""
CATEGORIES = {"noun": 1, "verb": 2, "adj": 3, "adv": 4}
# Where Debian's package and WordNet's own installation put the files.
SYSTEM_FOLDERS = (Path("/usr/share/wordnet"), Path("/usr/local/WordNet-3.0/dict"))
DEBIAN_PACKAGE = "wordnet-base"
APT_SECONDS = 300

log = logging.getLogger("pipeline")


class Unavailable(Exception):
    """A source has no copy to offer; the message says why."""


def locate(scratch):
    """Return ``(source, folder)`` of the first sound copy; ``scratch`` is a folder for what is fetched.

    Raises :class:`InputError` that says what was tried and lists the ways to get WordNet.
    """
    failures = []
    for source in (nltk_copy, system_copies, nltk_download, debian_package):
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
        "the folder of its files; `wordnet: false` under `semihmm` in the config does without"
    )


def nltk_copy(scratch):
    """The copy in one of NLTK's data folders (``NLTK_DATA`` among them), unpacked or zipped."""
    with contextlib.suppress(LookupError):
        return [("NLTK data", Path(nltk.data.find("corpora/wordnet").path))]
    with contextlib.suppress(LookupError):
        archive = nltk.data.find("corpora/wordnet.zip/wordnet/").zipfile.filename
        return [("NLTK data", _unzip(archive, scratch / "nltk"))]
    raise Unavailable("NLTK data: no corpora/wordnet")


def system_copies(scratch):
    """The folders of a WordNet installed on the system (manual page wnintro(5WN)), set ones first."""
    places = [Path(os.environ["WNSEARCHDIR"])] if os.environ.get("WNSEARCHDIR") else []
    places += [Path(os.environ["WNHOME"], "dict")] if os.environ.get("WNHOME") else []
    folders = [place for place in (*places, *SYSTEM_FOLDERS) if place.is_dir()]
    if not folders:
        raise Unavailable("system: no WordNet files")
    return [("system files", folder) for folder in folders]


def nltk_download(scratch):
    """The copy that NLTK downloads, whose checksum and time-outs it sees to."""
    errors = io.StringIO()
    try:
        done = nltk.download("wordnet", download_dir=str(scratch), quiet=True, print_error_to=errors)
    except Exception as error:  # such as a captive portal's page in place of the index
        raise Unavailable(f"NLTK download: {error}") from None
    if not done:
        reason = " ".join(errors.getvalue().replace("[nltk_data]", "").split())
        raise Unavailable(f"NLTK download: {reason or 'failed'}")
    return [("NLTK download", _unzip(scratch / "corpora" / "wordnet.zip", scratch / "download"))]


def debian_package(scratch):
    """Debian's package, verified by apt, with package lists of its own: no root, no change to the system."""
    if not (shutil.which("apt-get") and shutil.which("dpkg-deb")):
        raise Unavailable("Debian package: no apt-get and dpkg-deb here")
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
    # A broken third-party source fails the update but not the download, which therefore has the say.
    with contextlib.suppress(Unavailable):
        _run([*apt, "update"], folder)
    _run([*apt, "download", DEBIAN_PACKAGE], folder)
    package = next(folder.glob("*.deb"))
    _run(["dpkg-deb", "--extract", package, folder / "root"], folder)
    version = _run(["dpkg-deb", "--field", package, "Version"], folder).strip()
    return [(f"Debian package {DEBIAN_PACKAGE} {version}", folder / "root" / "usr/share/wordnet")]


def defect(folder):
    """What is wrong with the WordNet files in ``folder``, in a few words, or None."""
    for name in FILES:
        if not (folder / name).is_file():
            return f"no {name} in {folder}"
    for part in PARTS:
        data = (folder / f"data.{part}").read_bytes()
        version = re.search(rb"WordNet (\S+) Copyright", data[:5000])
        if version is None or version[1].decode() != VERSION:
            return f"version {version[1].decode() if version else 'unknown'} in {folder}, not {VERSION}"
        for offset in _index_offsets(folder / f"index.{part}"):
            if data[int(offset) : int(offset) + 9] != offset + b" ":
                return f"index.{part} in {folder} does not fit data.{part}"
    return None


def install(source, folder, output):
    """Copy the WordNet files of ``folder`` to the folder ``output``, which appears whole.

    Adds ``lexnames`` and ``wordnet.json``: ``source``; ``version``; ``sha256``, the digest of what
    ``sha256sum *.exc data.* index.*`` prints there. A WordNet folder that was there is replaced;
    anything else raises :class:`InputError`.
    """
    output = Path(output)
    if (
        output.exists()
        and not (output / "wordnet.json").is_file()
        and (output.is_file() or any(output.iterdir()))
    ):
        raise InputError(
            f"{output}: exists and is not a WordNet folder; choose another --output or remove it"
        )
    with replacing_folder(output) as new:
        for name in FILES:
            shutil.copyfile(folder / name, new / name)
        (new / "lexnames").write_text(lexnames())
        record = {"source": source, "version": VERSION, "sha256": _digest(new)}
        (new / "wordnet.json").write_text(json.dumps(record, indent=2) + "\n")
    return record


def lexnames():
    """The text of the file ``lexnames``: number, name and syntactic category of each lexicographer file."""
    return "".join(
        f"{number:02d}\t{name}\t{CATEGORIES[name.split('.')[0]]}\n"
        for number, name in enumerate(LEXICOGRAPHER_FILES.split())
    )


def _index_offsets(path):
    """Yield the eight-digit synset offsets of an index file, as bytes; format: wndb(5WN)."""
    with open(path, "rb") as lines:
        for line in lines:
            if not line.startswith(b" "):
                fields = line.split()
                yield from fields[len(fields) - int(fields[2]) :]


def _digest(folder):
    lines = (f"{hashlib.sha256((folder / name).read_bytes()).hexdigest()}  {name}\n" for name in FILES)
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def _unzip(archive, folder):
    with zipfile.ZipFile(archive) as files:
        present = {Path(name).name: name for name in files.namelist() if not name.endswith("/")}
        folder.mkdir()
        for name in FILES:
            if name in present:
                (folder / name).write_bytes(files.read(present[name]))
    return folder


def _run(arguments, folder):
    """Run a program in ``folder`` and return its standard output."""
    done = subprocess.run(
        arguments,
        cwd=folder,
        env={**os.environ, "LC_ALL": "C"},
        capture_output=True,
        text=True,
        timeout=APT_SECONDS,
    )
    if done.returncode:
        lines = [line for line in done.stderr.splitlines() if line.startswith("E:")] or [done.stderr.strip()]
        raise Unavailable(f"Debian package: {arguments[0]} says {lines[-1].removeprefix('E: ')!r}")
    return done.stdout


@command
def main(arguments=None):
    """Get WordNet into a folder."""
    parser = argparse.ArgumentParser(
        prog="python -m pipeline.wordnet",
        description=f"Get WordNet {VERSION} into a folder: from NLTK's data folders, the system's WordNet "
        f"files, NLTK's download or the Debian package {DEBIAN_PACKAGE} (no root needed), whichever comes "
        "first.",
    )
    parser.add_argument("--output", required=True, help="folder to make")
    parser.add_argument("--log", help="log file (default: standard error)")
    given = parser.parse_args(arguments)
    start_log(given.log)
    with tempfile.TemporaryDirectory(prefix="wordnet.") as scratch:
        record = install(*locate(Path(scratch)), given.output)
    log.info(f"WordNet {record['version']} from {record['source']} in {given.output}")


if __name__ == "__main__":
    main()
