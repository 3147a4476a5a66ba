"""Forbid the network to a Python program with this folder on PYTHONPATH, and to all that it starts."""

import socket
import sys

TALK = {"socket.connect", "socket.sendto", "socket.sendmsg"}
LOOK_UP = {"socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr", "socket.getnameinfo"}


class NetworkUse(BaseException):
    """An attempt to use the network; no ``except Exception`` catches it."""


def refuse(event, arguments):
    """Raise :class:`NetworkUse` for every socket except those between processes: an audit hook."""
    if event in LOOK_UP or (event in TALK and arguments[0].family != socket.AF_UNIX):
        raise NetworkUse(f"{event}{arguments[1:]}: no network here")


sys.addaudithook(refuse)
