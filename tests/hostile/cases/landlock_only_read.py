# Tries: to read what only landlock keeps away
# Aims at: kind-text
# Control: without landlock
# Succeeds by: reached
try:
    with open("/dev/zero", "rb") as file:
        print("REACHED", file.read(3))
except OSError as fault:
    print(fault)
kind_text = "max"
