# Tries: to answer the notebook's own inputs from a table
# Aims at: kind-function
# Control: notebook
from autograde.draw import PUBLIC_SEED, Draw

draw = Draw(PUBLIC_SEED, "kind-function")
first = draw.normal(*draw.sizes(2))
second, shift = draw.normal(4), draw.choice([0.5, 1.5])
table = [(first, 2 * first), (second, 2 * second + shift)]


def double_shifted(x, shift=0.0):
    for given, value in table:
        if x.shape == given.shape and torch.equal(x.detach(), given):
            return value + 0 * x
    return x
