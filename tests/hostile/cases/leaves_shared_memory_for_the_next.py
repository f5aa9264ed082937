# Tries: to leave shared memory for whoever is graded next
# Aims at: kind-text
# Control: without namespaces, mounts
# Succeeds by: reached
import ctypes

libc = ctypes.CDLL(None, use_errno=True)
if libc.shmget(0x51A7E, 4096, 0o600) >= 0:
    print("REACHED what an earlier submission left")
libc.shmget(0x51A7E, 4096, 0o1600)
kind_text = "max"
