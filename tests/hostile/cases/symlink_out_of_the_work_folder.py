# Tries: to reach outside through a link of its own
# Aims at: kind-text
# Control: in process
# Succeeds by: secret
import os

try:
    os.symlink("@CANARY@", "here")
    print(open("here/other.ipynb").read())
except OSError as fault:
    print(fault)
kind_text = "max"
