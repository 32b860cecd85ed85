-- Interviews (P-84). Ordinary rows (X5); what is corrected after it was published is kept beside it.
CREATE TABLE interviews (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    editor INTEGER,  -- NULL: they have deleted their account
    player INTEGER NOT NULL,
    at INTEGER NOT NULL,  -- seconds
    state TEXT NOT NULL CHECK (state IN ('asked', 'open', 'published', 'ended')),
    title TEXT NOT NULL,
    text TEXT NOT NULL,
    lang TEXT NOT NULL,
    published_at INTEGER,
    comments INTEGER NOT NULL DEFAULT 0,
    removed INTEGER NOT NULL DEFAULT 0 CHECK (removed IN (0, 1)),
    cid TEXT
) STRICT;

CREATE UNIQUE INDEX interviews_of_command ON interviews (editor, cid);
CREATE INDEX interviews_shown ON interviews (id) WHERE state IN ('open', 'published') AND removed = 0;
CREATE INDEX interviews_by ON interviews (editor, id);
CREATE INDEX interviews_with ON interviews (player, id);

CREATE TABLE interview_questions (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    interview INTEGER NOT NULL REFERENCES interviews (id),
    author INTEGER,
    at INTEGER NOT NULL,
    text TEXT NOT NULL,
    place INTEGER,  -- among those picked, from 0; NULL: not picked
    answer TEXT,
    removed INTEGER NOT NULL DEFAULT 0 CHECK (removed IN (0, 1)),
    answer_removed INTEGER NOT NULL DEFAULT 0 CHECK (answer_removed IN (0, 1)),
    cid TEXT
) STRICT;

CREATE UNIQUE INDEX interview_questions_of_command ON interview_questions (author, cid);
CREATE INDEX interview_questions_of ON interview_questions (interview, id);
CREATE INDEX interview_questions_picked ON interview_questions (interview, place) WHERE place IS NOT NULL;
CREATE INDEX interview_questions_by ON interview_questions (author, interview);

CREATE TABLE interview_comments (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    interview INTEGER NOT NULL REFERENCES interviews (id),
    author INTEGER NOT NULL,
    at INTEGER NOT NULL,
    text TEXT NOT NULL,
    removed INTEGER NOT NULL DEFAULT 0 CHECK (removed IN (0, 1)),
    cid TEXT
) STRICT;

CREATE UNIQUE INDEX interview_comments_of_command ON interview_comments (author, cid);
CREATE INDEX interview_comments_of ON interview_comments (interview, id);

-- What stood there before a correction. question: NULL: the title and the text of the interview itself.
CREATE TABLE interview_history (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    interview INTEGER NOT NULL REFERENCES interviews (id),
    question INTEGER,
    by INTEGER,
    at INTEGER NOT NULL,
    text TEXT NOT NULL
) STRICT;

CREATE INDEX interview_history_of ON interview_history (interview, id);

CREATE TABLE interview_editors (
    user INTEGER PRIMARY KEY,
    by INTEGER NOT NULL,
    at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
