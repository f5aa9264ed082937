# Tries: to pass with a module that is right only where all its weights are one constant
# Aims at: kind-module
# Control: none: test_hostile_claims shows that it passes where no numbers are drawn for its parameters
import torch
from torch import nn


class Turn(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.layer = nn.Linear(width, width)

    def forward(self, x):
        return -(x.sum(-1, keepdim=True) * self.layer.weight.mean(-1) + self.layer.bias)
