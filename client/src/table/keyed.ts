// The keys of a table with a board: those its game does not use itself are the board's, while one is drawn.
const keyed = new WeakMap<object, (event: KeyboardEvent) => boolean>();

/** Give the keys of a face to its board; for an effect. */
export function keysTo(face: object, board: { key: (event: KeyboardEvent) => boolean } | undefined): (() => void) | undefined {
  if (!board) return undefined;
  keyed.set(face, (event) => board.key(event));
  return () => keyed.delete(face);
}

/** Use a key on the board; false when it is none of its. */
export const boardKey = (face: object, event: KeyboardEvent): boolean => keyed.get(face)?.(event) ?? false;
