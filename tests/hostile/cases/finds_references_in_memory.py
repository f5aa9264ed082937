# Tries: to call a reference that the grader may hold
# Aims at: kind-function
# Control: none: no reference is in any process that runs submissions
import gc
import types

found = [item for item in gc.get_objects() if isinstance(item, types.FunctionType)]
found = [function for function in found if function.__name__ == "double_shifted"]
if found:
    print("REACHED a reference")
double_shifted = found[0] if found else (lambda x, shift=0.0: x)
