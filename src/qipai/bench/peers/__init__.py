"""Other people's game servers, for Node: `qipai bench peers` fetches them, `bench.rivals` runs them."""
