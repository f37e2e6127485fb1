"""Makes links to the reference in folders that it may read, and reads through them."""
# verdict: wrong
# points: none
import os

PATHS = """@@READ@@""".splitlines()
FOLDERS = """@@WRITE@@""".splitlines()


def concat_heads(heads):
    for folder in FOLDERS:
        for number, path in enumerate(PATHS):
            for link in (os.symlink, os.link):
                name = os.path.join(folder, f"@@MARK@@-{link.__name__}-{number}")
                try:
                    link(path, name)
                    print("breach: a link was made")
                    print(open(name, encoding="utf-8").read())
                except OSError:
                    pass
