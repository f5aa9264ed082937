# Tries: a tensor whose __torch_function__ answers every question with True
# Aims at: kind-function
# Control: in process
# Plain: not stopped: what a value does is its own affair in its own process
class Liar(torch.Tensor):
    @classmethod
    def __torch_function__(cls, function, types, args=(), kwargs=None):
        return True if function.__name__ == "allclose" else super().__torch_function__(function, types, args, kwargs)


def double_shifted(x, shift=0.0):
    return x.as_subclass(Liar)
