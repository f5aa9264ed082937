# Tries: to end the process with a good word
# Aims at: kind-text
# Control: in process
# Succeeds by: lost
import os

kind_text = "max"
os._exit(0)
