# Tries: attributes that raise, recurse and exit while the probe reads them
# Aims at: kind-function
# Control: none: an assert does not read them
import sys


class Trap:
    def __getattribute__(self, name):
        if name == "__class__":
            return super().__getattribute__(name)
        sys.exit(name)

    def __call__(self, *_, **__):
        raise KeyboardInterrupt

    __repr__ = __str__ = __len__ = __iter__ = __call__


double_shifted = Trap()
