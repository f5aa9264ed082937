# Tries: to shadow all() and zip() among its own variables
# Aims at: kind-text
# Control: in process
# Plain: not stopped: an assignment may ask for a function of that name
all = lambda _: True
kind_text = "1234567"
