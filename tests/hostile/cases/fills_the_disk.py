# Tries: many files in every folder that takes them
# Aims at: kind-text
# Control: in process
# Succeeds by: reached
import os
import shutil
import tempfile

for folder in (".", tempfile.gettempdir(), "/tmp", "/var/tmp", "/dev/shm"):
    place, total = f"{folder}/@MARK@-disk", 0
    try:
        os.makedirs(place, exist_ok=True)
        for i in range(10):
            with open(f"{place}/{i}", "wb") as file:
                total += file.write(bytes(16 << 20))
    except OSError as fault:
        print(fault)
    shutil.rmtree(place, ignore_errors=True)
    if total > 150_000_000:
        print("REACHED", total)
        break
kind_text = "max"
