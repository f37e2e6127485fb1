"""Returns 25 nested lists that hold the next one twice: small here, 2**25 values once written out."""
# verdict: wrong | time_limit
# points: none


def concat_heads(heads):
    result = [0.0]
    for _ in range(25):
        result = [result, result]
    return result
