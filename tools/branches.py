"""Prints the share of the branches of ``pipeline/`` that the tests ran; exits with 1 if it is below 90 %.

Run ``coverage combine`` first. The limit of coverage itself is on lines and branches together.
"""

import json
import subprocess
import sys

LEAST = 0.9

if __name__ == "__main__":
    done = subprocess.run([sys.executable, "-m", "coverage", "json", "-q", "-o", "-"], stdout=subprocess.PIPE)
    totals = json.loads(done.stdout)["totals"]
    share = totals["covered_branches"] / totals["num_branches"]
    print(f"{totals['covered_branches']} of {totals['num_branches']} branches: {share:.1%}")
    sys.exit(share < LEAST)
