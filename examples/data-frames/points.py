"""Reads exported points into a data frame and prints the highest throughput of each series.

    python3 points.py run.csv [run.parquet]

With a second name the data frame is written as Parquet (needs pyarrow).
"""

import sys

import pandas


def main(csv: str, parquet: str | None = None) -> None:
    points = pandas.read_csv(csv, parse_dates=["started_at"])
    best = points.loc[points.groupby("series")["rate"].idxmax()]
    print(best[["series", "load", "rate", "volume_mib_s", "latency_mean_ms", "latency_p99_ms"]].to_string(index=False))
    if parquet:
        points.to_parquet(parquet)


if __name__ == "__main__":
    main(*sys.argv[1:3])
