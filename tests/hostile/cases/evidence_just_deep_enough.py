# Tries: evidence that can be read but not written again
# Aims at: kind-text
# Control: none: nbgrader takes no evidence; that such evidence is refused is asserted beside
import functools

import autograde.grading.child as child


def deep(*_):
    return {"answer": functools.reduce(lambda inner, _: [inner], range(300), "softmax")}


child.probe = child.probe.__wrapped__ = deep
child.Child._evidence = lambda *_: deep()
kind_text = "max"
