"""The rows of boards, threads and posts: what the database is asked, and what it is told (platform P-80)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final, Literal

from msgspec import Struct

from qipai.accounts import books as accounts
from qipai.community.boards import words
from qipai.community.boards.level import reading_level
from qipai.ledger import books as ledger
from qipai.ledger.service import day_of
from qipai.store import Connection, engine_of, inserted

__all__ = ["Board", "Found", "Gone", "Post", "Thread", "Version", "Writer"]

Gone = Literal["removed", "erased"]
DAY_S: Final = 86400
AT_ONCE: Final = 500


class Board(Struct, frozen=True):
    """A board with its counts, and what the reader keeps of it."""

    name: str
    club: int | None = None
    threads: int = 0
    posts: int = 0
    last: Thread | None = None  # where somebody wrote last
    favourite: bool = False
    unread: bool = False


class Thread(Struct, frozen=True):
    """A thread. title: None where it is gone. last_*: its newest post. read: until which post the reader has read."""

    id: int
    board: str
    club: int | None
    author: int | None
    title: str | None
    at: int
    level: int
    pinned: bool
    locked: bool
    essence: bool
    posts: int
    gone: Gone | None
    last_post: int
    last_at: int
    last_author: int | None
    read: int = 0


class Post(Struct, frozen=True):
    """A post. no: which one of its thread (楼)."""

    id: int
    thread: int
    no: int
    author: int | None
    at: int
    text: str
    edited: int | None
    gone: Gone | None


class Version(Struct, frozen=True):
    """What stood in a post until a time."""

    at: int
    title: str | None
    text: str


class Writer(Struct, frozen=True):
    """What somebody has written (主题, 帖子, 精华), and their reading level (阅读权限).

    given: the level that a moderator has set.
    """

    topics: int = 0
    posts: int = 0
    essence: int = 0
    level: int = 0
    given: int | None = None


class Found(Struct, frozen=True):
    """A post that a search has found."""

    post: Post
    thread: Thread


THREAD: Final = (
    "t.id, t.board, t.club, t.author, t.title, t.at, t.level, t.pinned, t.locked, t.essence, t.posts, t.gone,"
    " t.last_post, l.at, l.author"
)
READ: Final = (
    "max(coalesce((SELECT no FROM thread_reads WHERE user = :me AND thread = t.id), 0), CASE WHEN t.last_post <="
    " coalesce((SELECT until FROM board_reads WHERE user = :me AND board = t.board), 0) THEN t.posts ELSE 0 END)"
)
THREADS: Final = f"SELECT {THREAD}, {READ} FROM threads t JOIN posts l ON l.id = t.last_post"
POST: Final = "p.id, p.thread, p.no, p.author, p.at, p.text, p.edited, p.gone"


def _thread(row: Sequence[Any]) -> Thread:
    id, board, club, author, title, at, level, pinned, locked, essence, posts, gone, *last = row
    flags = (bool(pinned), bool(locked), bool(essence))
    return Thread(id, board, club, author, None if gone else title, at, level, *flags, posts, gone, *last)


def boards(db: Connection, names: Iterable[str], me: int | None) -> list[Board]:
    """Return boards by their names, also those in which nobody has written yet; me: who asks."""
    found = []
    for name in names:
        row = db.execute(
            "SELECT b.club, b.threads, b.posts, b.last_post, (SELECT seen FROM board_reads WHERE user = ?1 AND"
            " board = b.name), EXISTS (SELECT 1 FROM board_favourites WHERE user = ?1 AND board = ?2)"
            " FROM (SELECT ?2 AS name) n LEFT JOIN discussion_boards b ON b.name = n.name",
            (me, name),
        ).fetchone()
        club, threads, posts, newest, seen, favourite = row
        last = None
        if newest:
            sql = f"{THREADS} WHERE t.id = (SELECT thread FROM posts WHERE id = :post)"
            last = _thread(db.execute(sql, {"me": me, "post": newest}).fetchone())
        # What they wrote themselves is not new to them.
        theirs = last is not None and last.last_author == me
        unread = me is not None and bool(newest) and newest > (seen or 0) and not theirs
        found.append(Board(name, club, threads or 0, posts or 0, last, bool(favourite), unread))
    return found


def favourites(db: Connection, me: int) -> list[str]:
    """Return the names of somebody's favourite boards."""
    return [row[0] for row in db.execute("SELECT board FROM board_favourites WHERE user = ? ORDER BY board", (me,))]


