"""The pure core of a table: `handle(table, command, now)` returns the new table and the events that led to it.

Commands are the messages of clients (`hall.table.commands`), with who sent them, and the commands of the hall itself
(`hall.table.system_commands`): time is up, a line was lost, a bot has chosen. A refused command raises HallError and
changes nothing. A table is the fold of its events (`hall.table.fold`); `handlers` and `system_handlers` decide which
events follow from a command.
"""

from __future__ import annotations

from typing import Final

from qipai.hall.table.handlers import carry_out, judged, tried
from qipai.hall.table.model import Table, TableLimits
from qipai.hall.table.system_commands import SYSTEM, Actor, Given, Scored, TableCommand
from qipai.hall.table.system_handlers import may_begin
from qipai.hall.table.update import Applied, TableUpdate, dues

__all__ = ["DEFAULT", "Applied", "handle", "judged", "may_begin", "next_due", "tried"]

DEFAULT: Final = TableLimits()


def handle(
    table: Table,
    command: TableCommand,
    now: int,
    by: Actor = SYSTEM,
    limits: TableLimits = DEFAULT,
    *,
    due: bool = True,
) -> tuple[Table, tuple[Applied, ...]]:
    """Return the table after a command, and the events that followed, with what each tells to whom.

    What was due before `now` happens first, unless time is given back. Raises HallError when the command is refused;
    then nothing has happened, and what is due is still due. due: False if the caller knows from `next_due` that nothing
    is due.
    """
    update = TableUpdate(table, now, limits)
    if due and type(command) not in (Given, Scored):  # these come before what is due and change it
        update.catch_up()
    update.by = by
    update.cid = command.cid
    carry_out(update, command)
    return update.table, tuple(update.applied)


def next_due(table: Table, limits: TableLimits = DEFAULT) -> int | None:
    """Return when something at this table is next due, ms since 1970."""
    first = min(dues(table, limits), default=None)
    return None if first is None else first.at
