"""What if: what people make of the games with which they have gone on from a moment of a finished one."""
