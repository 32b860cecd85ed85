"""What we are measured beside: other people's engines (`engines.py`) and game servers for Node.

`qipai bench peers` fetches the servers, `bench.rivals` runs them.
"""
