-- Devices that want to be told. login: of whose; when it has ended, the device is told nothing more.
CREATE TABLE push_devices (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    user INTEGER NOT NULL,
    login BLOB NOT NULL,
    endpoint TEXT NOT NULL UNIQUE,
    public BLOB NOT NULL,
    secret BLOB NOT NULL,
    lang TEXT NOT NULL,
    name TEXT NOT NULL,
    made_at INTEGER NOT NULL  -- seconds
) STRICT;

CREATE INDEX push_devices_of ON push_devices (user);

-- What is to be sent to a device (community/queue.py). topic: a later message takes the place of one that still waits.
CREATE TABLE push_queue (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    device INTEGER NOT NULL,
    kind TEXT NOT NULL,
    path TEXT NOT NULL,
    facts TEXT NOT NULL,
    topic TEXT NOT NULL,
    at INTEGER NOT NULL,  -- seconds
    tries INTEGER NOT NULL DEFAULT 0,
    next_at INTEGER NOT NULL
) STRICT;

CREATE INDEX push_due ON push_queue (next_at);
CREATE UNIQUE INDEX push_topics ON push_queue (device, topic);
