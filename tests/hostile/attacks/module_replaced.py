"""Replaces its own module by an object whose attributes loop."""
# verdict: time_limit
# points: none
import sys
import types


class Slow(types.ModuleType):
    def __getattribute__(self, name):
        while name == "concat_heads":
            pass
        return super().__getattribute__(name)


sys.modules[__name__].__class__ = Slow


def concat_heads(heads):
    return True
