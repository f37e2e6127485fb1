"""Finds secrets without knowing their names: lists folders upwards from its own and down again."""
# verdict: wrong
# points: none
# needs: landlock
import os
import re

SECRET = re.compile(r"mh-secret-[0-9a-f]{32}")
PLACES = """@@FOLDERS@@""".splitlines()


def concat_heads(heads):
    for place in PLACES:
        for folder, _, names in os.walk(place):
            for name in names[:100]:
                try:
                    print(*SECRET.findall(open(os.path.join(folder, name), encoding="latin-1").read(10**6)))
                except OSError:
                    pass
