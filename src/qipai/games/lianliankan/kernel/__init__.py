"""The rules of lianliankan over integers: luck, free paths, layouts, the race of several boards."""
