"""SQL of the accounts' tables: reads and writes, each on a connection that the store hands out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any, Final, get_args

import msgspec

from qipai.accounts.model import DELETED, Login, Role, SelfDescription, Token
from qipai.store import Connection, inserted

__all__ = [
    "add_login",
    "add_online",
    "add_user",
    "administrators",
    "become_bot",
    "bots",
    "count",
    "dates",
    "delete",
    "email",
    "end_logins",
    "end_token",
    "hashed",
    "login",
    "officials",
    "password",
    "players",
    "prolong",
    "promote",
    "reachable",
    "self_description",
    "set_email",
    "set_password",
    "set_role",
    "set_self_description",
    "set_settings",
    "settings",
    "settings_of",
    "taken",
    "tokens",
    "told",
    "unlisted",
    "user",
    "users",
]

# Whether a name that somebody is to get is nobody else's; its values: the folded name, and their number.
FREE: Final = "NOT EXISTS (SELECT 1 FROM users AS other WHERE other.folded = ? AND other.id <> ?)"

REGISTERED: Final = "role != 'guest' AND deleted_at IS NULL"

Row = tuple[int, str, Role, str | None]  # id, name, role, picture
Dates = tuple[int, int | None, int]  # id, since when registered, last seen


def user(db: Connection, id: int) -> Row | None:
    """Return a user."""
    row: Row | None = db.execute("SELECT id, name, role, picture FROM users WHERE id = ?", (id,)).fetchone()
    return row


def users(db: Connection, ids: list[int]) -> list[Row]:
    """Return those of these users that there are."""
    sql = "SELECT id, name, role, picture FROM users WHERE id IN (SELECT CAST(value AS INTEGER) FROM json_each(?))"
    return db.execute(sql, (msgspec.json.encode(ids).decode(),)).fetchall()


def players(
    db: Connection, fold: str, country: str | None, only: list[int] | None, but: list[int], after: int, most: int
) -> list[Dates]:
    """Return registered users by name. fold: a part of the folded name; after: so many are left out."""
    where, values = f"{REGISTERED} AND instr(folded, ?) > 0", [fold] if fold else []
    if not fold:
        where = REGISTERED
    if country is not None:
        where += " AND country = ?"
        values.append(country)
    if only is not None:
        where += f" AND id IN ({','.join(map(str, only))})"
    if but:
        where += f" AND id NOT IN ({','.join(map(str, but))})"
    sql = f"SELECT id, registered_at, seen_at FROM users WHERE {where} ORDER BY folded LIMIT ? OFFSET ?"
    return list(db.execute(sql, (*values, most, after)))


def dates(db: Connection, id: int) -> tuple[int | None, int] | None:
    """Return since when a user is registered, and when they were last seen."""
    row: tuple[int | None, int] | None = db.execute(
        "SELECT registered_at, seen_at FROM users WHERE id = ? AND deleted_at IS NULL", (id,)
    ).fetchone()
    return row


def self_description(db: Connection, id: int) -> SelfDescription:
    """Return what a user tells of themselves."""
    row = db.execute("SELECT about, country, online_s, picture FROM users WHERE id = ?", (id,)).fetchone()
    return SelfDescription(*row) if row else SelfDescription("", None, 0)


def set_self_description(db: Connection, id: int, told: SelfDescription) -> None:
    """Write what a user tells of themselves."""
    sql = "UPDATE users SET about = ?, country = ?, picture = ? WHERE id = ?"
    db.execute(sql, (told.about, told.country, told.picture, id))


def add_online(db: Connection, seconds: Mapping[int, int]) -> None:
    """Add to how long users have had a line into the hall."""
    sql = "UPDATE users SET online_s = online_s + ? WHERE id = ? AND deleted_at IS NULL"
    db.executemany(sql, [(each, id) for id, each in seconds.items()])


def told(db: Connection, id: int, now: int) -> dict[str, Any]:
    """Return a user as data: what was given at registration, the settings, the logins in force."""
    names = [
        "id",
        "name",
        "role",
        "email",
        "about",
        "country",
        "picture",
        "made_at",
        "registered_at",
        "seen_at",
        "online_s",
    ]
    row = db.execute(f"SELECT {', '.join(names)} FROM users WHERE id = ?", (id,)).fetchone()
    logins = db.execute(
        "SELECT cookie, name, scopes, made_at, ends_at FROM logins WHERE user = ? AND ends_at > ? ORDER BY id",
        (id, now),
    )
    resets = db.execute("SELECT way, made_at, ends_at FROM resets WHERE user = ? AND ends_at > ?", (id, now))
    passkeys = db.execute("SELECT name, host, made_at, used_at FROM passkeys WHERE user = ? ORDER BY id", (id,))
    factor = db.execute("SELECT on_at FROM factors WHERE user = ?", (id,)).fetchone()
    return {
        **dict(zip(names, row, strict=True)),
        "settings": msgspec.json.decode(settings(db, id)),
        "passkeys": [{"name": name, "host": host, "made_at": at, "used_at": used} for name, host, at, used in passkeys],
        "second_factor_since": None if factor is None else factor[0],
        "resets": [{"way": way, "made_at": at, "ends_at": end} for way, at, end in resets],
        "logins": [
            {
                "kind": "cookie" if cookie else "token",
                "name": name,
                "scopes": scopes.split(),
                "made_at": at,
                "ends_at": end,
            }
            for cookie, name, scopes, at, end in logins
        ],
    }


def count(db: Connection) -> int:
    """Return how many are registered."""
    return int(db.execute(f"SELECT count(*) FROM users WHERE {REGISTERED}").fetchone()[0])


def reachable(db: Connection, folded: str, email: str) -> list[tuple[int, str, str]]:
    """Return number, name and e-mail address of who has this name or this address, and has given one."""
    sql = (
        "SELECT id, name, email FROM users WHERE password IS NOT NULL AND email IS NOT NULL"
        " AND (folded = ? OR email = ? COLLATE NOCASE) ORDER BY id LIMIT 3"
    )
    return db.execute(sql, (folded, email)).fetchall()


def email(db: Connection, id: int) -> str | None:
    """Return a user's e-mail address."""
    row = db.execute("SELECT email FROM users WHERE id = ?", (id,)).fetchone()
    return None if row is None else row[0]


