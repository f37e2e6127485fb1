"""Returns an object that loops when it is shown, hashed, formatted or measured."""
# verdict: wrong
# points: none


class Bomb:
    def __repr__(self):
        while True:
            pass

    __str__ = __hash__ = __len__ = __iter__ = __bool__ = __dir__ = __repr__

    def __format__(self, spec):
        return self.__repr__()

    def __getattr__(self, name):
        return self.__repr__()


def concat_heads(heads):
    return Bomb()
