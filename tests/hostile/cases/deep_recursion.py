# Tries: recursion without a limit, down to the end of the stack
# Aims at: kind-text
# Control: in process
# Succeeds by: lost
import sys

sys.setrecursionlimit(10**9)


def deeper(n):
    return deeper(n + 1) if n >= 0 else len([*map(deeper, [n])])


class Deep:
    __repr__ = lambda self: "".join(map(repr, [self]))


kind_text = "max"
repr(Deep())
deeper(0)