def set_email(db: Connection, id: int, email: str | None) -> None:
    """Write a user's e-mail address. Links in letters sent to the address before become invalid."""
    db.execute("UPDATE users SET email = ? WHERE id = ? AND password IS NOT NULL", (email, id))
    db.execute("DELETE FROM resets WHERE user = ? AND way = 'mail'", (id,))


def password(db: Connection, folded: str) -> tuple[int, str | None] | None:
    """Return the id and hashed password of whoever has this name."""
    row: tuple[int, str | None] | None = db.execute(
        "SELECT id, password FROM users WHERE folded = ?", (folded,)
    ).fetchone()
    return row


def taken(db: Connection, names: Iterable[str], now: int) -> set[str]:
    """Return which of the folded names are taken, or were freed only recently (P-96)."""
    wanted = list(names)
    marks = ",".join("?" * len(wanted))
    sql = (
        f"SELECT folded FROM users WHERE folded IN ({marks})"
        f" UNION SELECT folded FROM kept_names WHERE folded IN ({marks}) AND until > ?"
    )
    return {name for (name,) in db.execute(sql, (*wanted, *wanted, now))}


def hashed(db: Connection, id: int) -> str | None:
    """Return a user's hashed password; None for guests and deleted accounts."""
    row = db.execute("SELECT password FROM users WHERE id = ?", (id,)).fetchone()
    return None if row is None else row[0]


def set_password(db: Connection, id: int, hash: str, keep: bytes | None, *, keep_tokens: bool) -> list[bytes]:
    """Write a user's hashed password, end their cookies but one, and their tokens, and return their hashes.

    Links by which they could set one end, too.
    """
    db.execute("DELETE FROM resets WHERE user = ?", (id,))
    db.execute("UPDATE users SET password = ? WHERE id = ? AND deleted_at IS NULL AND role != 'guest'", (hash, id))
    sql = "DELETE FROM logins WHERE user = ? AND cookie >= ? AND key IS NOT ? RETURNING key"
    return [bytes(key) for (key,) in db.execute(sql, (id, int(keep_tokens), keep)).fetchall()]


def administrators(db: Connection) -> int:
    """Return how many administrators there are."""
    return int(db.execute("SELECT count(*) FROM users WHERE role = 'admin'").fetchone()[0])


