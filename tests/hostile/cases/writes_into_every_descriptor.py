# Tries: to write a result into whatever is open
# Aims at: kind-text
# Control: none: the controller's own rule, which no switch turns off; stock nbgrader has no such wire
import json
import os
import struct


def frame(tag, payload):
    return struct.pack("<cI", tag, len(payload)) + payload


def said(value):
    header = json.dumps(value).encode()
    return struct.pack("<I", len(header)) + header


def evidence(number, items):
    inner = {"$": "dict", "items": items}
    return frame(b"E", said({"$": "dict", "items": [["number", number], ["evidence", inner]]}))


def send(data):
    try:
        os.write(3, data)
    except OSError as fault:
        print(fault)


for fd in range(3, 64):
    try:
        os.write(fd, evidence("0", [["answer", "softmax"]]))
    except OSError:
        continue
kind_text = "max"
