-- Format 1: runs and their points.

-- `number` is the order of arrival and stays inside the store; `id` is the run's public name.
-- `seed` is text because an unsigned 64-bit number does not fit an SQLite integer.
-- `owner` names the process that measures, while it measures.
CREATE TABLE runs (
  number INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  label TEXT NOT NULL,
  work TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('running', 'complete', 'interrupted', 'failed')),
  owner TEXT,
  started_at TEXT NOT NULL,
  finished_at TEXT NOT NULL,
  plan TEXT NOT NULL,
  plan_hash TEXT NOT NULL,
  seed TEXT NOT NULL,
  version TEXT NOT NULL,
  command TEXT NOT NULL,
  environment TEXT NOT NULL,
  warnings TEXT NOT NULL,
  seal BLOB NOT NULL,
  CHECK ((state = 'running') = (owner IS NOT NULL))
) STRICT;

-- What identifies a point within its run is series, load and repetition: an interrupted run is
-- finished by measuring what is not there yet.
CREATE TABLE points (
  run INTEGER NOT NULL REFERENCES runs (number) ON DELETE CASCADE,
  ordinal INTEGER NOT NULL CHECK (ordinal >= 0),
  series TEXT NOT NULL,
  load_unit TEXT NOT NULL,
  load_value REAL NOT NULL CHECK (load_value > 0),
  repetition INTEGER NOT NULL CHECK (repetition >= 0),
  result TEXT NOT NULL,
  read_histogram BLOB,
  write_histogram BLOB,
  seal BLOB NOT NULL,
  PRIMARY KEY (run, ordinal),
  UNIQUE (run, series, load_unit, load_value, repetition)
) STRICT;
