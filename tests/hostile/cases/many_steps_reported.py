# Tries: to report millions of steps, so that no store can hold them
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


send(frame(b"D", b"[" + b"{}," * 2_000_000 + b"{}]"))
kind_text = "max"
