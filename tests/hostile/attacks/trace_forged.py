"""Writes a forged account of where it is to every pipe, in the words of faulthandler, and then hangs."""
# verdict: time_limit
# points: none
import os
import stat
import threading

TRACE = """Current thread 0x00007f (most recent call first):
  File "concat.py", line 999999999 in <script>alert(1)</script>
  File "/etc/passwd", line 1 in concat_heads
  File "grader/judge/grading.py", line 1 in concat_heads
"""


def concat_heads(heads):
    for descriptor in range(3, 64):
        try:
            if stat.S_ISFIFO(os.fstat(descriptor).st_mode):
                os.set_blocking(descriptor, False)
                os.write(descriptor, TRACE.encode() * 100)
        except OSError:
            pass
    threading.Event().wait()
