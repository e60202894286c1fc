-- Format 2: copies of files, beside the points of a run.

-- What a copy is one of (target, method, cache, repetition) stands in the result.
CREATE TABLE copies (
  run INTEGER NOT NULL REFERENCES runs (number) ON DELETE CASCADE,
  ordinal INTEGER NOT NULL CHECK (ordinal >= 0),
  result TEXT NOT NULL,
  seal BLOB NOT NULL,
  PRIMARY KEY (run, ordinal)
) STRICT;
