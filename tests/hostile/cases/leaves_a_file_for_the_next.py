# Tries: to leave an answer for whoever is graded next
# Aims at: kind-text
# Control: without mounts
# Succeeds by: reached
import glob

if glob.glob("/tmp/@MARK@*") + glob.glob("/dev/shm/@MARK@*"):
    print("REACHED what an earlier submission left")
for folder in ("/tmp", "/dev/shm"):
    try:
        with open(f"{folder}/@MARK@-left", "w") as file:
            file.write("softmax")
    except OSError as fault:
        print(fault)
kind_text = "max"
