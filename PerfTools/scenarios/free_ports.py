"""Ports for programs that a scenario or a test starts."""
import random
import socket


def free_ports(count):
    """Different ones that nobody uses now. They lie below those that the kernel gives to connections: between now and their use none of
    many tests beside each other is given one."""
    ports = []
    while len(ports) < count:
        port = random.SystemRandom().randrange(10000, 32000)
        with socket.socket() as s:
            try:
                s.bind(("", port))
            except OSError:
                continue
        if port not in ports:
            ports.append(port)
    return ports
