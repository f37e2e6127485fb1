"""Removes the rule about imports from the import system and imports the grader and pytest all the same."""
# verdict: wrong
# points: none
# needs: landlock
import sys

sys.meta_path[:] = [finder for finder in sys.meta_path if type(finder) is type]
sys.path.extend("""@@FOLDERS@@""".splitlines())


def concat_heads(heads):
    for name in ("grader.course", "pytest", "click", "test_concat_hidden"):
        try:
            __import__(name)
            print("breach: imported", name)
        except ImportError:
            pass
