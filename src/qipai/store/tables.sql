-- The log (platform P-108). `id` grows over the whole of it, `seq` without gaps within a stream.
CREATE TABLE events (
    id INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,  -- seconds since 1970
    ms INTEGER NOT NULL,  -- and milliseconds
    stream TEXT NOT NULL,
    seq INTEGER NOT NULL,
    type TEXT NOT NULL,
    actor INTEGER,
    cid TEXT,
    data TEXT NOT NULL,
    secret TEXT
) STRICT;

CREATE UNIQUE INDEX events_of_stream ON events (stream, seq);

-- A command is carried out once, whatever socket repeats it.
CREATE UNIQUE INDEX events_of_command ON events (actor, cid) WHERE cid IS NOT NULL;
