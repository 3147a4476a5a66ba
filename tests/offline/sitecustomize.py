"""Forbid the network to a Python program with this folder on PYTHONPATH, and to all that it starts."""

import socket
import sys

TALK = {"socket.connect", "socket.sendto", "socket.sendmsg"}
# Ports of this machine on which a test has started a server of its own.
OWN = set()
LOOK_UP = {"socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr", "socket.getnameinfo"}


class NetworkUse(BaseException):
    """An attempt to use the network; no ``except Exception`` catches it."""


def refuse(event, arguments):
    """Raise :class:`NetworkUse` for every socket except those between processes: an audit hook."""
    own = {("127.0.0.1", port) for port in OWN}
    if (event == "socket.connect" and arguments[1] in own) or (
        event == "socket.getaddrinfo" and arguments[:2] in own
    ):
        return
    if event in LOOK_UP or (event in TALK and arguments[0].family != socket.AF_UNIX):
        raise NetworkUse(f"{event}{arguments[1:]}: no network here")


sys.addaudithook(refuse)
