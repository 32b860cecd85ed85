"""Run around the Pond 池塘: a game of sealed bids, in which who uses the least falls in (platform P-71). Pure."""
