"""The loopback Messages API as a process: prints its address, and runs until its input ends.

    python -m model_server [--seed N] [--latency SECONDS] [--fault KIND:TIMES:AFTER ...]

The first line of the output is JSON with `url` and `key`; when the input ends, the last line is
JSON with `billed` (dollars), `calls`, `most_at_once` and `violations`.
"""

from __future__ import annotations

import argparse
import json
import sys

from model_server import ModelServer
from simulated_model import world_model


def main() -> None:
    """Serve until standard input is closed."""
    options = argparse.ArgumentParser(prog="model_server", description=__doc__)
    options.add_argument("--seed", type=int, default=0)
    options.add_argument("--latency", type=float, default=0.0)
    options.add_argument("--fault", action="append", default=[])
    args = options.parse_args()
    model = world_model(seed=args.seed)
    with ModelServer(model, seed=args.seed, check=False, latency=args.latency) as server:
        for fault in args.fault:
            kind, times, after = fault.split(":")
            server.fault(kind, times=int(times), after=int(after))
        print(json.dumps({"url": server.url, "key": server.key}), flush=True)  # noqa: T201
        sys.stdin.read()
        told = {
            "billed": server.billed,
            "calls": len(server.calls),
            "most_at_once": server.most_at_once,
            "violations": server.violations,
        }
        print(json.dumps(told), flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
