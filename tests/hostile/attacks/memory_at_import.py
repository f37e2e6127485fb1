"""Takes memory at module level until there is none."""
# verdict: memory_limit | time_limit
# points: none
# says: sandbox.memory_limit | sandbox.time_limit_busy
held = [bytearray(b"x" * 2**20) for _ in range(4096)]  # 4 GiB at most
