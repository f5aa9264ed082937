# Tries: a gigabyte of output
# Aims at: kind-text
# Control: none: what matters is that the controller neither keeps it nor waits for it, which is asserted beside
import os

block = b"x" * (1 << 20)
for _ in range(1024):
    os.write(1, block)
kind_text = "max"
