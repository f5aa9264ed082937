# Tries: an int that tells another number wherever it is asked for one
# Aims at: kind-number
# Control: none: a plain assert asks none of these
class Liar(int):
    __repr__ = __str__ = __format__ = lambda self, *_: "1234"
    __float__ = lambda self: 1234.0
    __abs__ = __neg__ = __pos__ = __round__ = lambda self, *_: 1234


kind_number = Liar(7)
