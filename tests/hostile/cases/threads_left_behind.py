# Tries: threads that go on, and that keep an interpreter from ending
# Aims at: kind-text
# Control: none: threads end with their process, and every grader ends that
import threading
import time


def go():
    while True:
        time.sleep(0.01)


for _ in range(20):
    threading.Thread(target=go).start()
kind_text = "max"
