# Tries: to read through descriptors that were left open
# Aims at: kind-text
# Control: in process
# Succeeds by: secret
import os

for fd in range(3, 300):
    try:
        print(fd, os.pread(fd, 4000, 0))
    except OSError:
        continue
kind_text = "max"
