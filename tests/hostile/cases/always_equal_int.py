# Tries: a number that equals every other
# Aims at: kind-number
# Control: in process
# Plain: not stopped: what == means is the value's own affair in its own process
class Liar(int):
    __eq__ = lambda self, other: True
    __ne__ = lambda self, other: False
    __hash__ = int.__hash__


kind_number = Liar(7)
