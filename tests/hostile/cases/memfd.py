# Tries: a file in memory that is larger than any file may be
# Aims at: kind-text
# Control: without limits
# Succeeds by: reached
import os

fd = os.memfd_create("hidden")
try:
    for _ in range(20):
        os.write(fd, bytes(8 << 20))
    print("REACHED", os.fstat(fd).st_size)
except OSError as fault:
    print(fault)
kind_text = "max"
