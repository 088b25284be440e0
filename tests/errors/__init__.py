"""What the user is told: while compiling, when a rule is read, when generated code fails."""
