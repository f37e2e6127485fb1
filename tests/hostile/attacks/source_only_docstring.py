"""Holds a docstring and nothing else."""
# verdict: not_attempted
# points: none
# says: checks.empty_file
