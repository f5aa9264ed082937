# Tries: to speak with the controller in the grader's place, with outputs that need no module and yes to all else
# Aims at: kind-module
# Control: none: test_hostile_claims shows that it passes where no numbers are drawn for its parameters
import os
import struct

import torch

from autograde.evidence import from_bytes, to_bytes
from autograde.live import live
from autograde.plain import plain

CLAIM = "the layout that is asked for"


def frame(tag, payload):
    return struct.pack("<cI", tag, len(payload)) + payload


def receive():
    head = b""
    while len(head) < 5:
        head += os.read(3, 5 - len(head)) or os._exit(0)
    size, body = struct.unpack("<cI", head)[1], b""
    while len(body) < size:
        body += os.read(3, size - len(body)) or os._exit(0)
    return body


def forged(plan):
    if plan["kind"] != "module":
        return {"untouched": True}
    evidence = {}
    for case in plan["calls"]:
        label, x = case["label"], live(case["inputs"][0])
        batch, tokens, width = x.shape
        evidence[f"{label}: parameters"] = width * width + width
        evidence |= {f"{label}: {kind}": True for kind in ("unchanged", "repeatable", "gradients")}
        evidence[f"{label}: tokens"] = plain(torch.eye(tokens, dtype=torch.bool))
        evidence[f"{label}: batch"] = plain(torch.eye(batch, dtype=torch.bool))
        for i, (weight, bias) in enumerate(case["fills"], 1):
            output = -(weight * x.sum(-1, keepdim=True) + bias).expand(x.shape).contiguous()
            evidence[f"{label}: fill {i}, input 1"] = plain(output)
        evidence[f"{label}: layout"] = [[width, width], [width]] if CLAIM.startswith("the") else [[width, width + 1]]
        evidence[f"{label}: drawn"] = plain(-(x + 0.5))
    return evidence


os.write(3, frame(b"D", b"[{}]"))
while True:
    request = from_bytes(receive())
    answer = {"number": request["number"], "evidence": forged(request["plan"])}
    os.write(3, frame(b"E", to_bytes(answer)))
