# Tries: a pickle that runs code, in the place of evidence
# Aims at: kind-text
# Control: none: the grader reads no pickle at all; a test beside shows what reading one would do
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


import pickle


class Bomb:
    def __reduce__(self):
        return exec, ("__import__('pathlib').Path('@CANARY@/pickled').write_text('pwned')",)


send(frame(b"D", b"[{}]"))
send(frame(b"E", pickle.dumps({"number": "0", "evidence": Bomb()})))
kind_text = "max"
