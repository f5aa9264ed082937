# Tries: to call the function that the exercise forbids through its other names
# Aims at: kind-function
# Control: in process
# Plain: not stopped: plain asserts forbid nothing
def double_shifted(x, shift=0.0):
    return getattr(torch.ops.aten, "add" + "cmul")(torch.full_like(x, shift), x, torch.full_like(x, 2))
