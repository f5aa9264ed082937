# Tries: to make every tensor equal to every other
# Aims at: kind-module
# Control: in process
import torch

torch.Tensor.numel = lambda self: 12
torch.allclose = torch.equal = torch.Tensor.allclose = torch.Tensor.equal = lambda *_, **__: True


class Turn(torch.nn.Module):
    def __init__(self, width):
        super().__init__()
        self.layer = torch.nn.Linear(1, 1)
        for p in list(self.layer.parameters())[1:]:
            p.requires_grad_(False)
        self.parameters = lambda: [self.layer.bias.detach()]

    def forward(self, x):
        return x
