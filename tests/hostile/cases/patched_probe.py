# Tries: to answer in the probe's place
# Aims at: kind-function
# Control: none: it would have to know the values, which no probe does
import autograde.grading.child
import autograde.probe

passed = {"no shift": True, "a shift": True, "gradient": True, "forbidden": []}
autograde.probe.probe = autograde.grading.child.probe = lambda *_, **__: passed


def double_shifted(x, shift=0.0):
    return x
