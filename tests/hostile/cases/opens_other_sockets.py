# Tries: sockets of any kind but the local one
# Aims at: kind-text
# Control: without seccomp
# Succeeds by: reached
import socket

for kind in (socket.AF_INET, socket.AF_INET6, socket.AF_NETLINK):
    try:
        socket.socket(kind, socket.SOCK_DGRAM).close()
        print("REACHED", kind)
    except OSError as fault:
        print(fault)
kind_text = "max"
