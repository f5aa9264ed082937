# Tries: a loop that ignores that its time is up
# Aims at: kind-text
# Control: in process
# Succeeds by: lost
# Budget: short
import signal

for number in range(1, 65):
    try:
        signal.signal(number, signal.SIG_IGN)
    except (OSError, ValueError):
        continue
while True:
    pass
