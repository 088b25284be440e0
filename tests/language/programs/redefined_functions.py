"""Functions inside that are defined twice, and what they call, which a global is named after."""

from tests.language.corpus import program


def base():
    return 3.0


@program([(0.7,)], refusable=True)
def defined_twice(x):
    def base():
        return x

    def scaled():
        return base() * 2.0

    y = scaled()

    def scaled():
        return base() * 3.0

    return y * scaled()


@program([(0.7,)])
def lambda_twice(x):
    def base(t):
        return x * t

    scaled = lambda t: base(t)  # noqa: E731
    y = scaled(2.0)
    scaled = lambda t: base(t * t)  # noqa: E731
    return y * scaled(x)