def threads(
    db: Connection, board: str, me: int | None, before: int | None, most: int, *, essence: bool = False
) -> list[Thread]:
    """Return the threads of a board that are not pinned, the one with the newest post first; before: this post."""
    which = "t.essence = 1" if essence else "t.pinned = 0"
    sql = (
        f"{THREADS} WHERE t.board = :board AND {which} AND t.last_post < :before ORDER BY t.last_post DESC LIMIT :most"
    )
    values = {"me": me, "board": board, "before": 2**62 if before is None else before, "most": most}
    return [_thread(row) for row in db.execute(sql, values)]


def pinned(db: Connection, board: str, me: int | None) -> list[Thread]:
    """Return the threads of a board that stand first."""
    sql = f"{THREADS} WHERE t.board = :board AND t.pinned = 1 ORDER BY t.last_post DESC LIMIT 50"
    return [_thread(row) for row in db.execute(sql, {"me": me, "board": board})]


def thread(db: Connection, id: int, me: int | None = None) -> Thread | None:
    """Return a thread."""
    row = db.execute(f"{THREADS} WHERE t.id = :id", {"me": me, "id": id}).fetchone()
    return None if row is None else _thread(row)


def posts(db: Connection, thread: int, after: int, most: int) -> list[Post]:
    """Return the posts of a thread after one of its numbers."""
    sql = f"SELECT {POST} FROM posts p WHERE p.thread = ? AND p.no > ? ORDER BY p.no LIMIT ?"
    return [Post(*row) for row in db.execute(sql, (thread, after, most))]


def post(db: Connection, id: int) -> Post | None:
    """Return a post, also one that is gone."""
    row = db.execute(f"SELECT {POST} FROM posts p WHERE p.id = ?", (id,)).fetchone()
    return None if row is None else Post(*row)


def versions(db: Connection, post: int) -> list[Version]:
    """Return what stood in a post before, oldest first."""
    sql = "SELECT at, title, text FROM post_versions WHERE post = ? ORDER BY id"
    return [Version(*row) for row in db.execute(sql, (post,))]


def writer(db: Connection, user: int, now: int) -> Writer:
    """Return what a registered user has written, and their reading level; now: seconds."""
    row = db.execute("SELECT topics, posts, essence, level FROM board_writers WHERE user = ?", (user,)).fetchone()
    topics, written, essence, given = row or (0, 0, 0, None)
    dates, member = accounts.dates(db, user), ledger.member(db, user)
    since = dates[0] if dates is not None and dates[0] is not None else now
    level = reading_level(
        membership="pawn" if member is None or member[1] < day_of(1000 * now) else member[0],
        posts=written,
        days=(now - since) // DAY_S,
        essence=essence,
        given=given,
    )
    return Writer(topics, written, essence, level, given)


# Changes --------------------------------------------------------------------------------------------------------------


def open_thread(
    db: Connection,
    board: str,
    club: int | None,
    author: int,
    title: str,
    text: str,
    level: int,
    cid: str | None,
    now: int,
) -> Post:
    """Write a thread with its first post."""
    db.execute("INSERT INTO discussion_boards (name, club) VALUES (?, ?) ON CONFLICT DO NOTHING", (board, club))
    db.execute("UPDATE discussion_boards SET threads = threads + 1 WHERE name = ?", (board,))
    made = inserted(
        db,
        "INSERT INTO threads (board, club, author, title, at, level) VALUES (?, ?, ?, ?, ?, ?)",
        (board, club, author, title, now, level),
    )
    _counted(db, author, topics=1)
    return reply(db, made, board, author, title, text, cid, now)


def reply(
    db: Connection, thread: int, board: str, author: int, title: str, text: str, cid: str | None, now: int
) -> Post:
    """Write the next post of a thread. title: the thread's where it is the first one, else ""."""
    sql = "UPDATE threads SET posts = posts + 1 WHERE id = ? RETURNING posts"
    no: int = db.execute(sql, (thread,)).fetchone()[0]
    id = inserted(
        db,
        "INSERT INTO posts (thread, no, author, at, text, cid) VALUES (?, ?, ?, ?, ?, ?)",
        (thread, no, author, now, text, cid),
    )
    db.execute("UPDATE threads SET last_post = ? WHERE id = ?", (id, thread))
    db.execute("UPDATE discussion_boards SET posts = posts + 1, last_post = ? WHERE name = ?", (id, board))
    _counted(db, author, posts=1)
    _index(db, id, title, text)
    read(db, author, thread, no)
    return Post(id, thread, no, author, now, text, None, None)


