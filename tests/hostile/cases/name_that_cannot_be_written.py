# Tries: a type whose name no file can hold, to stop the run when the row is written
# Aims at: kind-function
# Control: none: nbgrader writes no name of a type; that such a text cannot be written is asserted beside
class Named(type):
    __name__ = property(lambda cls: "\ud800")


class Liar(metaclass=Named):
    pass


double_shifted = Liar()
