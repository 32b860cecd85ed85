"""The rules of mahjong as kernels: see docs/engines.md."""
