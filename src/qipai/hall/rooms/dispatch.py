"""Dispatch: passes each command from a line to the part of the hall that handles it (platform 13.1)."""

from __future__ import annotations

from functools import partial

from msgspec import structs

from qipai.accounts.model import User
from qipai.accounts.text import plain
from qipai.hall.live.live_table import LiveTable
from qipai.hall.live.runner import TableRunner
from qipai.hall.live.timers import Clock
from qipai.hall.rooms.admission import Admission
from qipai.hall.rooms.audience import Audience
from qipai.hall.rooms.chats import Chats
from qipai.hall.rooms.finder import Finder
from qipai.hall.rooms.lobby import Lobby
from qipai.hall.rooms.session import Session
from qipai.hall.rooms.talk import Talk
from qipai.hall.table import commands
from qipai.hall.table.clock import by_days
from qipai.hall.table.errors import HallError, busy
from qipai.hall.table.system_commands import Actor
from qipai.social.circles import Circles
from qipai.store import Unwritten

__all__ = ["Dispatch"]

ASKING = (commands.Join, commands.Enter, commands.Follow, commands.Hear)  # nothing is written for these


class Dispatch:
    """Passes commands on."""

    def __init__(
        self,
        clock: Clock,
        runner: TableRunner,
        finder: Finder,
        admission: Admission,
        audience: Audience,
        lobby: Lobby,
        talk: Talk,
        chats: Chats,
        circles: Circles,
    ) -> None:
        self._clock, self._runner, self._finder, self._admission = clock, runner, finder, admission
        self._audience, self._lobby, self._talk, self._chats, self._circles = audience, lobby, talk, chats, circles

    async def handle(self, session: Session, command: commands.HallMessage) -> None:
        """Handle a command; the answer goes through the session's connection later.

        Returns when the next command may be given, which can be before this one is answered. Raises HallError for what
        is refused at once.
        """
        try:
            await self._handle(session, command)
        except Unwritten as wrong:
            raise busy(wrong, asked=isinstance(command, ASKING)) from wrong

    async def _handle(self, session: Session, command: commands.HallMessage) -> None:
        match command:
            case commands.Join():
                await self._audience.join(session, command)
            case commands.Leave():
                self._audience.leave(session, command.table)
            case commands.Enter():
                await self._lobby.enter(session, command.room)
            case commands.Exit():
                self._lobby.exit(session, command.room)
            case commands.Follow():
                await self._lobby.follow(session, command.list, on=command.on)
            case commands.Hear():
                await self._chats.hear(session, command.to, on=command.on)
            case commands.Say():
                await self._talk.say(session, command)
            case _:
                await self._at_table(session, command)

    def awake(self, table: int) -> bool:
        """Tell whether a table is in memory, so that `act` can be used."""
        return table in self._runner.tables

    def act(self, session: Session, act: commands.Act) -> None:
        """Handle an action at a table in memory, as `handle` does. Raises HallError for what is refused at once."""
        user = self._signed_in(session)
        live = self._runner.tables[act.table]
        live.last_used = self._clock.now()
        self._runner.submit(live, act, self._by(session, user, live), session.answer(act, live.id))

    @staticmethod
    def _signed_in(session: Session) -> User:
        if session.user is None:
            raise HallError("SIGN_IN")
        return session.user

    @staticmethod
    def _by(session: Session, user: User, live: LiveTable) -> Actor:
        """Return who gives a table a command; raises HallError if the table is closed."""
        table = live.table
        if table.state == "closed":
            raise HallError("NO_SUCH_TABLE")
        return Actor(
            user.id,
            guest=user.kind == "guest",
            bot=user.kind == "bot",
            moderator=session.moderates(table.setting.room),
            unproven=session.barred(table.setting.room),
        )

    async def _at_table(self, session: Session, command: commands.TableMessage) -> None:
        """Give a table somebody's command."""
        user = self._signed_in(session)
        live = await self._finder.find(command.table)
        if live is None:
            raise HallError("NO_SUCH_TABLE")
        by = self._by(session, user, live)
        if isinstance(command, commands.Sit):
            if command.key is not None:
                self._audience.tried(live.table, user.id, command.key, session.address)
            by = await self._admission.sitter(session, user, live)
            live = await self._audience.with_talk(live)
        elif isinstance(command, commands.Remove) and command.why:
            command = structs.replace(command, why=plain(command.why))
        elif isinstance(command, commands.Set | commands.Fill) and live.table.rows == 0:
            raise HallError("NOT_SEATED")
        elif isinstance(command, commands.Set) and by_days(command.clock) and not live.table.turn_based:
            await self._admission.may_be_turn_based(user)
        elif isinstance(command, commands.Ready) and command.on:
            await self._admission.may_play_on(live.table, user)  # a limit on losses also stops those who stay seated
        elif isinstance(command, commands.Shoulder) and command.user is not None:
            await self._audience.may_look_over(live.table, user.id, command.user)
        if isinstance(command, commands.Set) and isinstance(command.options, dict):
            group = command.options.get("group")
            if isinstance(group, int) and not self._circles.owns(user.id, group):
                raise HallError("BAD_OPTION", field="group")
        if isinstance(command, commands.Seed):
            self._runner.submit(live, command, by)
            return
        answer = session.answer(command, live.id)
        if isinstance(command, commands.Sit):
            answer = partial(self._audience.seated, session, live, answer)
        self._runner.submit(live, command, by, answer)
