"""Regions: memory that shares or may share, and what is known of it."""

from __future__ import annotations


class Region:
    """Memory that shares or may share. Two regions that meet in one value become one (union-find).

    written: some operation changes its content.
    held: a container holds it, or it holds others: it is reached by index.
    given: it is the caller's (a parameter), or comes from outside.
    exposed: somebody whom this function does not see may write there once the forward sweep is
    over.
    opaque: an operation of which nothing is known may share it.

    These only grow until lowering ends; whoever asks earlier than that gets an answer that may be
    wrong later.
    """

    __slots__ = ("exposed", "given", "held", "inner", "opaque", "shadow", "up", "written")

    def __init__(self) -> None:
        self.up: Region | None = None
        self.written = self.held = self.given = self.exposed = self.opaque = False
        self.shadow: Region | None = None
        self.inner: Region | None = None

    def find(self) -> Region:
        """The one region that stands for all that it was united with."""
        root = self
        while root.up is not None:
            root = root.up
        if self is not root:
            self.up = root
        return root

    def unite(self, other: Region) -> None:
        """From now on both are one."""
        one, two = self.find(), other.find()
        if one is two:
            return
        two.up = one
        for flag in ("written", "held", "given", "exposed", "opaque"):
            setattr(one, flag, getattr(one, flag) or getattr(two, flag))
        if one.shadow and two.shadow:
            one.shadow.unite(two.shadow)
        one.shadow = one.shadow or two.shadow
        if one.inner and two.inner:
            one.inner.unite(two.inner)
        one.inner = one.inner or two.inner

    @property
    def content(self) -> Region:
        """The memory that containers of this region hold: any item may be any of it."""
        root = self.find()
        if root.inner is None:
            root.inner = Region()
            root.inner.held = True
        return root.inner.find()

    def reached(self) -> list[Region]:
        """It, what it holds, and what that holds."""
        found: list[Region] = []
        region: Region | None = self
        while region is not None and region.find() not in found:
            found.append(region.find())
            region = found[-1].inner
        return found

    @property
    def mirror(self) -> Region:
        """The region of the adjoints of what is here: one region, one shadow region."""
        root = self.find()
        if root.shadow is None:
            root.shadow = Region()
        return root.shadow.find()
