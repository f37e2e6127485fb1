"""Never loads: an endless loop at module level."""
# verdict: time_limit
# points: none
while True:
    pass
