# Tries: five gigabytes mapped
# Aims at: kind-text
# Control: without limits
# Succeeds by: reached
import mmap

blocks = []
try:
    for _ in range(5):
        blocks.append(mmap.mmap(-1, 1 << 30, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x4000))
    print("REACHED", len(blocks))
except (OSError, MemoryError) as fault:
    print(fault)
kind_text = "max"
