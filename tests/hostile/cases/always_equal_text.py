# Tries: a text that is seven letters long and equal to whatever it is compared with
# Aims at: kind-text
# Control: in process
# Plain: not stopped: what == means is the value's own affair in its own process
class Letter(str):
    __eq__ = lambda self, other: True
    __hash__ = lambda self: hash("s")


class Liar(str):
    __len__ = lambda self: 7
    __iter__ = lambda self: iter([Letter("?")] * 7)
    __eq__ = lambda self, other: True
    __hash__ = lambda self: hash("softmax")
    __str__ = lambda self: Liar("max")


kind_text = Liar("max")
