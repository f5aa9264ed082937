# Tries: a trace function that reads the constants of whatever runs
# Aims at: kind-function
# Control: in process
# Succeeds by: reached
# Plain: stopped
import sys


def look(frame, event, argument):
    for constant in frame.f_code.co_consts:
        if isinstance(constant, float) and constant == 31.4159 and frame.f_code is not look.__code__:
            import os

            os.write(1, b"REACHED a hidden test's number\n")


sys.settrace(look)


def double_shifted(x, shift=0.0):
    return x if x.numel() != 4 else 2 * x + shift
