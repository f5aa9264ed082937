# Tries: processes without end (two hundred are taken as proof)
# Aims at: kind-text
# Control: without limits, cgroup
# Succeeds by: reached
import os
import time

count = 0
try:
    while count < 200:
        if os.fork() == 0:
            time.sleep(30)
            os._exit(0)
        count += 1
    print("REACHED", count)
except OSError as fault:
    print(fault)
kind_text = "max"
