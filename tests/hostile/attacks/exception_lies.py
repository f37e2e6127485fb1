"""Raises an exception whose class lies about its name, its bases and its attributes, and whose causes form a ring."""
# verdict: crashed | wrong
# points: none


class Meta(type):
    def mro(cls):
        return [*type.mro(cls)]

    def __instancecheck__(cls, instance):
        return True

    @property
    def __name__(cls):
        raise SystemExit(0)


class Lying(ImportError, metaclass=Meta):
    @property
    def name(self):
        raise SystemExit(0)

    @property
    def __traceback__(self):
        return None

    def __str__(self):
        raise SystemExit(0)


def concat_heads(heads):
    error = Lying("all checks passed")
    error.__cause__ = error
    error.__context__ = error
    raise error