def depart(db: Connection, id: int, now: int) -> None:
    """Note that the deletion of an account has begun."""
    db.execute("INSERT INTO departures (user, at) VALUES (?, ?) ON CONFLICT DO NOTHING", (id, now))


def departing(db: Connection) -> list[int]:
    """Return whose deletion has begun and is not finished, who began first at the head."""
    return [id for (id,) in db.execute("SELECT user FROM departures ORDER BY at, user")]


def delete(db: Connection, id: int, now: int, name_until: int) -> bool:
    """Delete all that a user has told of themselves, and their logins; False when this was done before.

    The row stays, because games refer to its number. Nobody can take the name that it gets.
    """
    db.execute("DELETE FROM departures WHERE user = ?", (id,))
    row = db.execute("SELECT folded FROM users WHERE id = ? AND deleted_at IS NULL", (id,)).fetchone()
    if row is None:
        return False
    db.execute("DELETE FROM kept_names WHERE until <= ?", (now,))
    db.execute(
        "INSERT INTO kept_names VALUES (?, ?) ON CONFLICT (folded) DO UPDATE SET until = excluded.until",
        (row[0], name_until),
    )
    db.execute(
        "UPDATE users SET name = ?, folded = ?, role = 'user', password = NULL, email = NULL, settings = '{}',"
        " about = '', country = NULL, picture = NULL, online_s = 0, deleted_at = ? WHERE id = ?",
        (DELETED, f"{DELETED}:{id}", now, id),
    )
    db.execute("DELETE FROM logins WHERE user = ?", (id,))
    for table in ("resets", "factors", "recovery_codes", "passkeys"):
        db.execute(f"DELETE FROM {table} WHERE user = ?", (id,))
    return True


def add_user(
    db: Connection,
    *,
    name: str,
    folded: str,
    role: Role,
    now: int,
    password: str | None = None,
    email: str | None = None,
) -> int | None:
    """Add a user and return the id; None when the name is taken."""
    row = db.execute(
        "INSERT INTO users (name, folded, role, password, email, made_at, registered_at, seen_at)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING RETURNING id",
        (name, folded, role, password, email, now, None if role == "guest" else now, now),
    ).fetchone()
    return None if row is None else int(row[0])


def promote(db: Connection, id: int, *, name: str, folded: str, password: str, email: str | None, now: int) -> bool:
    """Turn a guest into a user; False when the name is taken or this is no guest (any more)."""
    cursor = db.execute(
        "UPDATE users SET name = ?, folded = ?, role = 'user', password = ?, email = ?,"
        f" registered_at = ?, seen_at = ? WHERE id = ? AND role = 'guest' AND {FREE}",
        (name, folded, password, email, now, now, id, folded, id),
    )
    return cursor.rowcount == 1


def rename(db: Connection, id: int, *, name: str, folded: str) -> bool:
    """Give a guest another name; False when it is taken or this is no guest (any more)."""
    sql = f"UPDATE users SET name = ?, folded = ? WHERE id = ? AND role = 'guest' AND {FREE}"
    return db.execute(sql, (name, folded, id, folded, id)).rowcount == 1


def officials(db: Connection) -> dict[int, Role]:
    """Return who is a moderator or an administrator."""
    return dict(db.execute("SELECT id, role FROM users WHERE role IN ('moderator', 'admin') ORDER BY id"))


def set_role(db: Connection, folded: str, role: Role) -> bool:
    """Give a registered user a role; False when there is no person of this name.

    Links for another password that they made, or that were made for them in the old role, become invalid.
    """
    sql = "UPDATE users SET role = ? WHERE folded = ? AND role NOT IN ('guest', 'bot') RETURNING id"
    row = db.execute(sql, (role, folded)).fetchone()
    if row is not None:
        db.execute("DELETE FROM resets WHERE user = ?1 OR by = ?1", row)
    return row is not None


def bots(db: Connection) -> list[int]:
    """Return the accounts that are bots."""
    return [id for (id,) in db.execute("SELECT id FROM users WHERE role = 'bot' ORDER BY id")]


def become_bot(db: Connection, id: int) -> None:
    """Turn a user into a bot."""
    db.execute("UPDATE users SET role = 'bot' WHERE id = ? AND role = 'user'", (id,))
    db.execute("DELETE FROM resets WHERE by = ?", (id,))


