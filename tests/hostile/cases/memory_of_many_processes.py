# Tries: memory shared out among processes and files in memory
# Aims at: kind-text
# Control: without cgroup
# Succeeds by: reached
import os

fds = []
try:
    for _ in range(16):
        fds.append(os.memfd_create("hidden"))
        for _ in range(7):
            os.write(fds[-1], bytes(8 << 20))
    print("REACHED", sum(os.fstat(fd).st_size for fd in fds))
except OSError as fault:
    print(fault)
kind_text = "max"
