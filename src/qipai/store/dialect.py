"""The SQL of the hall as PostgreSQL reads it: each statement stands in the source once (0064).

What is written is plain: `ON CONFLICT`, `RETURNING`, CASE, casts where a type cannot be seen. What only differs in its
spelling is turned here, word by word: parameters, names that are reserved there, and the types of tables. Functions
that SQLite has and PostgreSQL lacks are made there once, by `functions.sql`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

from msgspec import Struct

__all__ = ["Statement", "schema", "statement"]

TOKEN: Final = re.compile(
    r"(?P<text>'(?:[^']|'')*')|(?P<name>\"[^\"]*\")|(?P<comment>--[^\n]*)|(?P<word>[A-Za-z_][A-Za-z_0-9]*)"
    r"|(?P<param>\?\d*|(?<![:\w]):[A-Za-z_]\w*)|(?P<other>\d[\w.]*|\s+|.)",
    re.DOTALL,
)
RESERVED: Final = frozenset({"user"})  # as a name it would be a function there
TYPES: Final = {"integer": "bigint", "text": 'text COLLATE "C"', "blob": "bytea", "real": "double precision"}
CASTS: Final = {"integer": "bigint", "real": "double precision"}


INDEXED: Final = re.compile(r"\s+INDEXED BY \w+")
SELECT: Final = re.compile(r"\bSELECT\b")
NULL: Final = re.compile(r"\s+IS\s+(?:NOT\s+)?NULL\b")
CLAUSES: Final = frozenset(
    (
        *("WHERE", "ORDER", "GROUP", "LIMIT", "UNION", "ON", "JOIN", "LEFT", "INNER", "CROSS"),
        *("EXCEPT", "INTERSECT", "HAVING"),
    )
)


class Statement(Struct, frozen=True):
    """A statement in the spelling of PostgreSQL."""

    sql: str  # with $1, $2, …
    order: tuple[int | str, ...]  # which of the values each of them is: by place, or by name

    def values(self, given: Sequence[Any] | Mapping[str, Any]) -> list[Any]:
        """Return the values in the order of the parameters."""
        found: Any = given
        return [found[key] for key in self.order]


@lru_cache(4096)
def statement(sql: str) -> Statement:
    """Return a statement of the hall in the spelling of PostgreSQL."""
    out: list[str] = []
    order: list[int | str] = []
    cast = False  # the next word is a type
    count = 0  # of parameters without number or name
    places: dict[int | str, int] = {}
    text = INDEXED.sub("", sql)
    for found in TOKEN.finditer(text):
        kind, token = found.lastgroup, found[0]
        if kind == "param":
            key: int | str
            if token[0] == ":":
                key = token[1:]
            else:
                key = int(token[1:]) - 1 if token[1:] else count
                count += 1
            if NULL.match(text, found.end()):  # a parameter of its own: what it is compared with elsewhere is no text
                order.append(key)
                out.append(f"CAST(${len(order)} AS text)")
                continue
            if key not in places:
                order.append(key)
                places[key] = len(order)
            out.append(f"${places[key]}")
        elif kind == "word":
            low = token.lower()
            if low in RESERVED:
                out.append(f'"{low}"')
            elif low in CASTS and cast:
                out.append(CASTS[low])
            else:
                out.append(token)
            cast = low == "as"
        else:
            out.append(token)
            if kind != "other" or not token.isspace():
                cast = False
    return Statement(_named(_truths(_nocase(_known("".join(out))))), tuple(order))


def _known(sql: str) -> str:
    """Return a statement that compares with what may be null, or with an empty list."""
    sql = re.sub(r"\bIS NOT (\$\d+)", r"IS DISTINCT FROM \1", sql)
    sql = re.sub(r"\bIS (\$\d+)", r"IS NOT DISTINCT FROM \1", sql)
    return re.sub(r"\bIN \(\)", "= ANY ('{}')", re.sub(r"\bNOT IN \(\)", "<> ALL ('{}')", sql))


def _named(sql: str) -> str:
    """Return a statement in which each query that stands for a table has a name, as older servers want it."""
    if "FROM (" not in sql:
        return sql
    out, open_, count = [], [], 0
    parts = list(_tokens(sql))
    for at, (_, token) in enumerate(parts):
        out.append(token)
        if token == "(":
            before = next((word for _, word in reversed(parts[:at]) if not word.isspace()), "")
            open_.append(before.upper() in ("FROM", "JOIN"))
        elif token == ")" and open_.pop():
            after = next(((kind, word) for kind, word in parts[at + 1 :] if not word.isspace()), ("", ""))
            if after[0] != "word" or after[1].upper() in CLAUSES:
                count += 1
                out.append(f" AS given_{count}")
    return "".join(out)


def schema(script: str, *, empty: bool) -> Iterator[str]:
    """Yield the statements of one step of a script of tables. empty: there is no row yet."""
    for text in _statements(script):
        head = text.split(None, 2)
        verb = head[0].upper()
        if verb in ("INSERT", "UPDATE", "DELETE"):
            if not (empty and verb == "INSERT" and SELECT.search(text)):
                yield statement(text).sql
        elif verb in ("CREATE", "ALTER") and head[1].upper() in ("TABLE", "VIRTUAL"):
            if head[1].upper() == "VIRTUAL":
                yield from _index_of_words(text)
            else:
                yield _table(text)
        else:
            yield _index(statement(text).sql)


def _tokens(sql: str) -> Iterator[tuple[str, str]]:
    for found in TOKEN.finditer(sql):
        yield str(found.lastgroup), found[0]


def _statements(script: str) -> Iterator[str]:
    """Yield the statements of a script, without their comments."""
    parts: list[str] = []
    for kind, token in _tokens(script):
        if kind == "comment":
            continue
        if token == ";":
            if text := "".join(parts).strip():
                yield text
            parts = []
        else:
            parts.append(token)
    if text := "".join(parts).strip():
        yield text


def _table(text: str) -> str:
    """Return a table's statement with the types that PostgreSQL has."""
    text = re.sub(r"\)\s*STRICT\s*(?:,\s*WITHOUT\s+ROWID)?\s*$", ")", text, flags=re.IGNORECASE)
    text = re.sub(
        r"\bINTEGER\s+PRIMARY\s+KEY\s+AUTOINCREMENT", "INTEGER GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY", text
    )
    if (made := re.match(r"CREATE\s+TABLE\s+(\w+)", text)) is not None:
        key = rf"\1 INTEGER DEFAULT next_of('{made[1]}', '\1') PRIMARY KEY"
        text = re.sub(r"(\w+)\s+INTEGER\s+PRIMARY\s+KEY", key, text)
    # A computed column is kept there; what it computes is text until it is told to be something else.
    text = re.sub(
        r"\b(INTEGER|TEXT)\s+AS\s+\((.*?)\)\s+VIRTUAL",
        lambda found: f"{found[1]} GENERATED ALWAYS AS (CAST({found[2]} AS {found[1]})) STORED",
        text,
        flags=re.DOTALL,
    )
    out: list[str] = []
    cast, deep, words = False, 0, 9  # the next word is a cast's type; brackets; words since a column has begun
    for kind, token in _tokens(text):
        low = token.lower()
        if kind == "word" and low in TYPES and (cast or words == 1):
            out.append(CASTS.get(low, low) if cast else TYPES[low])
        elif kind == "word" and low in RESERVED:
            out.append(f'"{low}"')
        else:
            out.append(token)
        if kind == "word":
            cast, words = low == "as", 0 if low in ("column", "add") else words + 1
        elif not token.isspace():
            cast, deep = False, deep + (token == "(") - (token == ")")
            if deep == 1 and token in "(,":
                words = 0
    return "".join(out)


