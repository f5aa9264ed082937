# Tries: to abort
# Aims at: kind-text
# Control: in process
# Succeeds by: lost
import os

kind_text = "max"
os.abort()
