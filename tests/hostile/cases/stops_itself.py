# Tries: to stop, and to be waited for
# Aims at: kind-text
# Control: in process
# Succeeds by: lost
# Budget: short
import os
import signal

kind_text = "max"
os.kill(os.getpid(), signal.SIGSTOP)
os.kill(os.getpid(), signal.SIGTSTP)
while True:
    signal.pause()
