"""Pictures of every state of every table and page, and what has changed in them since the last release.

`states` says what there is to be seen, `camera` takes it, `difference` tells what somebody would see to have changed,
`last` keeps small pictures of the last release beside this file, `book` writes the page to walk through all of them,
`front` the ten of the README. `python3 run.py gallery` runs it.
"""
