# Tries: a loop in C that no Python handler interrupts
# Aims at: kind-text
# Control: in process
# Succeeds by: lost
# Budget: short
import re

re.match(r"(a+)+$", "a" * 64 + "b")
kind_text = "max"
