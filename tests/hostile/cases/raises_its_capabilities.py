# Tries: to take capabilities back
# Aims at: kind-text
# Control: without capabilities
# Succeeds by: reached
import ctypes
import struct

libc = ctypes.CDLL(None, use_errno=True)
header, found = struct.pack("Ii", 0x20080522, 0), ctypes.create_string_buffer(24)
if libc.capget(header, found) == 0 and any(found.raw):
    print("REACHED capabilities", found.raw.hex())
if libc.prctl(23, 21, 0, 0, 0) == 1:
    print("REACHED the bounding set")
kind_text = "max"
