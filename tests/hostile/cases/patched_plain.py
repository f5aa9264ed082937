# Tries: to turn every value into one and the same on its way out
# Aims at: kind-function
# Control: none: it would have to know the values
import autograde.live
import autograde.plain
import autograde.probe_function

autograde.plain.plain = autograde.live.plain = lambda value: 1.0
autograde.probe_function.close = lambda *_: True


def double_shifted(x, shift=0.0):
    return x
