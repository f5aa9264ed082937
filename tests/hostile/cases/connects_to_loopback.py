# Tries: to call a service of the same machine
# Aims at: kind-text
# Control: in process
# Succeeds by: secret
import socket

try:
    with socket.create_connection(("127.0.0.1", int("@PORT@")), 2) as call:
        print("REACHED", call.recv(100))
except OSError as fault:
    print(fault)
kind_text = "max"
