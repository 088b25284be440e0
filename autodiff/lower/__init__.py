"""From a function's tree to Core: what loops carry and branches join becomes explicit."""
