"""The rules of shengji as kernels (docs/engines.md): cards in their order, shapes, following, the flow of a deal."""