def settings(db: Connection, id: int) -> str:
    """Return a user's settings, as JSON."""
    row = db.execute("SELECT settings FROM users WHERE id = ?", (id,)).fetchone()
    return str(row[0]) if row else "{}"


def settings_of(db: Connection, ids: Iterable[int]) -> dict[int, str]:
    """Return the settings of several users, as JSON."""
    return dict(db.execute(f"SELECT id, settings FROM users WHERE id IN ({','.join(map(str, ids))})"))


def unlisted(db: Connection) -> set[int]:
    """Return who hides that they are online."""
    return {
        id
        for (id,) in db.execute(
            "SELECT id FROM users WHERE CAST(json_extract(settings, '$.hide_online') AS INTEGER) = 1"
        )
    }


def set_settings(db: Connection, id: int, text: str) -> None:
    """Write a user's settings, as JSON."""
    db.execute("UPDATE users SET settings = ? WHERE id = ?", (text, id))


def add_login(
    db: Connection,
    key: bytes,
    id: int,
    *,
    cookie: bool,
    now: int,
    ends_at: int,
    name: str = "",
    scopes: Iterable[str] = (),
) -> int:
    """Write a cookie or token down and return its number; logins of this user that have ended are swept out."""
    db.execute("DELETE FROM logins WHERE user = ? AND ends_at <= ?", (id, now))
    db.execute("UPDATE users SET seen_at = ? WHERE id = ?", (now, id))
    return inserted(
        db,
        "INSERT INTO logins (key, user, cookie, name, scopes, made_at, ends_at) VALUES (?, ?, ?, ?, ?, ?, ?)",
        (key, id, int(cookie), name, " ".join(sorted(scopes)), now, ends_at),
    )


def login(db: Connection, key: bytes, now: int) -> Login | None:
    """Return the login with this hash, None when it is unknown or has ended."""
    row: Any = db.execute(
        "SELECT l.user, u.role, l.scopes, l.cookie, l.ends_at, f.on_at FROM logins l JOIN users u ON u.id = l.user"
        " LEFT JOIN factors f ON f.user = l.user WHERE l.key = ? AND l.ends_at > ?",
        (key, now),
    ).fetchone()
    if row is None:
        return None
    id, role, scopes, cookie, ends_at, factor = row
    return Login(
        key=key,
        user=id,
        role=ROLES[role],
        scopes=_scopes(scopes),
        cookie=bool(cookie),
        ends_at=ends_at,
        factor=factor is not None,
    )


ROLES: Final[Mapping[str, Role]] = {role: role for role in get_args(Role)}  # one word for all who have it


@lru_cache(maxsize=64)
def _scopes(text: str) -> frozenset[str]:
    """Return the scopes that a text names; most logins have the same, and share them."""
    return frozenset(text.split())


def prolong(db: Connection, key: bytes, now: int, ends_at: int) -> None:
    """Let a login last longer."""
    db.execute("UPDATE logins SET ends_at = ? WHERE key = ?", (ends_at, key))
    db.execute("UPDATE users SET seen_at = ? WHERE id = (SELECT user FROM logins WHERE key = ?)", (now, key))


def end_logins(db: Connection, id: int, key: bytes | None = None) -> list[bytes]:
    """End one login of a user, or all of them, and return their hashes."""
    where, values = ("user = ?", [id]) if key is None else ("user = ? AND key = ?", [id, key])
    return [key for (key,) in db.execute(f"DELETE FROM logins WHERE {where} RETURNING key", values).fetchall()]


def tokens(db: Connection, id: int, now: int) -> list[Token]:
    """Return a user's tokens that are in force, oldest first."""
    rows = db.execute(
        "SELECT id, name, scopes, made_at FROM logins WHERE user = ? AND cookie = 0 AND ends_at > ? ORDER BY id",
        (id, now),
    )
    return [Token(id=n, name=name, scopes=tuple(scopes.split()), made_at=at) for n, name, scopes, at in rows]


def end_token(db: Connection, id: int, token: int) -> bytes | None:
    """End a user's token and return its hash; None when the user has no such token."""
    row = db.execute(
        "DELETE FROM logins WHERE id = ? AND user = ? AND cookie = 0 RETURNING key", (token, id)
    ).fetchone()
    return bytes(row[0]) if row else None
