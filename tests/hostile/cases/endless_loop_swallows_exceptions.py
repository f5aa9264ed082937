# Tries: a loop that no exception ends
# Aims at: kind-text
# Control: in process
# Succeeds by: lost
while True:
    try:
        while True:
            pass
    except BaseException:
        continue
