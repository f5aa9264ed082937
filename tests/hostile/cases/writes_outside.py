# Tries: to leave a file where it does not belong
# Aims at: kind-text
# Control: in process
# Succeeds by: written
import os

for folder in ("@CANARY@", "@CANARY@/solutions"):
    try:
        with open(f"{folder}/planted.py", "w") as file:
            file.write("print('pwned')")
        os.utime(f"{folder}/planted.py", (0, 0))
    except OSError as fault:
        print(fault)
kind_text = "max"
