"""Errors a user can mend, and the wrapper that prints them as one line."""

import functools
import logging
import reprlib
import sys

LONGEST = 2000  # characters of a message


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
    and to the log file when :func:`pipeline.progress.start_log` has opened one. Unexpected exceptions keep
    their traceback (they are our bugs), which is logged too.
    """

    @functools.wraps(main)
    def run(arguments=None):
        try:
            main(arguments)
        except InputError as error:
            _end(str(error))
        except MemoryError:
            _end("the memory does not suffice; give the job more, or a smaller part of the corpus (--part)")
        except BrokenPipeError:
            sys.exit(1)
        except OSError as error:
            if error.filename is None:
                raise
            _end(f"{error.filename}: {error.strerror}; check the path, permissions and room on the disk")
        except Exception:
            logging.getLogger("pipeline").exception("unexpected failure")
            raise

    return run


def _end(message):
    """Say what is wrong in one line, in the log file too, and exit."""
    line = "".join(c if c.isprintable() else repr(c)[1:-1] for c in " ".join(message.split()))
    if len(line) > LONGEST:
        line = f"{line[: LONGEST // 2]} … {line[-LONGEST // 2 :]}"
    log = logging.getLogger("pipeline")
    if any(isinstance(handler, logging.FileHandler) for handler in log.handlers):
        log.error(line)
    print(f"error: {line}", file=sys.stderr)
    sys.exit(1)
