# Tries: to promise more bytes than it sends
# Aims at: kind-text
# Control: none: the controller's own rule, which no switch turns off; stock nbgrader has no such wire
import os
import struct

os.write(3, struct.pack("<cI", b"D", 5000) + b"[{}]")
os.close(3)
kind_text = "max"
