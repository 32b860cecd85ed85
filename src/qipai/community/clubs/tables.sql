-- Clubs (P-78). Ordinary rows (X5): what people write of themselves can be erased. Games and matches are in the log.
CREATE TABLE clubs (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL,
    look TEXT,  -- by which no two are alike; null: closed for good
    text TEXT NOT NULL,
    author INTEGER,  -- of the text
    founder INTEGER,  -- null: their account is deleted
    at INTEGER NOT NULL,  -- seconds
    closed INTEGER NOT NULL CHECK (closed IN (0, 1)),  -- who joins asks a boss
    gone_at INTEGER,  -- when it was given up
    removed INTEGER NOT NULL DEFAULT 0 CHECK (removed IN (0, 1)),  -- name and text, by a moderator
    cid TEXT
) STRICT;

CREATE UNIQUE INDEX clubs_by_look ON clubs (look) WHERE look IS NOT NULL;
CREATE UNIQUE INDEX clubs_of_command ON clubs (founder, cid) WHERE cid IS NOT NULL;

-- rank: 1 member, 2 manager, 3 boss.
CREATE TABLE club_people (
    club INTEGER NOT NULL,
    user INTEGER NOT NULL,
    rank INTEGER NOT NULL CHECK (rank BETWEEN 1 AND 3),
    at INTEGER NOT NULL,
    PRIMARY KEY (club, user)
) STRICT, WITHOUT ROWID;

CREATE INDEX club_people_by_user ON club_people (user, club);

-- Who stands before the door: asks to come in (by null), was invited by a boss, or may not come in any more.
CREATE TABLE club_doors (
    club INTEGER NOT NULL,
    user INTEGER NOT NULL,
    what TEXT NOT NULL CHECK (what IN ('asked', 'invited', 'banned')),
    at INTEGER NOT NULL,
    by INTEGER,
    PRIMARY KEY (club, user)
) STRICT, WITHOUT ROWID;

CREATE INDEX club_doors_by_user ON club_doors (user, club);

CREATE TABLE club_news (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    club INTEGER NOT NULL,
    author INTEGER,
    at INTEGER NOT NULL,
    title TEXT NOT NULL,
    text TEXT NOT NULL,
    removed INTEGER NOT NULL DEFAULT 0 CHECK (removed IN (0, 1)),
    cid TEXT
) STRICT;

CREATE INDEX club_news_of ON club_news (club, id);
CREATE INDEX club_news_by ON club_news (author) WHERE author IS NOT NULL;
CREATE UNIQUE INDEX club_news_of_command ON club_news (author, cid) WHERE cid IS NOT NULL;

CREATE TABLE club_teams (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    club INTEGER NOT NULL,
    game TEXT NOT NULL,
    name TEXT NOT NULL,
    at INTEGER NOT NULL,
    author INTEGER,  -- who has named it
    gone INTEGER NOT NULL DEFAULT 0 CHECK (gone IN (0, 1)),
    removed INTEGER NOT NULL DEFAULT 0 CHECK (removed IN (0, 1)),
    cid TEXT
) STRICT;

CREATE INDEX club_teams_of ON club_teams (club) WHERE gone = 0;
CREATE UNIQUE INDEX club_teams_of_command ON club_teams (author, cid) WHERE cid IS NOT NULL;

-- place: in the line-up.
CREATE TABLE club_players (
    team INTEGER NOT NULL,
    user INTEGER NOT NULL,
    captain INTEGER NOT NULL CHECK (captain IN (0, 1)),
    place INTEGER NOT NULL,
    PRIMARY KEY (team, user)
) STRICT, WITHOUT ROWID;

CREATE INDEX club_players_by_user ON club_players (user, team);

CREATE TABLE club_challenges (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at INTEGER NOT NULL,
    by INTEGER,
    club INTEGER NOT NULL,
    team INTEGER NOT NULL,
    game TEXT NOT NULL,
    other_club INTEGER,  -- null: public, until somebody accepts
    other_team INTEGER,
    terms TEXT NOT NULL,  -- JSON
    until INTEGER NOT NULL,  -- seconds
    state TEXT NOT NULL CHECK (state IN ('open', 'accepted', 'declined', 'withdrawn', 'void')),
    answered_by INTEGER,
    contest INTEGER,  -- the match, once it is made
    cid TEXT
) STRICT;

CREATE INDEX club_challenges_of ON club_challenges (club, id);
CREATE INDEX club_challenges_to ON club_challenges (other_club, id) WHERE other_club IS NOT NULL;
CREATE INDEX club_challenges_public ON club_challenges (game, id) WHERE other_club IS NULL AND state = 'open';
CREATE INDEX club_challenges_unmade ON club_challenges (id) WHERE state = 'accepted' AND contest IS NULL;
CREATE UNIQUE INDEX club_challenges_of_command ON club_challenges (by, cid) WHERE cid IS NOT NULL;
