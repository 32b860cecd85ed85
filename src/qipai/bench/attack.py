"""`qipai bench load --attackers`: an hour of a town's play beside attackers, restarts and backups, and what is lost.

The hall has the limits that it has out of the box. Its players play at the pace of people and come back, as clients do,
whenever it restarts: in good order and by force, in turn. Attackers (`qipai.bench.attackers`) come from an address of
their own and, behind a proxy that the hall believes, from many more. Meanwhile backups are made. In the end every move
that was acknowledged must be in the log and in each backup made after it, and everybody must still have their seat.
"""

from __future__ import annotations

import asyncio
import json
import random
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from msgspec import Struct

from qipai.bench.attackers import WAYS
from qipai.bench.engine import games_with_rows
from qipai.bench.hall import Hall
from qipai.bench.lines import Line
from qipai.bench.load import lost
from qipai.bench.players import Board, Player, Playing, offered, seated
from qipai.bench.replay import DATABASE
from qipai.bench.sheet import Check, Table, line
from qipai.core.measure import Absent
from qipai.web.origin import DEVICE, own_address

__all__ = ["Found", "Plan", "attacked", "measure", "table"]

Progress = Callable[[str], None]
P99_MS: Final = 50.0
PACE_S: Final = 3.0  # for an answer
PING_S: Final = 15.0
FIRST_S, MOST_S = 0.25, 8.0  # until a client tries again
STILL_S: Final = 60.0  # at least one of a table's seats answers in that time
NAME, PASSWORD = "keeper", "a right password, not a wrong one"
SIGN_IN_S: Final = 20.0
LOG: Final = "stderr"


class Plan(Struct, frozen=True):
    """How much is played."""

    games: tuple[str, ...]
    tables: int  # of each game
    seconds: float
    restart_s: float  # between two restarts
    backup_s: float  # between two backups
    pace_s: float = PACE_S


class Found(Struct):
    """What was found."""

    moves: int = 0
    took: float = 0.0
    acks: list[float] = []  # s from a move to its acknowledgement
    views: list[float] = []  # s from a move to its last view
    outages: list[float] = []  # s from the end of a hall until it serves again
    sign_ins: list[float] = []  # s until a right password is taken
    attacks: dict[str, tuple[int, int]] = {}  # by their way: carried out, refused or hung up on
    backups: int = 0
    bad_backups: int = 0
    restored: bool = False
    missing: int = 0  # acknowledged actions
    holes: int = 0
    lines: int = 0  # of players, lost while the hall was up
    seats: int = 0  # lost
    still: int = 0  # tables at which nobody moves any more
    tracebacks: list[str] = []  # the lines of the log with one in it
    refused_sign_ins: int = 0


class Seat(Player):
    """A player who looks at the clock, and at whether they still have their seat."""

    __slots__ = ("lost", "mine", "moved", "offered", "sat", "thinking")

    def __init__(self, playing: Playing, table: Board, token: str) -> None:
        super().__init__(playing, table, token)
        self.mine = self.moved = 0.0
        self.sat = self.thinking = False
        self.offered: list[bytes] = []  # in a race: the actions that are possible now
        self.lost = 0  # how often they came back to no seat

    def answer(self, text: bytes, ask: bytes) -> None:
        """Answer; in a race one question stands for the whole game, and one move is thought about at a time."""
        if not self.playing.race:
            super().answer(text, ask)
        elif listed := offered(text):
            self.asked, self.offered = ask, listed
            self.go_on()

    def go_on(self) -> None:
        """Think about the next move of a race, unless one is thought about, or under way."""
        if self.offered and not self.thinking and not self.mine:
            self.thinking = True
            self.playing.answer(self, self.asked, self.offered[(self.number + 7 * self.acts) % len(self.offered)])

    def act(self, ask: bytes, action: bytes) -> None:
        """Play."""
        self.thinking = False
        self.mine = time.perf_counter()
        super().act(ask, action)

    def heard(self, line: Line, text: bytes) -> None:
        """Take the time of an answer, then play on."""
        if self.mine and text.startswith(b'{"t":"ack"') and b'"cid":"m%d-%d"' % (self.number, self.cid) in text[:40]:
            assert isinstance(self.playing, Game)
            self.moved = time.perf_counter()
            self.playing.acks.append(self.moved - self.mine)
            self.mine = 0.0
            self.go_on()
        elif self.playing.race and text.startswith(b'{"t":"err"') and b'"re":"act"' in text:
            self.mine = 0.0
            if b'"code":"STALE"' in text:
                self.offered = []  # the game is over
            self.go_on()
        elif text.startswith(b'{"t":"snapshot"'):
            at = text.index(b'"you":{"seat":') + 14
            seat = text[at : text.index(b",", at)]
            self.lost += self.sat and seat == b"null"  # another seat is not a lost one: some games swap sides
            self.sat = self.sat or seat != b"null"
        super().heard(line, text)


