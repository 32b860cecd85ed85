-- What people say. Ordinary rows that can be exported and erased (README X5), not events.
CREATE TABLE chat (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    place TEXT NOT NULL,  -- table:17, watch:17, room:1, hall, game:xiangqi, club:17
    at INTEGER NOT NULL,  -- ms since 1970
    user INTEGER NOT NULL,
    text TEXT,
    phrase TEXT,
    cid TEXT NOT NULL
) STRICT;

CREATE INDEX chat_of_place ON chat (place, id);
CREATE INDEX chat_by_age ON chat (at);
CREATE UNIQUE INDEX chat_of_command ON chat (user, cid);

-- step 2: who follows and who has blocked whom (P-10, P-11).
CREATE TABLE follows (
    user INTEGER NOT NULL,
    other INTEGER NOT NULL,
    at INTEGER NOT NULL,  -- seconds
    PRIMARY KEY (user, other)
) STRICT, WITHOUT ROWID;

CREATE INDEX followed ON follows (other);

CREATE TABLE blocks (
    user INTEGER NOT NULL,
    other INTEGER NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (user, other)
) STRICT, WITHOUT ROWID;

-- step 3: groups of friends (P-10). members: user numbers as JSON.
CREATE TABLE circles (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    user INTEGER NOT NULL,
    name TEXT NOT NULL,
    members TEXT NOT NULL
) STRICT;

CREATE INDEX circles_of ON circles (user);

-- step 4: a moderator has taken this line away (P-95); who and why is in the log.
ALTER TABLE chat ADD COLUMN removed INTEGER NOT NULL DEFAULT 0 CHECK (removed IN (0, 1));

-- step 5: where a moderator lets people speak only every so often (P-82). slow: seconds; at: seconds.
CREATE TABLE slow_chats (
    place TEXT PRIMARY KEY,
    slow INTEGER NOT NULL CHECK (slow > 0),
    by INTEGER NOT NULL,
    at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- step 6: who follows somebody, the newest first (P-10).
DROP INDEX followed;
CREATE INDEX followed ON follows (other, at, user);

-- step 7: what somebody writes on an invitation (P-65); of the rest of it the log tells.
CREATE TABLE invite_notes (
    invite INTEGER PRIMARY KEY,
    user INTEGER NOT NULL,
    text TEXT NOT NULL
) STRICT;

CREATE INDEX invite_notes_by ON invite_notes (user);
