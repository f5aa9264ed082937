# Tries: five gigabytes on the heap
# Aims at: kind-text
# Control: without limits
# Succeeds by: reached
try:
    block = torch.empty(5 << 30, dtype=torch.uint8)
    print("REACHED", len(block))
except (MemoryError, RuntimeError):
    print("no memory")
kind_text = "max"
