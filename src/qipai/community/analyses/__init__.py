"""Analyses of finished games 复盘分析, and what they say of somebody's skill with luck taken out (platform P-103)."""
