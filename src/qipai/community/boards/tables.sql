-- What people write in threads. Ordinary rows (X5): they can be taken away for good. Counts that pages show stand in rows.
CREATE TABLE discussion_boards (
    name TEXT PRIMARY KEY,  -- general, a game, club-17; a row is made with the first thread
    club INTEGER,
    threads INTEGER NOT NULL DEFAULT 0,
    posts INTEGER NOT NULL DEFAULT 0,
    last_post INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;

CREATE TABLE threads (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    board TEXT NOT NULL,
    club INTEGER,
    author INTEGER,  -- null: they have deleted their account
    title TEXT NOT NULL,
    at INTEGER NOT NULL,  -- seconds
    level INTEGER NOT NULL DEFAULT 0,  -- who has less may not read it
    pinned INTEGER NOT NULL DEFAULT 0 CHECK (pinned IN (0, 1)),
    locked INTEGER NOT NULL DEFAULT 0 CHECK (locked IN (0, 1)),
    essence INTEGER NOT NULL DEFAULT 0 CHECK (essence IN (0, 1)),
    posts INTEGER NOT NULL DEFAULT 0,
    last_post INTEGER NOT NULL DEFAULT 0,
    gone TEXT CHECK (gone IN ('removed', 'erased'))  -- its title
) STRICT;

CREATE INDEX threads_of ON threads (board, last_post);
CREATE INDEX threads_pinned ON threads (board, last_post) WHERE pinned = 1;
CREATE INDEX threads_essence ON threads (board, last_post) WHERE essence = 1;
CREATE INDEX threads_by ON threads (author);

CREATE TABLE posts (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    thread INTEGER NOT NULL REFERENCES threads (id),
    no INTEGER NOT NULL,  -- in its thread, from 1 (楼)
    author INTEGER,
    at INTEGER NOT NULL,
    text TEXT NOT NULL,
    cid TEXT,
    edited INTEGER,  -- when last
    gone TEXT CHECK (gone IN ('removed', 'erased'))
) STRICT;

CREATE UNIQUE INDEX posts_of ON posts (thread, no);
CREATE UNIQUE INDEX posts_of_command ON posts (author, cid) WHERE cid IS NOT NULL;
CREATE INDEX posts_by ON posts (author, id);

-- What stood there until `at`. title: of a thread's first post.
CREATE TABLE post_versions (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    post INTEGER NOT NULL REFERENCES posts (id),
    at INTEGER NOT NULL,
    title TEXT,
    text TEXT NOT NULL
) STRICT;

CREATE INDEX post_versions_of ON post_versions (post, id);

-- What somebody has written; level: a moderator has set it.
CREATE TABLE board_writers (
    user INTEGER PRIMARY KEY,
    topics INTEGER NOT NULL DEFAULT 0,
    posts INTEGER NOT NULL DEFAULT 0,
    essence INTEGER NOT NULL DEFAULT 0,
    level INTEGER
) STRICT;

CREATE TABLE thread_reads (
    user INTEGER NOT NULL,
    thread INTEGER NOT NULL,
    no INTEGER NOT NULL,
    PRIMARY KEY (user, thread)
) STRICT, WITHOUT ROWID;

-- seen: the newest post when the board was last opened; until: all threads were marked as read up to this post.
CREATE TABLE board_reads (
    user INTEGER NOT NULL,
    board TEXT NOT NULL,
    seen INTEGER NOT NULL DEFAULT 0,
    until INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (user, board)
) STRICT, WITHOUT ROWID;

CREATE TABLE board_favourites (
    user INTEGER NOT NULL,
    board TEXT NOT NULL,
    PRIMARY KEY (user, board)
) STRICT, WITHOUT ROWID;

-- The index of all words (boards/words.py, 0055). It keeps no text: what it forgets must be given to it as it was.
CREATE VIRTUAL TABLE post_words USING fts5 (words, chars, content = '', columnsize = 0, tokenize = 'ascii');
