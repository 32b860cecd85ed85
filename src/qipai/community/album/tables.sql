-- Albums, their pictures and what is said of them. Ordinary rows (X5): they can be taken away for good.
CREATE TABLE albums (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    user INTEGER NOT NULL,
    name TEXT NOT NULL,
    at INTEGER NOT NULL,  -- seconds
    cid TEXT
) STRICT;

CREATE INDEX albums_of ON albums (user, id);
CREATE UNIQUE INDEX albums_once ON albums (user, cid) WHERE cid IS NOT NULL;

CREATE TABLE pictures (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    album INTEGER NOT NULL,
    user INTEGER NOT NULL,
    at INTEGER NOT NULL,  -- seconds
    caption TEXT NOT NULL,
    visible TEXT NOT NULL CHECK (visible IN ('public', 'friends', 'me')),
    file TEXT NOT NULL UNIQUE,  -- the random name of its files
    width INTEGER NOT NULL,
    height INTEGER NOT NULL,
    comments INTEGER NOT NULL DEFAULT 0,  -- that are not removed
    removed INTEGER NOT NULL DEFAULT 0 CHECK (removed IN (0, 1)),  -- by a moderator; its files are gone
    cid TEXT
) STRICT;

CREATE INDEX pictures_of ON pictures (user, id);
CREATE INDEX pictures_in ON pictures (album, id);
CREATE UNIQUE INDEX pictures_once ON pictures (user, cid) WHERE cid IS NOT NULL;

CREATE TABLE picture_comments (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    picture INTEGER NOT NULL,
    user INTEGER NOT NULL,
    at INTEGER NOT NULL,  -- seconds
    text TEXT NOT NULL,
    removed INTEGER NOT NULL DEFAULT 0 CHECK (removed IN (0, 1)),
    cid TEXT
) STRICT;

CREATE INDEX picture_comments_of ON picture_comments (picture, id);
CREATE INDEX picture_comments_by ON picture_comments (user, id);
CREATE UNIQUE INDEX picture_comments_once ON picture_comments (user, cid) WHERE cid IS NOT NULL;

-- Files that no picture has (any more): written before the file, taken away with the row of its picture. What stands
-- here when the hall starts is deleted, so a kill between the two leaves no file behind.
CREATE TABLE picture_files (
    file TEXT PRIMARY KEY,
    due INTEGER NOT NULL CHECK (due IN (0, 1))  -- 0: its picture is being written
) STRICT, WITHOUT ROWID;