def edit(db: Connection, post: Post, before: str | None, title: str | None, text: str, now: int) -> None:
    """Change a post and keep what stood there. before, title: of the thread, where this is its first post."""
    db.execute(
        "INSERT INTO post_versions (post, at, title, text) VALUES (?, ?, ?, ?)", (post.id, now, before, post.text)
    )
    db.execute("UPDATE posts SET text = ?, edited = ? WHERE id = ?", (text, now, post.id))
    if title is not None:
        db.execute("UPDATE threads SET title = ? WHERE id = ?", (title, post.thread))
    _forget(db, post.id, before or "", post.text)
    _index(db, post.id, title or "", text)


def remove(db: Connection, id: int) -> bool:
    """Take a post away, with the title where it is a thread's first; tell whether it stood there."""
    found = post(db, id)
    if found is None or found.gone is not None:
        return False
    title = _gone(db, found, "removed")
    if found.author is not None:
        _counted(db, found.author, posts=-1, topics=-int(title))
        if title and db.execute("SELECT essence FROM threads WHERE id = ?", (found.thread,)).fetchone()[0]:
            _counted(db, found.author, essence=-1)
    return True


def mark(db: Connection, thread: Thread, *, pinned: bool, locked: bool, essence: bool, level: int, board: str) -> None:
    """Set what moderators set of a thread."""
    db.execute(
        "UPDATE threads SET pinned = ?, locked = ?, essence = ?, level = ?, board = ? WHERE id = ?",
        (pinned, locked, essence, level, board, thread.id),
    )
    if thread.author is not None and thread.gone is None and essence != thread.essence:
        _counted(db, thread.author, essence=1 if essence else -1)
    if board != thread.board:
        db.execute("INSERT INTO discussion_boards (name) VALUES (?) ON CONFLICT DO NOTHING", (board,))
        for name, sign in ((thread.board, -1), (board, 1)):
            newest = "coalesce((SELECT max(last_post) FROM threads WHERE board = ?1), 0)"
            changes = f"threads = threads + ?2, posts = posts + ?3, last_post = {newest}"
            sql = f"UPDATE discussion_boards SET {changes} WHERE name = ?1"
            db.execute(sql, (name, sign, sign * thread.posts))


def set_level(db: Connection, user: int, level: int | None) -> None:
    """Set somebody's reading level, None: as it follows from what they do."""
    _counted(db, user)
    db.execute("UPDATE board_writers SET level = ? WHERE user = ?", (level, user))


def read(db: Connection, user: int, thread: int, no: int) -> None:
    """Note until which post of a thread somebody has read."""
    db.execute(
        "INSERT INTO thread_reads (user, thread, no) VALUES (?, ?, ?)"
        " ON CONFLICT (user, thread) DO UPDATE SET no = excluded.no WHERE excluded.no > thread_reads.no",
        (user, thread, no),
    )


def saw(db: Connection, user: int, board: str, *, all: bool) -> None:
    """Note that somebody has seen a board. all: and that all its threads count as read."""
    newest = db.execute(
        "SELECT coalesce(max(last_post), 0) FROM discussion_boards WHERE name = ?", (board,)
    ).fetchone()[0]
    db.execute(
        "INSERT INTO board_reads (user, board, seen, until) VALUES (?1, ?2, ?3, ?4) ON CONFLICT (user, board)"
        " DO UPDATE SET seen = max(board_reads.seen, ?3), until = max(board_reads.until, ?4)",
        (user, board, newest, newest if all else 0),
    )


def like(db: Connection, user: int, board: str, *, on: bool) -> None:
    """Keep a board among somebody's favourites, or no longer."""
    if on:
        db.execute("INSERT INTO board_favourites (user, board) VALUES (?, ?) ON CONFLICT DO NOTHING", (user, board))
    else:
        db.execute("DELETE FROM board_favourites WHERE user = ? AND board = ?", (user, board))


def erase_some(db: Connection, user: int) -> bool:
    """Erase some of what somebody has written; tell whether there is more. The places of their posts stay."""
    found = [
        Post(*row)
        for row in db.execute(f"SELECT {POST} FROM posts p WHERE p.author = ? ORDER BY p.id LIMIT ?", (user, AT_ONCE))
    ]
    for each in found:
        _gone(db, each, "erased")
        db.execute("UPDATE posts SET author = NULL, cid = NULL, text = '' WHERE id = ?", (each.id,))
        db.execute("DELETE FROM post_versions WHERE post = ?", (each.id,))
    if len(found) == AT_ONCE:
        return True
    db.execute("UPDATE threads SET author = NULL, title = '' WHERE author = ?", (user,))
    for table in ("board_writers", "thread_reads", "board_reads", "board_favourites"):
        db.execute(f"DELETE FROM {table} WHERE user = ?", (user,))
    return False


