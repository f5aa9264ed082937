# Tries: the same by reading the heap byte by byte
# Aims at: kind-text
# Control: in process
# Succeeds by: secret
import re

wanted = b"answer = '" + b"cana" + b"ry-"
try:
    with open("/proc/self/maps") as maps, open("/proc/self/mem", "rb", 0) as memory:
        for line in maps:
            start, end = (int(x, 16) for x in line.split()[0].split("-"))
            if "rw-p" in line and end - start < 100_000_000 and not line.rstrip().endswith(".so"):
                try:
                    memory.seek(start)
                    found = re.search(wanted + b"[0-9a-f]{16}", memory.read(end - start))
                except (OSError, ValueError, OverflowError):
                    continue
                if found:
                    print(found[0].decode())
except OSError as fault:
    print(fault)
kind_text = "max"