class Game(Playing):
    """All tables of a game, with how long acknowledgements took."""

    def __init__(self, seats: int, *, race: bool) -> None:
        super().__init__(seats, race=race)
        self.acks: list[float] = []


class Siege:
    """The hall, who plays there, and who attacks it."""

    def __init__(self, data: Path, plan: Plan, told: Progress) -> None:
        self.data, self.plan, self.told = data, plan, told
        self.found = Found()
        self.hall = self.serve(0)
        self.playing: list[Game] = []
        self.returning: set[Seat] = set()
        self.copies: list[tuple[Path, frozenset[bytes]]] = []
        self.acked: set[bytes] = set()
        self.luck = random.Random(1)
        self.up = True
        self.device = ""  # the cookie by which the hall knows who has signed in from here before

    def serve(self, port: int) -> Hall:
        """Return the hall, started at a port; 0: any."""
        return Hall(self.data, "", ("--host", "0.0.0.0", "--port", str(port)), self.data / LOG)

    @property
    def players(self) -> list[Seat]:
        """Everybody."""
        return [player for playing in self.playing for player in playing.players if isinstance(player, Seat)]

    async def seat(self) -> None:
        """Seat everybody."""
        from qipai import games

        self.hall.call("POST", "/register", {"name": NAME, "password": PASSWORD})
        if self.sign_in("203.0.113.251") is None:
            raise RuntimeError("a right password is refused before anybody attacks")
        for name in self.plan.games:
            self.told(f"seating {name}")
            entry = games.find(name)
            playing = Game(entry.seats[-1], race=entry.pace is not None)
            playing.acked = self.acked
            self.playing.append(playing)
            await seated(self.hall, name, self.plan.tables, playing, pauses=True, seat_of=Seat)
            playing.go(self.plan.pace_s)  # at once: a player who does not answer in time loses their seat to a bot

    async def play(self) -> None:
        """Play for the whole time, with everything that happens meanwhile."""
        began = time.monotonic()
        end = began + self.plan.seconds
        host = outside()
        attackers = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "qipai.bench.attackers", host, str(self.hall.port)),
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL,
        )  # fmt: skip
        try:
            async with asyncio.TaskGroup() as group:
                late = (self.pings(end), self.returns(end), self.restarts(end), self.backups(end), self.sign_ins(end))
                for each in (*late, self.tell(began, end)):
                    group.create_task(each)
        finally:
            said, _ = await attackers.communicate(b"")
        self.found.attacks = {name: (done, refused) for name, (done, refused) in json.loads(said).items()}
        await asyncio.sleep(2 * self.plan.pace_s)  # those who were coming back have arrived
        self.found.took = time.monotonic() - began

    async def tell(self, began: float, end: float) -> None:
        """Report the progress."""
        while (now := time.monotonic()) < end:
            moves = sum(playing.moves for playing in self.playing)
            self.told(f"{(now - began) / 60:.0f} of {self.plan.seconds / 60:.0f} minutes, {moves} moves")
            await asyncio.sleep(min(15.0, max(0.0, end - now)))

    async def pings(self, end: float) -> None:
        """Send pings, so that lines of players who think are not dropped."""
        while time.monotonic() < end:
            for player in self.players:
                if not player.line.lost:
                    player.line.send(b'{"t":"ping","n":1}')
            await asyncio.sleep(min(PING_S, max(0.0, end - time.monotonic())))

    async def returns(self, end: float) -> None:
        """Let everybody whose line is lost come back."""
        async with asyncio.TaskGroup() as group:
            while time.monotonic() < end:
                for player in self.players:
                    if player.line.lost and player not in self.returning:
                        self.returning.add(player)
                        self.found.lines += self.up
                        group.create_task(self.come_back(player))
                await asyncio.sleep(0.1)

    async def come_back(self, player: Seat) -> None:
        """Try again and again, as the protocol has it."""
        wait = FIRST_S
        player.table.left, player.mine = 0, 0.0
        while True:
            await asyncio.sleep(wait * self.luck.uniform(0.5, 1.0))
            try:
                await player.back(self.hall)
                player.mine = 0.0  # nobody answers what was sent to a closed line
                break
            except OSError:
                wait = min(MOST_S, 2 * wait)
        self.returning.discard(player)

    async def restarts(self, end: float) -> None:
        """End the hall, in good order and by force in turn, and start it again."""
        number = 0
        while time.monotonic() + self.plan.restart_s + 2 * self.plan.pace_s < end:
            await asyncio.sleep(self.plan.restart_s)
            self.up, port, gone = False, self.hall.port, time.perf_counter()
            await asyncio.to_thread(self.hall.stop if number % 2 else self.killed)
            self.hall = await asyncio.to_thread(self.serve, port)
            self.found.outages.append(time.perf_counter() - gone)
            self.up, number = True, number + 1

    def killed(self) -> None:
        """End the hall by force."""
        self.hall.kill()
        self.hall.stop()

    async def backups(self, end: float) -> None:
        """Make a backup again and again."""
        while time.monotonic() + self.plan.backup_s < end:
            await asyncio.sleep(self.plan.backup_s)
            to = self.data.parent / f"copy-{self.found.backups}"
            known = frozenset(self.acked)
            command = (sys.executable, "-m", "qipai", "backup", str(to), "--data", str(self.data))
            backup = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.DEVNULL)
            self.found.backups += 1
            if await backup.wait():
                self.found.bad_backups += 1
            else:
                self.copies.append((to, known))

    async def sign_ins(self, end: float) -> None:
        """Sign in with the right password, where one has signed in before, while others try wrong ones."""
        place = 0
        while time.monotonic() + SIGN_IN_S < end:
            await asyncio.sleep(SIGN_IN_S)
            if self.up:
                place += 1
                took = await asyncio.to_thread(self.sign_in, f"203.0.113.{place % 250}")
                if took is None:
                    self.found.refused_sign_ins += 1
                else:
                    self.found.sign_ins.append(took)

    def sign_in(self, place: str) -> float | None:
        """Return how many seconds signing in took; None: the password was not accepted."""
        import http.client

        began = time.perf_counter()
        line = http.client.HTTPConnection(self.hall.host, self.hall.port, timeout=60)
        try:
            text = json.dumps({"name": NAME, "password": PASSWORD})
            headers = {"Content-Type": "application/json", "X-Forwarded-For": place, "Cookie": self.device}
            line.request("POST", "/api/v1/login", text, headers)
            answer = line.getresponse()
            answer.read()
            if answer.status != 200:
                return None
            for cookie in answer.headers.get_all("Set-Cookie", []):
                if cookie.startswith(f"{DEVICE}="):
                    self.device = cookie.split(";", 1)[0]
            return time.perf_counter() - began
        except (OSError, http.client.HTTPException):
            return None
        finally:
            line.close()

    def finish(self) -> None:
        """Look at what is left: seats, tables, the log, the backups."""
        found, now = self.found, time.perf_counter()
        for playing in self.playing:
            found.acks += playing.acks
            found.views += playing.delays
        found.moves = sum(playing.moves for playing in self.playing)
        moved: dict[int, float] = {}
        for player in self.players:
            moved[player.table.id] = max(moved.get(player.table.id, 0.0), player.moved)
            found.seats += bool(player.lost)
        found.still = sum(now - last > STILL_S for last in moved.values())
        for playing in self.playing:
            playing.close()
        self.hall.stop()
        found.missing, found.holes = lost(self.data / DATABASE, self.acked)
        found.seats += bots(self.data / DATABASE, set(moved))
        written = (self.data / LOG).read_text(errors="replace")
        found.tracebacks = [told for told in written.splitlines() if "Traceback" in told]
        for at, (copy, known) in enumerate(self.copies):
            self.told(f"looking through backup {at + 1}/{len(self.copies)}")
            found.bad_backups += lost(copy / DATABASE, set(known)) != (0, 0)
        if self.copies:
            with Hall(self.copies[-1][0]) as again:  # a backup must answer this
                found.restored = bool(again.call("GET", "/rooms"))


