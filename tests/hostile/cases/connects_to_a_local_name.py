# Tries: to call a service that listens under a name without a file
# Aims at: kind-text
# Control: in process
# Succeeds by: secret
import socket

try:
    with socket.socket(socket.AF_UNIX) as call:
        call.connect("\0@MARK@")
        print("REACHED", call.recv(100))
except OSError as fault:
    print(fault)
kind_text = "max"
