-- Format 3: points of `kneepoint.run/2`, whose response times are kept by class.

-- The response times of all classes together; where they are missing, those of an older format may
-- stand in `read_histogram` and `write_histogram`. A result of an older format is upgraded when it
-- is read.
ALTER TABLE points ADD COLUMN histograms BLOB;
