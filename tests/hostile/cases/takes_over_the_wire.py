# Tries: to speak with the controller in the grader's place, and to answer every plan
# Aims at: kind-function
# Control: none: it answers as the probe would, and what it does not know it cannot say
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


def receive():
    head = b""
    while len(head) < 5:
        head += os.read(3, 5 - len(head)) or os._exit(0)
    size, body = struct.unpack("<cI", head)[1], b""
    while len(body) < size:
        body += os.read(3, size - len(body)) or os._exit(0)
    return body


send(frame(b"D", b"[{}]"))
while True:
    plan = receive()
    at = plan.index(b'"number",') + 10
    number = plan[at : plan.index(b'"', at)].decode()
    yes = [[name, True] for name in ("no shift: unchanged", "no shift: repeatable", "a shift: unchanged", "gradient")]
    send(evidence(number, [*yes, ["answer", "yes"], ["forbidden", []], ["passed", True], ["score", 3]]))
