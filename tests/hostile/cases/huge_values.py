# Tries: answers of hundreds of megabytes
# Aims at: kind-function
# Control: none: no limit of nbgrader's or of a layer is meant; the probe keeps little of a large value
def double_shifted(x, shift=0.0):
    return [torch.zeros(20_000_000), "x" * 100_000_000, {str(i): "y" * 9_000 for i in range(900)}]
