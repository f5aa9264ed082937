# Tries: to read a secret from the environment, its own and its parents'
# Aims at: kind-text
# Control: in process
# Succeeds by: secret
import os

said = [repr(dict(os.environ))]
for pid in ("self", os.getppid(), 1):
    try:
        with open(f"/proc/{pid}/environ", "rb") as file:
            said.append(repr(file.read()))
    except OSError as fault:
        said.append(str(fault))
kind_text = "\n".join(said)[:9000]
print(os.environ.get("HOSTILE_SECRET"), kind_text)
