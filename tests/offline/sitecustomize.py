"""Forbids the network to a Python program, and to those that it starts, where this is on PYTHONPATH."""

import socket
import sys

TALK = {"socket.connect", "socket.sendto", "socket.sendmsg"}
LOOK_UP = {"socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr", "socket.getnameinfo"}


class NetworkUse(BaseException):
    """Somebody wanted to leave this machine; no ``except Exception`` passes over it."""


def refuse(event, arguments):
    """An audit hook: raises :class:`NetworkUse` for all but the sockets between processes."""
    if event in LOOK_UP or (event in TALK and arguments[0].family != socket.AF_UNIX):
        raise NetworkUse(f"{event}{arguments[1:]}: no network here")


sys.addaudithook(refuse)