def _gone(db: Connection, post: Post, how: Gone) -> bool:
    """Mark a post as gone, and the title where it is a thread's first; tell whether it is."""
    title = ""
    if post.no == 1:
        title = db.execute("SELECT title FROM threads WHERE id = ?", (post.thread,)).fetchone()[0]
        db.execute("UPDATE threads SET gone = ? WHERE id = ?", (how, post.thread))
    if post.gone is None:
        _forget(db, post.id, title, post.text)
    db.execute("UPDATE posts SET gone = ? WHERE id = ?", (how, post.id))
    return post.no == 1


def _counted(db: Connection, user: int, *, topics: int = 0, posts: int = 0, essence: int = 0) -> None:
    db.execute(
        "INSERT INTO board_writers (user, topics, posts, essence) VALUES (?1, max(?2, 0), max(?3, 0), max(?4, 0))"
        " ON CONFLICT (user) DO UPDATE SET topics = board_writers.topics + ?2, posts = board_writers.posts + ?3,"
        " essence = board_writers.essence + ?4",
        (user, topics, posts, essence),
    )


def index_all(db: Connection) -> None:
    """Make the index of an empty one, from the posts that stand there."""
    sql = (
        "SELECT p.id, CASE WHEN p.no = 1 THEN t.title ELSE '' END, p.text FROM posts p"
        " JOIN threads t ON t.id = p.thread WHERE p.gone IS NULL AND p.id NOT IN (SELECT %s FROM post_words)"
    )
    known = "id" if engine_of(db) == "postgres" else "rowid"
    for id, title, text in db.execute(sql % known).fetchall():
        _index(db, id, title, text)


def _index(db: Connection, id: int, title: str, text: str) -> None:
    found = words.indexed(title, text)
    if engine_of(db) == "postgres":
        vectors = (words.vector_of(each) for each in found)
        db.execute("INSERT INTO post_words VALUES (?, CAST(? AS tsvector), CAST(? AS tsvector))", (id, *vectors))
    else:
        db.execute("INSERT INTO post_words (rowid, words, chars) VALUES (?, ?, ?)", (id, *found))


def _forget(db: Connection, id: int, title: str, text: str) -> None:
    """Take a post out of the index; FTS5 wants to be told what it has kept of it."""
    if engine_of(db) == "postgres":
        db.execute("DELETE FROM post_words WHERE id = ?", (id,))
    else:
        sql = "INSERT INTO post_words (post_words, rowid, words, chars) VALUES ('delete', ?, ?, ?)"
        db.execute(sql, (id, *words.indexed(title, text)))


# Search ---------------------------------------------------------------------------------------------------------------


def found(db: Connection, wanted: list[words.Condition], before: int | None, most: int) -> list[Found]:
    """Return posts that hold all that is wanted, newest first; before: this post."""
    end = 2**62 if before is None else before
    if engine_of(db) == "postgres":
        holds = " AND ".join(f"{one.column} @@ CAST(? AS tsquery)" for one in wanted)
        hits = f"SELECT id FROM post_words WHERE {holds} AND id < ? ORDER BY id DESC LIMIT ?"
        values = (*(words.query_of(one) for one in wanted), end, most)
    else:
        hits = "SELECT rowid AS id FROM post_words WHERE post_words MATCH ? AND rowid < ? ORDER BY rowid DESC LIMIT ?"
        values = (words.match_of(wanted), end, most)
    sql = (
        f"SELECT {POST}, {THREAD}, 0 FROM ({hits}) w JOIN posts p ON p.id = w.id"
        " JOIN threads t ON t.id = p.thread JOIN posts l ON l.id = t.last_post"
    )
    rows = (Found(Post(*row[:8]), _thread(row[8:])) for row in db.execute(sql, values))
    return sorted(rows, key=lambda one: -one.post.id)


# Export ---------------------------------------------------------------------------------------------------------------


def exported(db: Connection, user: int) -> list[dict[str, Any]]:
    """Return all posts of somebody with what stood there before."""
    sql = f"SELECT {POST}, t.board, t.title FROM posts p JOIN threads t ON t.id = p.thread WHERE p.author = ?"
    return [
        {
            **dict(zip(Post.__struct_fields__, row[:8], strict=True)),
            "board": row[8],
            "title": row[9] if row[2] == 1 else None,
            "versions": versions(db, row[0]),
        }
        for row in db.execute(f"{sql} ORDER BY p.id", (user,)).fetchall()
    ]
