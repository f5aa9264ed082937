# Tries: to attach to the worker and read its memory
# Aims at: kind-text
# Control: without bubblewrap, cgroup, pids, namespaces, mounts, limits, landlock, seccomp, capabilities
# Succeeds by: reached
import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
parent = os.getppid()
if parent and libc.ptrace(0x4206, parent, 0, 0) == 0:
    print("REACHED the worker by ptrace")
    libc.ptrace(17, parent, 0, 0)
kind_text = "max"
