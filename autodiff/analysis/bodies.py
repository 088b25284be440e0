"""Running the texts of functions: of the user's, and of what is defined inside.

A text is run once for all calls of it: its parameters may be what any call gives.
"""

from __future__ import annotations

from typing import Any

import gast

from autodiff.analysis.outer_reads import outer_reads
from autodiff.analysis.outer_values import Code, Inner, Refs, joined, refs
from autodiff.analysis.running import Running
from autodiff.errors import AutodiffError
from autodiff.frontend.source import source
from autodiff.syntax.walk import of_class


class Bodies(Running):
    """What functions return, and what their texts do."""

    def unknown(self, values: list[Refs]) -> Refs:
        """What may change all that it is given, store it there, and return it."""
        raise NotImplementedError

    def function(self, function: Any, args: list[Refs], keywords: dict[str, Refs]) -> Refs:
        """A function of the user's, by its text."""
        code, tree, defaults = self.text(function)
        if code is None:  # it may do anything with what it gets at
            if "<string>" in function.__code__.co_filename:
                return joined([*args, *keywords.values()])
            reads = [refs(read.value) for read in outer_reads([function])]
            return self.unknown([*args, *keywords.values(), *reads])
        self.bind(tree, code, args, keywords, defaults)
        found = self.body(tree.body, code)
        if of_class(tree.body, gast.Yield, gast.YieldFrom):  # it runs when it is iterated over
            found = found | refs(self.made.setdefault((id(code), 0), Inner(tree, code)))
        return found

    def text(self, function: Any) -> Any:
        found = self.codes.get(id(function))
        if found is None:
            try:
                read = source(function)
            except AutodiffError:
                found = (None, None, {}, function)
            else:
                scope = read.namespace
                positional = [a.id for a in (*read.tree.args.posonlyargs, *read.tree.args.args)]
                defaults = dict(zip(reversed(positional), reversed(scope.defaults)))
                defaults |= scope.kwdefaults
                found = (Code(read.tree, scope), read.tree, defaults, function)
            self.codes[id(function)] = found
        return found[:3]

    def inner(self, inner: Inner, args: list[Refs], keywords: dict[str, Refs]) -> Refs:
        """A function that is defined inside, a class, or a generator."""
        node, code = inner.node, inner.text
        if hasattr(node, "args"):
            self.bind(node, code, args, keywords, {})
            body = node.body if isinstance(node.body, list) else [node.body]
            return self.body(body, code)
        if id(node) in self.ran:
            return self.results.get(id(node), {})
        self.ran.add(id(node))
        if isinstance(node, gast.GeneratorExp):
            found = self.comprehension(node, code)
            self.add(self.results.setdefault(id(node), {}), self.items(found))
            return self.results[id(node)]
        for part in node.body:
            for value in self.of(part, code).values():
                self.called(value, [], {"*": joined([*args, *keywords.values()])})
        return joined([*args, *keywords.values()])

    def body(self, body: list[Any], code: Code) -> Refs:
        if id(code) not in self.ran:
            self.ran.add(id(code))
            for part in body:
                found = self.of(part, code)
                if isinstance(part, gast.expr):  # of a lambda
                    self.add(self.results.setdefault(id(code), {}), found)
        return self.results.get(id(code), {})

    def bind(
        self, tree: Any, code: Code, args: list[Refs], keywords: dict[str, Refs],
        defaults: dict[str, Any],
    ) -> None:  # fmt: skip
        """Give the parameters what they are called with."""
        own = tree.args
        positional = [a.id for a in (*own.posonlyargs, *own.args)]
        everything = joined([*args, *keywords.values()])
        for name, value in defaults.items():
            self.bound(name, code, refs(value))
        spread = "**" in keywords or "*" in keywords
        for k, name in enumerate([*positional, *(a.id for a in own.kwonlyargs)]):
            value = args[k] if k < min(len(args), len(positional)) else keywords.get(name, {})
            self.bound(name, code, everything if spread else value)
        for rest in filter(None, (own.vararg, own.kwarg)):
            new = self.place(list, id(code), rest.id)
            self.put(refs(new), everything)
            self.bound(rest.id, code, refs(new))