def bots(file: Path, tables: set[int]) -> int:
    """Return how often a bot took a seat at some tables because its player was lost, or a player lost it."""
    db = sqlite3.connect(f"file:{file}?mode=ro", uri=True)
    try:
        rows = db.execute("SELECT stream, type, data FROM events WHERE type IN ('table.presence', 'table.stood')")
        ours = {f"table:{table}" for table in tables}
        return sum(
            stream in ours and (type_ == "table.stood" or json.loads(data)["state"] in ("bot", "left"))
            for stream, type_, data in rows
        )
    finally:
        db.close()


def outside() -> str:
    """Return an address of this machine that the hall takes for somebody else's; raises Absent where there is none."""
    found = own_address()
    if found is None:
        raise Absent("this machine has no address but its own: the hall would take attackers for itself")
    return found


async def attacked(data: Path, plan: Plan, told: Progress) -> Found:
    """Play beside attackers; return what was found. data: the hall's folder; backups are made beside it."""
    outside()
    data.mkdir(parents=True, exist_ok=True)
    siege = Siege(data, plan, told)
    try:
        await siege.seat()
        await siege.play()
        siege.finish()
    finally:
        siege.hall.stop()
    return siege.found


def measure(quick: bool, told: Progress) -> tuple[list[Table], dict[str, str]]:
    """Return the table."""
    games = tuple(games_with_rows())
    plan = Plan(games, 2, 240, 50, 35) if quick else Plan(games, 8, 3600, 240, 300)
    with tempfile.TemporaryDirectory(prefix="qipai-bench-") as folder:
        found = asyncio.run(attacked(Path(folder) / "hall", plan, told))
    return [table(plan, found)], {}


