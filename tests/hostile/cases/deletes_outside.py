# Tries: to delete another's submission
# Aims at: kind-text
# Control: without bubblewrap, cgroup, pids, namespaces, mounts, limits, landlock, seccomp, capabilities
# Succeeds by: written
import os

try:
    os.rename("@CANARY@/other.ipynb", "@CANARY@/gone.ipynb")
except OSError as fault:
    print(fault)
kind_text = "max"
