"""Errors a user can mend, and the wrapper that prints them as one line."""

import errno
import functools
import logging
import reprlib
import signal
import sys

from pipeline.run.signals import Stopped, end_by, stoppable

LONGEST = 2000  # characters of a message
# What the system says of a disk, whatever file it was about.
DISK = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS, errno.EIO)


class InputError(Exception):
    """Something in the input is wrong: the message says what, where and how to mend it."""


def shown(value):
    """A value of an input as a message shows it, cut where it is long or deep."""
    return _SHORT.repr(value)


_SHORT = reprlib.Repr()
_SHORT.maxstring = _SHORT.maxother = _SHORT.maxlong = 100


def command(main):
    """Run ``main`` as a command: an :class:`InputError` ends it with one line and status 1.

    So does a file that the system will not open, write or find room for. The line goes to standard error,
    and to the log file when :func:`pipeline.run.progress.start_log` has opened one. A signal ends it as one does,
    when what it was writing has been removed. Unexpected exceptions keep their traceback (they are our bugs),
    which is logged too.
    """

    @functools.wraps(main)
    def run(arguments=None):
        try:
            with stoppable():
                main(arguments)
        except InputError as error:
            _end(str(error))
        except MemoryError:
            _end("the memory does not suffice; give the job more, or a smaller part of the corpus (--part)")
        except Stopped as stopped:
            _say(f"stopped by {signal.Signals(stopped.number).name}")
            end_by(stopped.number)
        except BrokenPipeError:
            sys.exit(1)
        except OSError as error:
            if error.filename is None and error.errno not in DISK:
                raise
            where = f"{error.filename}: " if error.filename else ""
            _end(
                f"{where}{error.strerror or error.args[0]}; check the path, permissions and room on the disk"
            )
        except Exception:
            logging.getLogger("pipeline").exception("unexpected failure")
            raise

    return run


def _end(message):
    """Say what is wrong and exit."""
    _say(f"error: {one_line(message)}")
    sys.exit(1)


def one_line(message):
    """A message on one line, without characters that a terminal obeys, and not longer than ``LONGEST``."""
    line = "".join(c if c.isprintable() else repr(c)[1:-1] for c in " ".join(message.split()))
    return line if len(line) <= LONGEST else f"{line[: LONGEST // 2]} … {line[-LONGEST // 2 :]}"


def _say(line):
    """Say something in one line, in the log file too."""
    log = logging.getLogger("pipeline")
    if any(isinstance(handler, logging.FileHandler) for handler in log.handlers):
        log.error(line.removeprefix("error: "))
    print(line, file=sys.stderr)
