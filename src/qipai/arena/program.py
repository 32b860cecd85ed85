"""A program that plays as a bot account of a hall, over plain HTTP (platform P-93): the reference client.

It takes up every invitation to a game that it plays, and answers what is asked of its seats. A line that is lost is
opened again; what was missed is told anew by the hall.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from http.client import HTTPException
from importlib import import_module
from typing import Any, Final
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import msgspec

from qipai import games
from qipai.core.contract import Bot

__all__ = ["Program", "players"]

Make = Callable[[str, Mapping[str, Any]], Bot[Any, Any]]  # (game, options) -> who plays it
SILENT_S: Final = 30  # the hall says something every seven seconds
PAUSES: Final = (1, 2, 5, 15, 60)  # seconds before a lost line is opened again


class Choice(msgspec.Struct, frozen=True):
    """Which games a program plays, and who plays them."""

    games: tuple[str, ...]
    make: Make


def players(*, level: str, engine: Sequence[str], player: str | None, games: Sequence[str] | None, ms: int) -> Choice:
    """Return who plays: our level, a class of somebody's own, or another program. Raises ValueError."""
    from qipai import games as all_games

    names = list(games or all_games.names())
    if unknown := [name for name in names if name not in all_games.names()]:
        raise ValueError(f"there is no game {unknown[0]}: {', '.join(all_games.names())}")
    if engine:
        able = [name for name in names if all_games.find(name).outside is not None]
        if not able or (games and able != names):
            raise ValueError("other programs play xiangqi (UCI, UCCI) and backgammon (gnubg): say which by --game")
        if len(able) > 1:
            raise ValueError(f"an engine plays one game; say which by --game: {', '.join(able)}")
        names = able
    made: Make
    if player is not None:
        module, _, attribute = player.partition(":")
        try:
            kind = getattr(import_module(module), attribute)
        except (ImportError, AttributeError, ValueError) as wrong:
            raise ValueError(f"--player takes MODULE:CLASS, and {player} is none: {wrong}") from wrong

        def made(game: str, options: Mapping[str, Any]) -> Bot[Any, Any]:
            found: Bot[Any, Any] = kind(all_games.find(game).chosen(dict(options)))
            return found
    else:

        def made(game: str, options: Mapping[str, Any]) -> Bot[Any, Any]:
            entry = all_games.find(game)
            chosen = entry.chosen(dict(options))
            if engine and entry.outside is not None:
                return entry.outside(chosen, engine)
            return entry.bots[level](chosen, seed=time.time_ns() & 0xFFFFFFFF)

    return Choice(tuple(names), made)


class Refusal(Exception):
    """What the hall refuses. code, facts: as it says them."""

    def __init__(self, code: str, facts: Mapping[str, Any]) -> None:
        super().__init__(f"{code} {dict(facts)}")
        self.code, self.facts = code, facts


