"""The derivative object: a function that is compiled when it is called with new kinds."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping
from dataclasses import replace
from os import PathLike
from types import CodeType, FunctionType
from typing import TYPE_CHECKING, Any, Generic

from numpy import ndarray

from autodiff.derivatives import cache
from autodiff.derivatives.annotated import alike, by_annotations
from autodiff.derivatives.bound import BoundDerivative
from autodiff.derivatives.inner import inner_of, standing_for, steps
from autodiff.derivatives.options import backend_of, chosen, timeout_of
from autodiff.derivatives.pickled import reduced, twin_of
from autodiff.derivatives.saying import bounded
from autodiff.derivatives.seen import Seen
from autodiff.derivatives.spread import spread
from autodiff.derivatives.target import Arguments, Target, Wrt, check_wanted, target_of
from autodiff.derivatives.typed import P, R
from autodiff.errors import AutodiffError, UnsupportedSyntaxError
from autodiff.frames import hidden, users
from autodiff.frontend.defaults import defaults_now, holds
from autodiff.kinds.arguments import LEAST, kind_of, kinds_and_sizes, kinds_of
from autodiff.kinds.call_key import NUMBERS, call_key, is_plain
from autodiff.kinds.kind import UNKNOWN, Kind, Scalar, adjoint_kind, record
from autodiff.kinds.size import Told
from autodiff.loader import annotate, place_of
from autodiff.pipeline.compiled import Compiled, Offer
from autodiff.pipeline.request import Mode, Options, Request

LIMIT = 1024
_ABSENT = object()
_NO_NUMBER = (None, abs, None)
"""Before the first call; no method of the derivative, which then would not be freed at once."""
_CONSTANTS = (bool, int, float, complex, str, type(None))


class Derivative(Seen, Generic[P, R]):
    """A derivative of `primal`, called with the arguments of `primal`.

    It keeps the name, docstring and signature of the primal, works as a method, can be pickled
    where the primal can, and may be called from several threads. Positions in `wrt` do not count
    the `self` or `cls` of a method.
    """

    _directions = False
    """Whether tangents are taken along several directions at once, where that can be."""

    def __init__(
        self,
        primal: Callable[..., Any],
        mode: Mode,
        wrt: Wrt = 0,
        has_aux: bool = False,
        options: Mapping[str, Any] | None = None,
    ) -> None:
        self._asked, self._given_options = chosen(wrt, options or {})
        self._wrt = self._asked
        whole = standing_for(primal)
        standing = spread(whole, self._wrt if isinstance(self._wrt, tuple) else (self._wrt,))
        inner = inner_of(standing, Derivative)
        updated = ("__dict__",) if inner is None and whole is primal else ()
        functools.update_wrapper(self, primal, updated=updated)
        self._inner = inner
        self.primal = primal
        self._standing = standing
        self.target = target_of(standing)
        self.mode = mode
        self.has_aux = has_aux
        self.function = self.target.function
        self._defaults = defaults_now(self.function)
        self.backend, rest = backend_of(primal, self._given_options)
        self._debugs = bool(rest.pop("debug_nans", False))
        self._timeout = timeout_of(rest.pop("timeout", None))
        self._options = Options(**rest)
        self._memo: dict[Any, tuple[Callable[..., Any], tuple[Callable[[], bool], ...], Any]] = {}
        self._direct: tuple[type | None, Callable[..., Any], CodeType | None]
        self._direct = _NO_NUMBER  # one object: other threads may call
        self._last: Compiled | None = None
        self._settle(self.target.in_class)

    def _settle(self, method: bool) -> None:
        """With respect to which parameters; of a method, a place counts after the instance."""
        held = len(self.target.prefix)
        self.wrt = self.target.resolve(self._asked, held or int(method))
        if method and not held:  # others that are made of this one are made anywhere
            self._wrt = self.wrt if isinstance(self._asked, tuple) else self.wrt[0]

    def __target__(self) -> Target:
        """What is differentiated, as `target_of` asks: of a derivative, that of its primal."""
        return target_of(self._standing)

    def _call(self, x: Any = _ABSENT, /, *others: Any, **keywords: Any) -> Any:
        cls, call, code = self._direct  # one number, as the last time: there every step is felt
        if x.__class__ is cls and self.function.__code__ is code and not others and not keywords:
            try:
                return call(x)
            except Exception as error:
                annotate(error)
                raise
        args = () if x is _ABSENT else (x, *others)
        if not keywords:
            match others:  # the keys of a few numbers at once
                case (y,) if x.__class__ is not ndarray:
                    key: Any = (x.__class__, y.__class__)
                case (y, z) if x.__class__ is not ndarray:
                    key = (x.__class__, y.__class__, z.__class__)
                case _:
                    key = None
            found = (key and self._memo.get(key)) or self._memo.get(call_key(args))
            if found is not None:
                call, guards, code = found
                for guard in guards:
                    if not guard():
                        break
                else:
                    if self.function.__code__ is code:
                        try:
                            return call(*args)
                        except Exception as error:
                            annotate(error)
                            raise
        with hidden:
            arguments = self._bind(args, keywords)
            compiled = self._compile(arguments)
        if compiled.followed:
            with hidden, users:
                return compiled.function(*arguments.positional, **arguments.keywords)
        if not keywords:
            self._remember(args, compiled)
        try:
            return compiled.function(*arguments.positional, **arguments.keywords)
        except Exception as error:
            annotate(error)
            raise

    if TYPE_CHECKING:

        def __call__(self, *args: P.args, **keywords: P.kwargs) -> R: ...
    else:
        __call__ = _call
        _call.__signature__ = inspect.signature(lambda self, /, *args, **keywords: None)

    def _bind(self, args: tuple[Any, ...], keywords: Mapping[str, Any]) -> Arguments:
        """All arguments; with the defaults that the function has now."""
        if not holds(self.target.function, self._defaults):
            self._memo.clear()
            self._defaults = defaults_now(self.target.function)
            self.target = target_of(self._standing)
        return self.target.bind(args, keywords)

    def _compile(self, arguments: Arguments) -> Compiled:
        least = 2 if self.backend else LEAST
        general, sizes = kinds_and_sizes(arguments.values, least)
        check_wanted(self.target, self.wrt, general, arguments.values)
        if self.backend is not None or not self._options.sizes:
            return self._compile_kinds(general)
        exact = cache.exact_sizes(self.function, general)
        with bounded(self._timeout, self.function, self.mode):
            while True:
                kinds = kinds_of(arguments.values, least, exact) if exact else general
                try:
                    return self._compile_kinds(kinds, asked=sizes - exact)
                except cache.told() as signal:
                    told = signal.sizes & sizes
                exact = cache.exact_sizes(self.function, general, told)

    def _compile_kinds(
        self, kinds: tuple[Kind, ...], asked: frozenset[Told] = frozenset()
    ) -> Compiled:
        several = self._directions and self.backend is None
        request = replace(self._request(kinds, asked), backend=self.backend, directions=several)
        with bounded(self._timeout, self.function, self.mode):
            self._last = cache.compiled(self.function, request)
        if self._debugs:
            from autodiff.inspection.nans import debugged  # noqa: PLC0415 (rarely asked for)

            self._last = debugged(self._last)
        return self._last

    def _request(self, kinds: tuple[Kind, ...], asked: frozenset[Told]) -> Request:
        aux = self.has_aux and self.mode in ("grad", "value_and_grad")  # others take it apart
        what = self.mode, self.wrt, self._is_single(), aux
        inner = () if self._inner is None else steps(self._inner)
        return Request(*what, kinds, self._options, inner=inner, asked=asked)

    def composed(self, kinds: tuple[Kind, ...], asked: frozenset[Told] = frozenset()) -> Compiled:
        """The derivative for kinds of arguments, as a function like others: without a tape."""
        request = replace(self._request(kinds, asked), composed=True)
        if self.mode != "jvp":
            request = replace(request, mode="value", inner=steps(self), single=False)
            request = replace(request, has_aux=False)
        return cache.compiled(self.function, request)

    def __inlined__(self, kinds: list[Kind], keywords: dict[str, Any]) -> Offer:
        """What a call comes to inside a function that is differentiated in its turn."""
        if keywords:
            raise UnsupportedSyntaxError(
                "a derivative is called with keywords alone, or with parameters left out before, "
                "inside a function that is differentiated",
                why="its arguments are told apart by their places",
                cure="pass all arguments by position",
            )
        return self.compose(kinds)

    def __derivation__(self) -> tuple[str, bool]:
        """What a call comes to in Core, and whether what it gives is bare, not in a tuple."""
        return self.mode, self._is_single()

    def __unbound__(self) -> tuple[Derivative, tuple[str, ...], tuple[tuple[str, str], ...]]:
        """The derivative of a function that holds nothing, and where what this one's holds is."""
        named = tuple((key, f".primal{path}") for key, path in self.target.named)
        return self.bare, tuple(f".primal{path}" for path in self.target.paths), named

    @functools.cached_property
    def bare(self) -> Derivative:
        """This derivative, of a function that takes first what this one's already holds."""
        if not self.target.prefix and not self.target.keywords:
            return self
        inner = self.primal
        inner = inner.derivative if isinstance(inner, BoundDerivative) else inner
        function = inner.bare if isinstance(inner, Derivative) else self.function
        wrt = self.wrt if isinstance(self._wrt, tuple) else self.wrt[0]
        return type(self)(function, self.mode, wrt, self.has_aux, self._given_options)

    def __standing__(self) -> Callable[..., Any]:
        """What stands for this derivative where it is differentiated: a function that calls it."""
        return self

    def compose(self, kinds: list[Kind]) -> Offer:
        """The function for kinds of positional arguments, in the form to differentiate again."""
        if self.target.prefix or self.target.keywords:
            raise UnsupportedSyntaxError(
                f"{self!r} is differentiated again",
                why="what its function already holds is no argument of the call",
                cure="take the derivative of a function that has it for an argument",
            )
        left = list(self.target.signature.parameters.values())[len(kinds) :]
        compiled = self.composed((*alike(kinds), *(kind_of(each.default) for each in left)))
        same = functools.partial(holds, self.function, self._defaults)
        return compiled.function, (*compiled.guards, *([same] if left else []))

    def __result__(self, kinds: list[Kind]) -> Kind:
        """The kind that a call returns, for kinds of positional arguments."""
        names = list(self.target.signature.parameters)
        given = dict(zip(names, kinds))
        if self.has_aux or self.mode not in ("grad", "value_and_grad"):
            return UNKNOWN
        parts = [adjoint_kind(given.get(name, UNKNOWN)) for name in self.wrt]
        slopes = parts[0] if self._is_single() else record(*parts)
        return slopes if self.mode == "grad" else record(Scalar("float", "?"), slopes)

    def _is_single(self) -> bool:
        """Whether the result is bare: a gradient that is no tuple."""
        return not isinstance(self._wrt, tuple)

    def _remember(self, args: tuple[Any, ...], compiled: Compiled) -> None:
        """Let the next call with such arguments skip binding and kinds."""
        if self.target.prefix or self.target.keywords or not all(map(is_plain, args)):
            return
        call: Callable[..., Any] = compiled.function
        guards = compiled.guards
        defaults = self.target.defaulted(args)
        if defaults:
            guards = (*guards, functools.partial(holds, self.function, self._defaults))
            for name, value in defaults.items():
                if self.target.signature.parameters[name].kind is inspect.Parameter.POSITIONAL_ONLY:
                    return
                if type(value) not in _CONSTANTS:  # its kind may change between calls
                    return
            if not holds(compiled.function, self._defaults):  # it has those it was compiled with
                call = functools.partial(call, **defaults)
        if len(self._memo) >= LIMIT:
            self._memo.clear()
        self._memo[call_key(args)] = (call, guards, self.function.__code__)
        if len(args) == 1 and not guards and args[0].__class__ in NUMBERS:
            self._direct = (args[0].__class__, call, self.function.__code__)

    @property
    @hidden
    def source(self) -> str:
        """The generated source: of the last call, or by annotations if there was none.

        Raises AutodiffError where these do not tell what the arguments are.
        """
        return self._latest().source

    @hidden
    def source_for(self, *args: Any, **keywords: Any) -> str:
        """The generated source for the kinds of these arguments."""
        return self._compile(self._bind(args, keywords)).source

    @hidden
    def function_for(self, *args: Any, **keywords: Any) -> Callable[..., Any]:
        """The compiled function for the kinds of these arguments, which checks no other ones."""
        return self._compile(self._bind(args, keywords)).function

    @hidden
    def native_for(self, *args: Any, **keywords: Any) -> Any:
        """The Numba dispatcher for these kinds of arguments, for jitted functions to call.

        It refuses arguments of other kinds, and raises AssertionError where sizes that were equal
        (or 1) are not. Globals are the constants that they were when it was made. Raises
        AutodiffError if the backend is Python.
        """
        native = self._compile(self._bind(args, keywords)).native
        if native is None:
            raise AutodiffError(
                f"{self!r} has no native function",
                why="its backend is Python",
                cure='make it with backend="numba"',
            )
        return native

    @hidden
    def stages(self) -> list[tuple[str, str]]:
        """The name of every compiler pass with the source after it."""
        return list(self._latest().stages)

    @hidden
    def save(self, path: str | PathLike[str], overwrite: bool = False) -> None:
        """Write the generated source as a module that needs numpy and `autodiff.runtime` only.

        With `backend="numba"` its functions are decorated, and it needs Numba and this backend.
        The text is that of `source`, and begins with what refuses (by a TypeError) arguments other
        than those like the call's: the same texts and types, numbers where it had some, arrays of
        as many axes and of that dtype, with the same sizes equal, and 1 or at least 4.

        Raises `AutodiffError` if the derivative reads a global that cannot be written down, and if
        another file than one that was saved before is there, unless it is to `overwrite` it.
        """
        from autodiff.inspection.save import save  # noqa: PLC0415 (most programs save nothing)

        compiled = self._written("save")
        kinds = dict(zip(self.target.names, compiled.kinds))
        save(compiled, self.target.place, kinds, path, overwrite)

    def _written(self, what: str) -> Compiled:
        """The last version compiled; there is no text where each run is followed."""
        compiled = self._latest()
        if compiled.followed:
            why = f"each run is followed: {compiled.followed}"
            cure = "trace=False says where that stands, and what to write there"
            raise AutodiffError(f"cannot {what} {self!r}", why=why, cure=cure)
        return compiled

    def _latest(self) -> Compiled:
        return self._last or by_annotations(self)

    def __set_name__(self, owner: type, name: str) -> None:
        if self._binds():
            self._settle(method=True)

    def __get__(self, instance: object, owner: type | None = None) -> Any:
        if instance is None or not self._binds():
            return self
        return BoundDerivative(self, instance)

    def _binds(self) -> bool:
        if isinstance(self.primal, Derivative):
            return self.primal._binds()
        return isinstance(self.primal, (FunctionType, functools._lru_cache_wrapper))

    def __repr__(self) -> str:
        name = getattr(self.primal, "__qualname__", self.function.__qualname__)
        if self._last is not None:
            name = f"{name} ({place_of(self.function.__code__)})"
        return f"<{self.mode} of {name} with respect to {', '.join(self.wrt)}>"

    @property
    def form(self) -> tuple[Any, ...]:
        """What it was made with, beside its primal."""
        return self.mode, self._wrt, self.has_aux, self._given_options

    @functools.cached_property
    def twin(self) -> FunctionType | None:
        """The primal of a decorated function, under a name by which it is found."""
        return twin_of(self.primal, getattr(self, "__qualname__", ""))

    def __reduce__(self) -> str | tuple[Any, ...]:
        return reduced(self, *self.form)
