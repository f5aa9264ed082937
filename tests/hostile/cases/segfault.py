# Tries: to read address zero
# Aims at: kind-text
# Control: in process
# Succeeds by: lost
import ctypes

ctypes.string_at(0)
kind_text = "max"
