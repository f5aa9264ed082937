# Tries: a function that ends the process when it is called
# Aims at: kind-function
# Control: in process
# Succeeds by: lost
import os


def double_shifted(x, shift=0.0):
    os._exit(0)
