"""Errors a user can mend, and the wrapper that prints them as one line."""

import functools
import logging
import sys


class InputError(Exception):
    """Something in the input is wrong: the message says what, where and how to mend it."""


def command(main):
    """Run ``main`` as a command: an :class:`InputError` ends it with one line and status 1.

    The line goes to standard error, and to the log file when :func:`pipeline.progress.start_log`
    has opened one. Unexpected exceptions keep their traceback (they are our bugs), which is logged too.
    """

    @functools.wraps(main)
    def run(arguments=None):
        log = logging.getLogger("pipeline")
        try:
            main(arguments)
        except InputError as error:
            line = " ".join(str(error).split())
            if any(isinstance(handler, logging.FileHandler) for handler in log.handlers):
                log.error(line)
            print(f"error: {line}", file=sys.stderr)
            sys.exit(1)
        except BrokenPipeError:
            sys.exit(1)
        except Exception:
            log.exception("unexpected failure")
            raise

    return run
