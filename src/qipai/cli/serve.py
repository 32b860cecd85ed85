"""Start the hall: `qipai serve`, and open the address it prints in a browser."""

from __future__ import annotations

import argparse
import logging
import os
import socket
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

from qipai.cli import Trouble

if TYPE_CHECKING:
    import asyncio

    from qipai.cli.workers import Place
    from qipai.config import Config
    from qipai.web.house import House

__all__ = ["announce", "built", "load_games", "loop_factory", "opened", "options", "run"]

MOST_FILES: Final = 2**16
ENOUGH_FILES: Final = 4096  # for the sockets that P-105 requires, and some more
MOST_JOBS: Final = 256
LOAD_S: Final = 0.2  # between the imports of two games' rules, which take 15 to 40 ms of CPU each (0022)


def options(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    from qipai.cli.folder import folder
    from qipai.cli.workers import counted

    parser.add_argument("--host", default="127.0.0.1", help="address to listen at (default: this machine only)")
    parser.add_argument("--port", type=int, default=8000, help="port to listen at; 0 takes a free one")
    parser.add_argument("--data", type=Path, default=folder(), metavar="DIR", help="folder of the hall (%(default)s)")
    store = "keep all in a PostgreSQL database, postgresql://… ([store] url in hall.toml; the variable QIPAI_STORE)"
    parser.add_argument("--store", metavar="URL", help=store)
    node = "serve with others from one database: where they reach this one, on a port of its own (QIPAI_NODE)"
    parser.add_argument("--node", metavar="HOST:PORT", default=os.environ.get("QIPAI_NODE") or None, help=node)
    many = "serve by so many nodes on this machine, from one database; auto: one a core. SIGHUP replaces them in turn"
    parser.add_argument("--workers", type=counted, metavar="N", help=many)
    bus = "ask bots on machines of their own through NATS, nats://… ([bus] url in hall.toml; the variable QIPAI_BUS)"
    parser.add_argument("--bus", metavar="URL", help=bus)
    only = "keep no hall: think for the bots of the one whose --bus this is"
    parser.add_argument("--only", choices=("bots",), help=only)
    parser.add_argument("--jobs", type=int, metavar="N", help="of --only bots: processes that think (one a core)")
    game = "of --only bots: a game that it thinks about; may be repeated; all without it"
    parser.add_argument("--game", action="append", default=[], metavar="NAME", help=game)
    parser.add_argument("--lan", action="store_true", help="open the hall to the local network and print a QR code")


def run(args: argparse.Namespace) -> int:
    """Serve until Ctrl-C."""
    if args.workers is None:
        return _run(args, None)
    from qipai.cli.workers import given

    place = given()
    return _run(args, None) if place is None else place.work(lambda: _run(args, place))


def _run(args: argparse.Namespace, place: Place | None) -> int:
    """Serve. place: what a worker has from its supervisor."""
    from qipai.cli.folder import BUS, claimed
    from qipai.store.reader import STORE

    if not 0 <= args.port <= 65535:
        raise Trouble(f"--port {args.port}: a port is a number from 0 to 65535")
    env = dict(os.environ)
    if args.bus is not None:
        os.environ[BUS] = args.bus
    if args.only is not None:
        return _only_bots(args)
    if args.jobs is not None or args.game:
        raise Trouble("--jobs and --game are of --only bots; a hall's own processes are [bots] workers in hall.toml")
    if args.workers is not None and args.node is not None:
        raise Trouble(
            "--workers: they reach each other on this machine by themselves; leave out --node (QIPAI_NODE), or"
            " --workers where nodes of several machines serve",
            2,
        )
    if args.store is not None:
        os.environ[STORE] = args.store
    heard = "0.0.0.0" if args.lan else args.host
    shared = args.node is not None or args.workers is not None
    with (
        claimed(args.data, shared=shared) as config,
        _bound(heard, args.port) if place is None else place.public as listener,
    ):
        if args.workers is not None:
            _may_work(config)
        port = listener.getsockname()[1]
        host = _lan_address() if args.lan else args.host
        shown = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
        url = f"http://{f'[{shown}]' if ':' in shown else shown}:{port}"
        if args.workers is not None and place is None:
            from qipai.cli.workers import supervised

            return supervised(listener, args.workers, env, lambda: announce(url, lan=args.lan))
        if shared:
            if not config.store.url:
                raise Trouble(
                    "--node: nodes share a hall through a PostgreSQL database; name it with --store postgresql://…,"
                    " or leave --node out"
                )
            try:
                from qipai.cli.nodes import serve_as_node
            except ImportError as wrong:
                raise Trouble(f"psycopg is missing ({wrong}); install qipai[postgres]") from wrong

            return serve_as_node(args.data, config, listener, place or args.node, url, lan=args.lan)
        _serve(args.data, config, listener, url, lan=args.lan)
    return 0


def _may_work(config: Config) -> None:
    """Raise Trouble where workers cannot serve a hall."""
    if not config.store.url:
        raise Trouble(
            "--workers: a hall in a file (SQLite) is served by one process, since no other one may write to it; name a"
            " PostgreSQL database with --store postgresql://… (`qipai migrate` brings a hall there), or leave it out",
            2,
        )
    if os.name != "posix":
        raise Trouble("--workers: this system cannot hand a socket to several processes; leave it out", 2)


def _only_bots(args: argparse.Namespace) -> int:
    from qipai.cli.bot_node import serve_bots
    from qipai.cli.folder import BUS

    if args.workers is not None:
        raise Trouble("--only bots serves nobody: leave out --workers; --jobs says how many processes think", 2)
    if args.store or args.node or args.lan:
        raise Trouble("--only bots keeps no hall and serves nobody: leave out --store, --node and --lan")
    if args.jobs is not None and not 1 <= args.jobs <= MOST_JOBS:
        raise Trouble(f"--jobs {args.jobs}: a number from 1 to {MOST_JOBS}")
    return serve_bots(args.data, os.environ.get(BUS, ""), args.jobs, args.game)


def _bound(host: str, port: int) -> socket.socket:
    """Return a listening socket."""
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        return socket.create_server((host, port), family=family, backlog=2048)
    except (OSError, UnicodeError) as wrong:
        why = getattr(wrong, "strerror", None) or wrong
        raise Trouble(
            f"cannot listen at {host}, port {port}: {why}. Another --port may be free; 0 takes one"
        ) from wrong


def _lan_address() -> str:
    """Return this machine's address in the local network."""
    from qipai.web.origin import own_address

    found = own_address()
    if found is None:
        print("No local network was found: the hall can be reached from this machine alone.", file=sys.stderr)
    return found or "127.0.0.1"


def _serve(data: Path, config: Config, listener: socket.socket, url: str, *, lan: bool) -> None:
    import asyncio

    house = built(data, config, url if lan else None)
    from qipai.cli.server import Server

    async def main() -> None:
        await opened(house, data)
        loading = asyncio.create_task(load_games())
        try:
            await Server(house, lambda: announce(url, lan=lan)).serve(sockets=[listener])
        finally:
            loading.cancel()
            await house.shut()

    with asyncio.Runner(loop_factory=loop_factory()) as runner:
        runner.run(main())


def built(data: Path, config: Config, public: str | None, worker: str = "") -> House:
    """Return the hall of a folder, ready to be opened, with the log begun. worker: the name of this process in it."""
    import gc

    gc.disable()  # what is made while the hall starts stays
    from qipai.cli import log
    from qipai.cli.bot_node import bus_at
    from qipai.store import Unusable
    from qipai.web.house import House

    log.start(worker)
    _open_files()
    bus = bus_at(config.bus.url, data, makes=True) if config.bus.url else None
    try:
        return House(data, config, public=public, bus=bus)
    except Unusable as wrong:
        raise Trouble(f"{_called(data, config)} cannot be used: {wrong}") from wrong


async def opened(house: House, data: Path) -> None:
    """Open a hall, and load what its tables need."""
    import asyncio

    from qipai import bus as bus_faults
    from qipai import games
    from qipai.cli.folder import room_fault
    from qipai.core.garbage import settle
    from qipai.hall.live.books import games_in_use
    from qipai.hall.table.errors import HallError
    from qipai.store import Unusable, Unwritten

    if (bus := house.bus) is not None:
        try:
            await bus.open(wait=not house.services.node)  # a node that follows one that has died waits for nothing
        except bus_faults.Unusable as wrong:
            raise Trouble(f"{bus.name} cannot be used: {wrong}") from wrong
        words = "bots of this hall may think on other machines: qipai serve --only bots --bus nats://…/%s"
        logging.getLogger("qipai.bus").info(words, bus.hall)
    try:
        await house.open()
    except (Unusable, Unwritten) as wrong:
        raise Trouble(f"{_called(data, house.config)} cannot be used: {wrong}") from wrong
    except HallError as wrong:
        raise Trouble(f"{data / 'hall.toml'}: {room_fault(wrong, data / 'hall.toml')}") from wrong
    in_use = await house.store.read(games_in_use)
    for game in in_use:
        _load_game(game)  # else the first person to come back to a table waits for it
        _prepare(game)
        await asyncio.sleep(0)  # a node whose loop does not run for seconds is taken for one that hangs (0071)
    settle()
    house.bots.open(dict.fromkeys((*in_use, *games.names())))


def announce(url: str, *, lan: bool) -> None:
    """Say where the hall is, for a phone to read too."""
    print(f"qipai is serving at {url}", flush=True)
    if lan:
        import segno

        print("For the phones in this room:", flush=True)
        segno.make(url, error="m").terminal(compact=True)
        sys.stdout.flush()


def _called(data: Path, config: Config) -> str:
    from qipai.cli.folder import called
    from qipai.web.services import DATABASE

    return called(config.store.url) if config.store.url else str(data / DATABASE)


def _open_files() -> None:
    """Raise the limit of open files to what the system allows; each connection is one."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = MOST_FILES if hard == resource.RLIM_INFINITY else min(hard, MOST_FILES)
    if soft != resource.RLIM_INFINITY and soft < most:
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
            soft = most
    if soft != resource.RLIM_INFINITY and soft < ENOUGH_FILES:
        logging.getLogger(__name__).warning(
            "only %d files may be open at once, and every connection is one: raise the limit (ulimit -Hn, LimitNOFILE)",
            soft,
        )


async def load_games() -> None:
    """Load all games, one after the other while the hall serves; a player who is quicker loads their own game.

    The rules are imported on the loop, which stands still for each: two threads that import the same package can find
    it half made. What is only computed or read is made in a thread.
    """
    import asyncio
    import gc

    from qipai import games
    from qipai.accounts.text import look

    await asyncio.to_thread(look, "qipai")
    for name in games.names():
        await asyncio.sleep(LOAD_S)
        _load_game(name)
        await asyncio.to_thread(_prepare, name)
    gc.freeze()


def _load_game(name: str) -> None:
    """Import the rules of a game; a failure is logged."""
    from qipai import games

    try:
        games.find(name).load()
    except Exception:  # whoever plays it gets the same error
        logging.getLogger(__name__).exception("the game %s cannot be loaded", name)


def _prepare(name: str) -> None:
    """Make the lookup tables and the description of a game, if its rules can be loaded."""
    from qipai import games
    from qipai.web.catalog import game_info

    try:
        games.find(name).tables()
        game_info(name)
    except Exception:  # they are then made when somebody asks for them, or fail there
        logging.getLogger(__name__).exception("what the game %s looks up cannot be made ahead", name)


def loop_factory() -> type[asyncio.AbstractEventLoop] | None:
    """Return the loop to run on, None for Python's own."""
    try:
        import uvloop
    except ImportError:  # Windows, PyPy
        return None
    return uvloop.Loop
