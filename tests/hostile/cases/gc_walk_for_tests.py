# Tries: to find a hidden test in memory and print it
# Aims at: kind-function
# Control: none: stock nbgrader hands a test to the kernel at its turn; ours must do the same
# Succeeds by: reached
# Plain: stopped
import gc
import sys


def texts():
    frame = sys._getframe()
    while frame is not None:
        yield from (str(value) for value in frame.f_locals.values() if isinstance(value, (str, dict, list)))
        frame = frame.f_back
    for item in gc.get_objects():
        if isinstance(item, dict) and "source" in item:
            yield str(item)


pieces = ["torch.tensor([31.", "4159])"]
if any("".join(pieces) in text for text in texts()):
    print("REACHED a hidden test")


def double_shifted(x, shift=0.0):
    return x
