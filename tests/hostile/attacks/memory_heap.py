"""Takes memory until there is none."""
# verdict: memory_limit
# points: none
# says: sandbox.memory_limit


def concat_heads(heads):
    held = []
    for _ in range(4096):  # 4 GiB at most
        held.append(bytearray(b"x" * 2**20))
    return held