def at(delays: Sequence[float], share: float) -> float:
    """Return the delay, in ms, that this share of all does not exceed."""
    ordered = sorted(delays)
    return 1000 * ordered[int((len(ordered) - 1) * share)]


def table(plan: Plan, found: Found) -> Table:
    """Return what was found."""
    tables = plan.tables * len(plan.games)
    lines = tuple(
        line(what, [1000 * each for each in delays])
        for what, delays in (
            ("from a move to its acknowledgement", found.acks),
            ("from a move to its last view", found.views),
            ("a right password, on a device that is known", found.sign_ins),
            ("from the end of a hall until it serves again", found.outages),
        )
        if delays
    )
    checks = (
        Check(
            "p99 from a move to its acknowledgement, ms", P99_MS, False, at(found.acks, 0.99) if found.acks else None
        ),
        Check("acknowledged actions that the log has not", 0.0, False, float(found.missing)),
        Check("holes in the log", 0.0, False, float(found.holes)),
        Check("lines of players lost while the hall was up", 0.0, False, float(found.lines)),
        Check("seats lost", 0.0, False, float(found.seats)),
        Check("tables at which nobody moves any more", 0.0, False, float(found.still)),
        Check("backups that were not made, or lack what was acknowledged before", 0.0, False, float(found.bad_backups)),
        Check("a hall serves from the last backup", 1.0, True, float(found.restored)),
        Check("right passwords that were refused", 0.0, False, float(found.refused_sign_ins)),
        Check("tracebacks in the hall's log", 0.0, False, float(len(found.tracebacks))),
    )
    notes = (
        f"{found.moves} moves at {tables} tables, {plan.pace_s:g} s for an answer, in {found.took:.0f} s",
        f"{len(found.outages)} restarts, every other by force; {found.backups} backups, all looked through",
        *(
            f"{name}: {done} times, about {WAYS[name][1]:g} a second; {refused} refused or hung up on"
            for name, (done, refused) in found.attacks.items()
        ),
        "moves that a restart cut off are made again, and counted from then",
        "the attackers run on the same machine, which has to do their work, too",
    )
    return Table(f"{plan.seconds / 60:.0f} minutes of {tables} tables under attack", "ms", lines, checks, notes)
