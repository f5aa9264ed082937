# Tries: more seconds of CPU than a submission has, in a step that is allowed its own
# Aims at: kind-text
# Control: without limits
# Succeeds by: reached
import resource

soft, hard = resource.getrlimit(resource.RLIMIT_CPU)
try:
    resource.setrlimit(resource.RLIMIT_CPU, (10_000, 10_000) if hard != resource.RLIM_INFINITY else (soft, hard))
    print("REACHED a higher limit" if hard != resource.RLIM_INFINITY or soft == hard else "")
except (OSError, ValueError) as fault:
    print(fault)
kind_text = "max"
