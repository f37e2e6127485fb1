"""Leaves files behind in the home folder, in its own folder, in temporary folders and in the working folder."""
# verdict: wrong
# points: none
import os

FOLDERS = [*"""@@WRITE@@""".splitlines(), os.curdir, os.path.expanduser("~")]


def concat_heads(heads):
    for folder in FOLDERS:
        name = os.path.join(folder, "@@MARK@@-written")
        try:
            with open(name, "x") as file:
                file.write("here")
            print("breach: wrote in", folder)
        except OSError:
            pass
