# Tries: to keep the library from being put back
# Aims at: kind-text
# Control: in process
# Plain: not stopped: what runs in the same process can be reached from it
import builtins
import sys

builtins.all = lambda _: True
if "autograde.grading.pristine" in sys.modules:
    from autograde.grading.pristine import Pristine

    Pristine.restore = Pristine.restore_probes = lambda *_: None
kind_text = "1234567"
