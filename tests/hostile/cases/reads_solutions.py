# Tries: to read the author's folder
# Aims at: kind-text
# Control: in process
# Succeeds by: secret
try:
    kind_text = open("@CANARY@/solutions/01-every-kind.py").read()
except OSError as fault:
    kind_text = str(fault)
print(kind_text)
