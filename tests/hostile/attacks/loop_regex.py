"""Never returns: a regular expression that backtracks for ever and holds the interpreter lock."""
# verdict: time_limit
# points: none
import re


def concat_heads(heads):
    return re.match(r"(a+)+$", "a" * 60 + "b")
