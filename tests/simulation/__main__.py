"""`python -m tests.simulation`: one seed with its trace, or many."""

from __future__ import annotations

import argparse
import logging
import os
import sys
import time
import warnings
from collections import Counter


def main() -> int:
    """Run the seeds that are asked for; return how many have failed, 1 at most."""
    parser = argparse.ArgumentParser(prog="python -m tests.simulation", description=__doc__)
    parser.add_argument("--seed", type=int, help="run this one, and print what has happened last")
    parser.add_argument("--seeds", type=int, default=100, help="run so many (%(default)s)")
    parser.add_argument("--first", type=int, default=1, help="from this one on (%(default)s)")
    parser.add_argument("--nodes", action="store_true", help="of halls on several nodes")
    parser.add_argument("--for", dest="seconds", type=float, help="end after so many seconds")
    parser.add_argument("--digests", action="store_true", help="print what names all that has happened in each")
    parser.add_argument("--last", type=int, default=60, help="how many of the last things are printed (%(default)s)")
    args = parser.parse_args()
    if os.environ.get("PYTHONHASHSEED") != "0":  # sets of texts have an order of their own in each process
        words = [sys.executable, "-m", "tests.simulation", *sys.argv[1:]]
        os.execve(sys.executable, words, {**os.environ, "PYTHONHASHSEED": "0"})
    from tests.simulation.scenario import Ground, Scenario, simulate
    from tests.simulation.town import TownScenario

    ground, kind = Ground(), TownScenario if args.nodes else Scenario
    seeds = [args.seed] if args.seed is not None else range(args.first, args.first + args.seeds)
    began, done, steps, failed, errors = time.monotonic(), 0, 0, 0, Counter[str]()
    for seed in seeds:
        report = simulate(ground, seed, kind)
        done, steps, errors = done + 1, steps + report.steps, errors + report.errors
        if args.digests:
            print(f"seed {seed}: {report.digest}")
        if report.failure is not None or args.seed is not None:
            for when, *what in report.trace[-args.last :]:
                print(f"{when:12.6f}", *(each.decode() if isinstance(each, bytes) else each for each in what))
            facts = {
                name: getattr(report, name) for name in report.__struct_fields__ if name not in ("trace", "failure")
            }
            print(", ".join(f"{name} {value}" for name, value in facts.items()))
        if report.failure is not None:
            failed += 1
            again = f"python -m tests.simulation --seed {seed}{' --nodes' * args.nodes}"
            print(f"seed {seed} FAILED: {report.failure}\nagain: {again}", flush=True)
        if args.seconds is not None and time.monotonic() - began > args.seconds:
            break
    took = time.monotonic() - began
    used = time.process_time()
    print(f"{done} seeds, {failed} failed; {done / took:.2f} seeds/s, {steps / took:.0f} steps/s; {used:.1f} s of CPU")
    print(f"refused: {dict(errors.most_common())}")
    ground.close()
    logging.disable()  # what has died ends with the process, without a word
    warnings.simplefilter("ignore")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
