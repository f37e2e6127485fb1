# Holds comments and nothing else.
# verdict: not_attempted
# points: none
# says: checks.empty_file
#
# def concat_heads(heads):
#     return heads
