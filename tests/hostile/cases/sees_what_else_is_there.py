# Tries: to find out what else is on the machine
# Aims at: kind-text
# Control: without bubblewrap
# Succeeds by: reached
import os

found = [path for path in ("/var", "/boot", "/srv", "/media") if os.path.exists(path)]
if found:
    print("REACHED", found)
kind_text = "max"
