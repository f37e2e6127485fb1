"""Reads the reference by the readers of numpy, as bytes, as text and as a memory map."""
# verdict: wrong
# points: none
# needs: landlock
import numpy as np

PATHS = """@@READ@@""".splitlines()


def concat_heads(heads):
    for path in PATHS:
        for read in (lambda name: np.fromfile(name, dtype=np.uint8), lambda name: np.memmap(name, mode="r")):
            try:
                print(bytes(read(path)).decode("utf-8", "replace")[:8000])
            except OSError:
                pass
