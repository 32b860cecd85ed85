"""Our players as programs that others start or connect to: UCI and UCCI in xiangqi, gnubg's external player."""

from __future__ import annotations

import argparse
import socketserver
import sys
from collections.abc import Callable, Iterable, Iterator
from importlib.util import find_spec

from qipai.cli import Trouble
from qipai.cli.jit import compile_kernels

__all__ = ["options", "run"]

Program = Callable[[Iterable[str], Callable[[str], None]], None]


def options(parser: argparse.ArgumentParser) -> None:
    """Name the arguments."""
    parser.add_argument("game", help="xiangqi speaks UCI and UCCI, backgammon what gnubg says to external players")
    parser.add_argument("--interpreted", action="store_true", help="do not compile the kernels: weaker, at once there")
    parser.add_argument(
        "--listen", metavar="HOST:PORT", help="wait there for programs, instead of reading what is typed or piped in"
    )


def run(args: argparse.Namespace) -> int:
    """Play until the other program ends it."""
    if not args.interpreted and find_spec("numba") is not None:
        compile_kernels()
    from qipai import games

    if args.game not in games.names():
        raise Trouble(f"there is no game {args.game}: {', '.join(games.names())}")
    program = games.find(args.game).program
    if program is None:
        able = [name for name in games.names() if games.find(name).program is not None]
        raise Trouble(
            f"other programs of {args.game} have no language that it could speak; there is: {', '.join(able)}"
        )
    if args.listen is None:
        program(sys.stdin, _say)
        return 0
    host, _, port = args.listen.rpartition(":")
    if not port.isdecimal() or int(port) > 65535:
        raise Trouble("--listen takes a host and a port, as in localhost:4321")
    try:
        with _server(host or "localhost", int(port), program) as server:
            _say(f"waiting at {host or 'localhost'}:{server.server_address[1]}")
            server.serve_forever()
    except OSError as wrong:
        raise Trouble(f"cannot listen at {args.listen}: {wrong.strerror}") from wrong
    except KeyboardInterrupt:
        return 130
    return 0


def _say(line: str) -> None:
    print(line, flush=True)


def _server(host: str, port: int, program: Program) -> socketserver.ThreadingTCPServer:
    class Handler(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            def lines() -> Iterator[str]:
                # gnubg ends a line by a newline, other programs by a null or by nothing at all until they are answered
                while data := self.rfile.readline(1 << 16):
                    yield data.decode("utf-8", "replace").replace("\0", "").rstrip("\r\n")

            def say(line: str) -> None:
                self.wfile.write(f"{line}\n".encode())

            try:
                program(lines(), say)
            except (ConnectionError, TimeoutError):
                return  # the other program has gone

    class Server(socketserver.ThreadingTCPServer):
        allow_reuse_address = True
        daemon_threads = True

    return Server((host, port), Handler)
