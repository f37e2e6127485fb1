"""Starts 64 threads, each of which wants a stack and an arena of its own."""
# verdict: wrong | crashed | memory_limit
# points: none
import threading


def concat_heads(heads):
    release = threading.Event()
    threads = [threading.Thread(target=release.wait, args=(5,), daemon=True) for _ in range(64)]
    for thread in threads:
        thread.start()
    release.set()
