# Tries: to meet another submission that runs at the same time
# Aims at: kind-text
# Control: siblings: two workers at once without bubblewrap, cgroup, pids, namespaces, mounts, limits, landlock, seccomp, capabilities
# Succeeds by: reached
import glob
import os
import socket
import time

me = os.urandom(4).hex()
for folder in ("/tmp", "/dev/shm", "/var/tmp"):
    try:
        open(f"{folder}/@MARK@-meet-{me}", "w").close()
    except OSError:
        continue
door = socket.socket(socket.AF_UNIX)
try:
    door.bind("\0@MARK@-meet")
except OSError:
    print("REACHED a sibling's door")
end = time.monotonic() + 1.5
while time.monotonic() < end:
    met = [path for path in glob.glob("/tmp/@MARK@-meet-*") + glob.glob("/dev/shm/@MARK@-meet-*") if me not in path]
    if met:
        print("REACHED a sibling", met)
        break
    time.sleep(0.05)
time.sleep(0.2)
for folder in ("/tmp", "/dev/shm", "/var/tmp"):
    try:
        os.remove(f"{folder}/@MARK@-meet-{me}")
    except OSError:
        continue
kind_text = "max"
