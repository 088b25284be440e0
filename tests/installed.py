"""What the installed libraries take: older ones lack some functions and keywords."""

import warnings


def works(call):
    """Whether this version of the library takes a call at all."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            call()
    except (AttributeError, TypeError, ValueError):
        return False
    return True