TRUTH: Final = re.compile(  # a number that stands where a truth is asked for, as in `WHERE public AND NOT removed`
    r"(?P<before>\b(?:WHERE|AND|OR|NOT|WHEN)\s+)(?P<name>(?!NOT\b|NULL\b|EXISTS\b|CASE\b|TRUE\b)(?:\w+\.)?[a-z_]+)"
    r"(?=\s*(?:\)|$|\b(?:AND|OR|THEN|ORDER|GROUP|LIMIT|RETURNING)\b))"
)
BETWEEN: Final = re.compile(r"\bBETWEEN\s+\S+\s+$")


def _truths(sql: str) -> str:
    """Return a statement in which a number that is asked whether it is true is compared with 0."""

    def compared(found: re.Match[str]) -> str:
        if found["before"].startswith("AND") and BETWEEN.search(sql, 0, found.start()):
            return found[0]
        return f"{found['before']}{found['name']} <> 0"

    return TRUTH.sub(compared, sql)


def _nocase(sql: str) -> str:
    """Return a comparison that tells no cases apart as one of the small letters."""
    return re.sub(r"(\w+) = (\$\d+) COLLATE NOCASE", r"lower(\1) = lower(\2)", sql)


def _index(sql: str) -> str:
    """Return an index with each part that is more than a name in brackets."""
    found = re.match(r"(CREATE (?:UNIQUE )?INDEX \w+ ON \w+ )\((.*)$", sql, re.DOTALL)
    if found is None:
        return sql
    parts, deep, at = [""], 1, 0
    for char in found[2]:
        deep += (char == "(") - (char == ")")
        if deep == 0:
            break
        at += 1
        if char == "," and deep == 1:
            parts.append("")
        else:
            parts[-1] += char
    parts = [re.sub(r"^(\w+) COLLATE NOCASE$", r"lower(\1)", part.strip()) for part in parts]
    plain = re.compile(r'["\w]+( (ASC|DESC))?')
    parts = [part if plain.fullmatch(part) else f"({part})" for part in parts]
    return f"{found[1]}({', '.join(parts)}{found[2][at:]}"


def _index_of_words(text: str) -> Iterator[str]:
    """Yield a table and its index in the place of a virtual one of FTS5."""
    found = re.match(r"CREATE VIRTUAL TABLE (\w+) USING fts5 \((.*)\)$", text, re.DOTALL)
    assert found is not None, text
    name, columns = found[1], [part.strip() for part in found[2].split(",") if "=" not in part]
    vectors = ", ".join(f"{column} tsvector NOT NULL" for column in columns)
    yield f"CREATE TABLE {name} (id bigint PRIMARY KEY, {vectors})"
    for column in columns:
        yield f"CREATE INDEX {name}_{column} ON {name} USING gin ({column})"
