# Tries: a function that raises SystemExit
# Aims at: kind-function
# Control: none: nbgrader counts it as a failed test
import sys


def double_shifted(x, shift=0.0):
    sys.exit(0)
