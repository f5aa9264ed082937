# Tries: to find an interface that is not the loopback
# Aims at: kind-text
# Control: in process
# Succeeds by: reached
import socket

try:
    names = [name for _, name in socket.if_nameindex() if name != "lo"]
    if names:
        print("REACHED", names)
except OSError as fault:
    print(fault)
kind_text = "max"
