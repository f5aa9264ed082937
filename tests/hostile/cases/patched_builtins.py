# Tries: to make all() always true
# Aims at: kind-text
# Control: in process
# Plain: stopped
import builtins

builtins.all = lambda _: True
kind_text = "1234567"
