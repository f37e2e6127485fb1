"""Installs a finder that loops, and lets the next import of its worker fall into it."""
# verdict: time_limit
# points: none
import sys


class Loop:
    @staticmethod
    def find_spec(name, path=None, target=None):
        while True:
            pass


sys.meta_path.insert(0, Loop)


def concat_heads(heads):
    import a_module_that_is_not_there

    return a_module_that_is_not_there
