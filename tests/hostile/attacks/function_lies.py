"""Is an object with a call that is right once and deletes itself, and with every attribute of a function set to junk."""
# verdict: invalid | wrong | crashed | partly
# points: any
import numpy as np


class Function:
    __code__ = "no code"
    __defaults__ = __kwdefaults__ = __wrapped__ = 7
    used = False

    @property
    def __signature__(self):
        raise SystemExit(0)

    def __call__(self, heads):
        if Function.used:
            globals().pop("concat_heads", None)
        Function.used = True
        return np.concatenate(list(heads), axis=1)


concat_heads = Function()
