"""Opens the hidden suite, the reference, the file of a classmate and one in the home folder, by their full paths."""
# verdict: wrong
# points: none
# needs: landlock
import os

PATHS = """@@READ@@""".splitlines()


def concat_heads(heads):
    for path in PATHS:
        try:
            print(os.path.basename(path), open(path, encoding="utf-8").read()[:4000])
        except OSError:
            pass
