"""Memory is asked for before a large table is laid out: Linux grants more than it has, and kills later."""

import resource
from pathlib import Path

from vorlage.command.errors import InputError

SMALL = 100 << 20  # bytes that nobody asks for
MEMORY = Path("/proc/meminfo")
LIMIT, USED = Path("/sys/fs/cgroup/memory.max"), Path("/sys/fs/cgroup/memory.current")


def ask_for(size: int, what: str) -> None:
    """Raise `InputError` unless `size` bytes are available; `what` needs them, for the message."""
    if size <= SMALL:
        return
    available = available_bytes()
    if available is not None and size > available:
        raise InputError(
            f"{what} needs about {size / 1e9:,.1f} GB of memory, of which {available / 1e9:,.1f} are free; "
            "shorten it, leave it out, or use a machine with more memory"
        )


def available_bytes() -> int | None:
    """Return the memory that this process may still use, or None where the system does not say it."""
    limits = []
    if MEMORY.exists():
        lines = dict(line.split(":", 1) for line in MEMORY.read_text().splitlines())
        limits.append(int(lines["MemAvailable"].split()[0]) * 1024)
    if LIMIT.exists() and (most := LIMIT.read_text().strip()) != "max":
        limits.append(int(most) - int(USED.read_text()))
    most_space = resource.getrlimit(resource.RLIMIT_AS)[0]
    if most_space != resource.RLIM_INFINITY:
        pages = int(Path("/proc/self/statm").read_text().split()[0]) if MEMORY.exists() else 0
        limits.append(most_space - pages * resource.getpagesize())
    return max(min(limits), 0) if limits else None
