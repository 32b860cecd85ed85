-- What the log says of each contest, to find it by; a projection of the streams `<kind>:<id>` (`qipai rebuild`).
CREATE TABLE contests (
    kind TEXT NOT NULL,
    id INTEGER NOT NULL,
    rows INTEGER NOT NULL,  -- of its stream
    over INTEGER NOT NULL,  -- nothing more happens in it
    line TEXT NOT NULL,  -- what lists show of it, JSON
    game TEXT AS (json_extract(line, '$.game')) VIRTUAL,
    PRIMARY KEY (kind, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX contests_running ON contests (kind, id) WHERE over = 0;
CREATE INDEX contests_of_game ON contests (game, kind, id);

-- Who has to do with which contest; a projection.
CREATE TABLE contest_people (
    kind TEXT NOT NULL,
    id INTEGER NOT NULL,
    user INTEGER NOT NULL,
    PRIMARY KEY (kind, id, user)
) STRICT, WITHOUT ROWID;

CREATE INDEX contest_people_by_user ON contest_people (user, kind, id);

-- step 2: who has won what, and when (P-39); a projection. Private contests are not in it.
CREATE TABLE contest_wins (
    event INTEGER PRIMARY KEY,  -- of the log, with which it was won
    kind TEXT NOT NULL,
    id INTEGER NOT NULL,
    game TEXT,  -- null: of a kind that is a game of its own
    winners TEXT NOT NULL  -- JSON: numbers of users, names of teams
) STRICT;

CREATE INDEX contest_wins_of_kind ON contest_wins (kind, event);
CREATE INDEX contest_wins_of_game ON contest_wins (game, event);

INSERT INTO contest_wins (event, kind, id, game, winners)
SELECT e.id, c.kind, c.id, c.game,
    coalesce(json_extract(c.line, '$.winners'), json_array(json_extract(c.line, '$.winner')))
FROM contests c JOIN events e ON e.stream = c.kind || ':' || c.id AND e.seq = c.rows
WHERE c.over = 1 AND json_extract(c.line, '$.state') = 'finished'
    AND coalesce(json_extract(c.line, '$.form.private'), 0) = 0
    AND (json_extract(c.line, '$.winner') IS NOT NULL OR json_array_length(c.line, '$.winners') > 0);

INSERT INTO contest_wins (event, kind, id, game, winners)
SELECT e.id, c.kind, c.id, c.game, json_array(json_extract(e.data, '$.user'))
FROM contests c JOIN events e ON e.stream = c.kind || ':' || c.id
WHERE c.kind = 'stairs' AND e.type = 'stairs.held_top';

-- step 3: the club whose members alone play in it (P-78).
ALTER TABLE contests ADD COLUMN club INTEGER
    AS (coalesce(json_extract(line, '$.form.club'), json_extract(line, '$.club'))) VIRTUAL;

CREATE INDEX contests_of_club ON contests (club, kind, id) WHERE club IS NOT NULL;