class Program:
    """A running program. say: takes lines about what it does."""

    def __init__(self, hall: str, token: str, choice: Choice, ms: int, say: Callable[[str], None]) -> None:
        self._api = f"{hall.rstrip('/')}/api/v1"
        self._token, self._choice, self._ms, self._say = token, choice, ms, say
        self._tables: set[int] = set()
        self._lock = threading.Lock()
        self._over = threading.Event()

    def run(self) -> None:
        """Play until `stop`; raises PermissionError if the hall does not take the token."""
        failed = 0
        while not self._over.is_set():
            try:
                for message in self._lines("/bot/events"):
                    failed = 0
                    if message is None:
                        self._look_for_invitations()
                    elif message["t"] == "start":
                        self._sit_at(message["table"])
                    elif message["t"] == "note" and message["kind"] == "invite":
                        self._look_for_invitations()
                    if self._over.is_set():
                        return
            except Refusal as wrong:
                if wrong.code in ("SIGN_IN", "NOT_ALLOWED", "BANNED"):
                    raise PermissionError(f"the hall does not take this token: {wrong}") from wrong
                self._say(f"refused: {wrong}")
            except (OSError, HTTPException, ValueError) as wrong:
                self._say(f"the line is lost: {wrong}")
            self._over.wait(PAUSES[min(failed, len(PAUSES) - 1)])
            failed += 1

    def stop(self) -> None:
        """End it, after what it is at."""
        self._over.set()

    def _request(self, path: str, body: Any = None, timeout: float = SILENT_S) -> Any:
        data = None if body is None else json.dumps(body).encode()
        headers = {"Authorization": f"Bearer {self._token}", "Content-Type": "application/json"}
        try:
            return urlopen(Request(self._api + path, data, headers), timeout=timeout)
        except HTTPError as wrong:
            with wrong:
                try:
                    error = json.load(wrong)["error"]
                except (ValueError, KeyError, TypeError):
                    raise Refusal(f"HTTP {wrong.code}", {}) from None
            raise Refusal(error["code"], error.get("facts", {})) from None

    def _call(self, path: str, body: Any = None) -> Any:
        """Ask the hall, again when it says that this is too fast."""
        while True:
            try:
                with self._request(path, body) as answer:
                    return json.load(answer)
            except Refusal as wrong:
                if wrong.code not in ("RATE_LIMIT", "BUSY"):
                    raise
                time.sleep(wrong.facts.get("wait_ms", 1000) / 1000)

    def _lines(self, path: str) -> Iterator[Any]:
        """Yield the messages of a stream, None for an empty line."""
        with self._request(path) as answer:
            for line in answer:
                yield json.loads(line) if line.strip() else None

    def _look_for_invitations(self) -> None:
        for row in self._call("/invites")["rows"]:
            if row["mine"] or row["to"] is None or row["refusal"] is not None or row["game"] not in self._choice.games:
                continue
            try:
                place = self._call(f"/invites/{row['id']}/accept", {"cid": f"accept-{row['id']}"})
            except Refusal as wrong:
                self._say(f"invitation {row['id']}: {wrong}")
                continue
            self._say(f"{row['owner']['name']} invites: {row['game']} at table {place['table']}")
            self._sit_at(place["table"])

    def _sit_at(self, table: int) -> None:
        with self._lock:
            if table in self._tables:
                return
            self._tables.add(table)
        threading.Thread(target=self._play, args=(table,), name=f"table {table}", daemon=True).start()

    def _play(self, table: int) -> None:
        failed = 0
        try:
            while not self._over.is_set() and failed < len(PAUSES):
                try:
                    if self._played(table):
                        return
                    failed = 0
                except Refusal as wrong:
                    self._say(f"table {table}: {wrong}")
                    if wrong.code in ("NO_SUCH_TABLE", "NOT_FOUND", "SIGN_IN", "NOT_ALLOWED"):
                        return
                except (OSError, HTTPException, ValueError) as wrong:
                    self._say(f"table {table}: the line is lost: {wrong}")
                self._over.wait(PAUSES[min(failed, len(PAUSES) - 1)])
                failed += 1
        finally:
            with self._lock:
                self._tables.discard(table)

    def _played(self, table: int) -> bool:
        """Follow a table until one has no seat there any more; return False when the line was lost before."""
        now: dict[str, Any] = {}
        bot: Any = None
        answered, ended, acted = None, None, 0
        for message in self._lines(f"/bot/tables/{table}"):
            if message is None or message["t"] not in ("snapshot", "ev"):
                continue
            now |= message
            if (now.get("you") or {}).get("seat") is None or now["info"]["game"] not in self._choice.games:
                return True
            if bot is None:
                bot = self._choice.make(now["info"]["game"], now["info"]["options"])
            if (result := now.get("result")) and now.get("game", {}).get("game_id") != ended:
                ended = now["game"]["game_id"]
                self._say(f"table {table}: {result['why']}, {result['points'][now['you']['seat']]} points")
                self._try(f"/bot/tables/{table}/ready", {"on": True, "cid": f"again-{ended}"})
            # A race has one question from its beginning to its end: what may be played changes.
            ask, legal = now.get("ask"), now.get("legal")
            if ask and (ask["id"], legal) != answered:
                answered = ask["id"], legal
                acted += 1
                self._answer(table, now, ask["id"], bot, acted)
        return False

    def _answer(self, table: int, now: Mapping[str, Any], ask: int, bot: Any, number: int) -> None:
        entry = games.find(now["info"]["game"])
        view = msgspec.convert(now["view"], entry.view)
        action = bot.choose(view, self._ms)
        if action is not None:
            cid = f"{table}-{now['game']['game_id']}-{ask}-{number}"
            body = {"action": msgspec.to_builtins(action), "ask": ask, "cid": cid}
            self._try(f"/bot/tables/{table}/act", body)

    def _try(self, path: str, body: Any) -> None:
        """Do something that may come too late."""
        try:
            self._call(path, body)
        except Refusal as wrong:
            if wrong.code != "STALE":
                self._say(f"{path}: {wrong}")
