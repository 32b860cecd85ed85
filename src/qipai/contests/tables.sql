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
