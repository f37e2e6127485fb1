"""Makes itself visible to others, gives up dying with its parent, and asks for a debugger."""
# verdict: wrong
# points: none
# needs: seccomp
import ctypes

libc = ctypes.CDLL(None, use_errno=True)


def concat_heads(heads):
    for option, argument in ((4, 1), (1, 0), (0x59616D61, -1), (36, 1)):
        if libc.prctl(option, argument, 0, 0, 0) == 0:
            print("breach: prctl", option)
    breakpoint()
