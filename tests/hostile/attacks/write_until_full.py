"""Fills the disk, 64 MiB at most in each folder."""
# verdict: wrong
# points: none
import os

FOLDERS = """@@WRITE@@""".splitlines()


def concat_heads(heads):
    for folder in FOLDERS:
        try:
            with open(os.path.join(folder, "@@MARK@@-filled"), "xb", 0) as file:
                for _ in range(64):
                    file.write(bytes(2**20))
            print("breach: wrote 64 MiB in", folder)
        except OSError:
            pass
