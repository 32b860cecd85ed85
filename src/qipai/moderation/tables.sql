-- What people report (P-95): their own words, ordinary rows that can be erased (README X5).
CREATE TABLE reports (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at INTEGER NOT NULL,  -- seconds
    by INTEGER,  -- null: the hall itself noticed
    kind TEXT NOT NULL,
    user INTEGER,  -- whom it is about
    ref TEXT NOT NULL,  -- a line of talk, a game, a table
    text TEXT NOT NULL,
    state TEXT NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'done', 'dismissed')),
    moderator INTEGER,
    answer TEXT
) STRICT;

CREATE INDEX reports_in_queue ON reports (state, id);

-- What is in force against somebody: a fold of the stream `moderation`.
CREATE TABLE sanctions (
    user INTEGER NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('mute', 'ban')),
    until INTEGER NOT NULL,  -- seconds
    reason TEXT NOT NULL,
    PRIMARY KEY (user, kind)
) STRICT, WITHOUT ROWID;

-- step 2: what the hall notices by itself (kind `flag`, a fold of `moderation.flagged`) and appeals (kind `appeal`).
ALTER TABLE reports ADD COLUMN key TEXT;  -- what is entered once: a flag of two people in a month, a ruling's appeal
ALTER TABLE reports ADD COLUMN facts TEXT;  -- JSON: what led to a flag

CREATE UNIQUE INDEX reports_by_key ON reports (key) WHERE key IS NOT NULL;
CREATE INDEX reports_of_user ON reports (user, id);

-- step 3: moderators of rooms (section 1): who keeps the order of which room, a fold of the stream `roles`.
CREATE TABLE keepers (
    room INTEGER NOT NULL,
    user INTEGER NOT NULL,
    by INTEGER,  -- null: the hall's owner, at the terminal
    at INTEGER NOT NULL,  -- seconds
    PRIMARY KEY (room, user)
) STRICT, WITHOUT ROWID;

-- What a report is about lies in this room; null: nowhere, or nobody can tell. Its moderators see it.
ALTER TABLE reports ADD COLUMN room INTEGER;

CREATE INDEX reports_of_room ON reports (room, state, id) WHERE room IS NOT NULL;

-- A mute may count in one room alone.
CREATE TABLE sanctions_by_room (
    user INTEGER NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('mute', 'ban')),
    room INTEGER NOT NULL,  -- 0: everywhere
    until INTEGER NOT NULL,  -- seconds
    reason TEXT NOT NULL,
    PRIMARY KEY (user, kind, room)
) STRICT, WITHOUT ROWID;
INSERT INTO sanctions_by_room SELECT user, kind, 0, until, reason FROM sanctions;
DROP TABLE sanctions;
ALTER TABLE sanctions_by_room RENAME TO sanctions;

-- step 4: addresses from which nobody may come in: a fold of `moderation.address`.
CREATE TABLE shut_addresses (
    address TEXT PRIMARY KEY,  -- of IPv6 a network (/64)
    until INTEGER NOT NULL,  -- seconds
    reason TEXT NOT NULL,
    by INTEGER NOT NULL,
    at INTEGER NOT NULL  -- seconds
) STRICT, WITHOUT ROWID;
