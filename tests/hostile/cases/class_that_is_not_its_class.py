# Tries: objects whose __class__ says bool, and whose __getattr__ has an answer for everything
# Aims at: kind-number
# Control: in process
# Plain: not stopped: what == means is the value's own affair in its own process
class Liar:
    __class__ = bool
    __getattr__ = lambda self, name: lambda *_, **__: self
    __eq__ = lambda self, other: True
    __bool__ = lambda self: True
    __hash__ = lambda self: 1234


kind_number = Liar()
