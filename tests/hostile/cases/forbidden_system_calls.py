# Tries: calls that submissions have no use for: keys, io_uring, bpf, userfaultfd, handles
# Aims at: kind-text
# Control: without seccomp
# Succeeds by: reached
import ctypes
import errno

libc = ctypes.CDLL(None, use_errno=True)
for name, number, arguments in (
    ("io_uring_setup", 425, (1, 0)),
    ("userfaultfd", 323, (-1,)),
    ("keyctl", 250, (-1, 0)),
    ("add_key", 248, (0, 0, 0, 0, -3)),
    ("personality", 135, (0xFFFFFFFF,)),
    ("kcmp", 312, (1, 1, -1)),
):
    if libc.syscall(number, *arguments) >= 0 or ctypes.get_errno() not in (errno.EPERM, errno.ENOSYS):
        print("REACHED", name)
kind_text = "max"
