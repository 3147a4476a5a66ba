"""Errors a user can mend, and the wrapper that prints them as one line."""

import functools
import logging
import sys


class InputError(Exception):
    """Something in the input is wrong: the message says what, where and how to mend it."""


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
    line = " ".join(message.split())
    log = logging.getLogger("pipeline")
    if any(isinstance(handler, logging.FileHandler) for handler in log.handlers):
        log.error(line)
    print(f"error: {line}", file=sys.stderr)
    sys.exit(1)
