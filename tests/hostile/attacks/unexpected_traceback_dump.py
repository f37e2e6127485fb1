"""Lets faulthandler write stacks to every descriptor and end the process from a thread that Python does not know."""
# verdict: crashed | wrong | time_limit
# points: none
import faulthandler
import time

for descriptor in range(3, 16):
    try:
        faulthandler.dump_traceback(descriptor)
    except (OSError, ValueError, RuntimeError):
        pass
try:
    faulthandler.dump_traceback_later(0.01, repeat=True, exit=True)
except RuntimeError:
    pass


def concat_heads(heads):
    time.sleep(1)
