# Tries: to sleep
# Aims at: kind-text
# Control: in process
# Succeeds by: lost
# Budget: short
import time

kind_text = "max"
time.sleep(1e6)
