# Tries: a signal to itself
# Aims at: kind-text
# Control: in process
# Succeeds by: lost
import os
import signal

for number in (signal.SIGTERM, signal.SIGINT, signal.SIGKILL):
    os.kill(os.getpid(), number)
os.kill(0, 9)
kind_text = "max"
os._exit(9)
