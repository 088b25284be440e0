"""Objects that are changed or made inside: replaced by the variables that hold their parts.

    self.t += dt                    self_t = self.t
    self.u = self.u * self.t        self_t += dt
                                    self_u = self_u * self_t

`opening` finds the objects that come in and are changed, `rewriting` replaces what is done with the
parts, and `closing` builds whole objects where they are needed, or refuses.
"""
