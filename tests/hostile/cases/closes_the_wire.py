# Tries: to close the wire, or to put something else in its place
# Aims at: kind-text
# Control: none: the controller's own rule, which no switch turns off; stock nbgrader has no such wire
import os

os.dup2(os.open("/dev/null", os.O_RDWR), 3)
kind_text = "max"
