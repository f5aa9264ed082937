# Tries: to end the worker, so that others are not graded
# Aims at: kind-text
# Control: without bubblewrap, cgroup, pids, namespaces, mounts, limits, landlock, seccomp, capabilities
# Succeeds by: reached
import os

parent = os.getppid()
try:
    if parent > 1:
        os.kill(parent, 0)
        os.write(1, b"REACHED the worker\n")
        os.kill(parent, 9)
    if os.getpid() == 1:
        os.kill(-1, 9)
except OSError as fault:
    print(fault)
kind_text = "max"
