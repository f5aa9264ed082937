# Tries: right values without a gradient, and a probe that claims there was one
# Aims at: kind-function
# Control: notebook
# Earns: 2
import autograde.probe

autograde.probe.reaches_inputs = lambda *_: True


def double_shifted(x, shift=0.0):
    return 2 * x.detach() + shift
