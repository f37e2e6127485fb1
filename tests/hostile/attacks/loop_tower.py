"""Never loads: a tower of powers that the compiler may try to work out in advance."""
# verdict: time_limit | memory_limit | invalid
# points: none
TOWER = 9**9**9**9


def concat_heads(heads):
    return TOWER
