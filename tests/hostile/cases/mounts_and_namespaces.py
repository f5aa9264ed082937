# Tries: to make namespaces of its own and mount what it likes
# Aims at: kind-text
# Control: without seccomp, capabilities
# Succeeds by: reached
import ctypes

libc = ctypes.CDLL(None, use_errno=True)
if libc.unshare(0x20000) == 0 or libc.unshare(0x10000000) == 0:
    print("REACHED a namespace of its own")
if libc.mount(b"/usr", b"/tmp", None, 4096, None) == 0:
    print("REACHED a mount of its own")
kind_text = "max"
