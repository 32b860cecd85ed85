"""What all games build on: the contract, randomness, kernels, records, conformance cases, laws."""
