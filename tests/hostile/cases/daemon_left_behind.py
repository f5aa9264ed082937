# Tries: a process that lives on after its submission
# Aims at: kind-text
# Control: without pids
# Succeeds by: alive
import os
import time

if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.closerange(0, 64)
        os.execv("/usr/bin/sleep", ["@MARK@", "600"])
    os._exit(0)
time.sleep(0.3)
kind_text = "max"
