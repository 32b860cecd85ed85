"""What no game owns: the contract, luck, kernels, records, conformance, laws."""
