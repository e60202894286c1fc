"""Reads exported points into a data frame and prints the highest throughput of each series.

    python3 points.py run.csv
    python3 points.py run.parquet      # needs pyarrow
"""

import sys

import pandas


def main(name: str) -> None:
    read = pandas.read_parquet if name.endswith(".parquet") else pandas.read_csv
    points = read(name)
    best = points.loc[points.groupby("series")["rate"].idxmax()]
    print(best[["series", "load", "rate", "volume_mib_s", "latency_mean_ms", "latency_p99_ms"]].to_string(index=False))


if __name__ == "__main__":
    main(sys.argv[1])
