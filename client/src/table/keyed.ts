// The keys of a table with a board: those its game does not use itself are the board's, while one is drawn.
const keyed = new WeakMap<object, (event: KeyboardEvent) => boolean>();

/** Give the keys of a table view to its board; for an effect. */
export function keysTo(tableView: object, board: { key: (event: KeyboardEvent) => boolean } | undefined): (() => void) | undefined {
  if (!board) return undefined;
  keyed.set(tableView, (event) => board.key(event));
  return () => keyed.delete(tableView);
}

/** Use a key on the board; false when it is none of its. */
export const boardKey = (tableView: object, event: KeyboardEvent): boolean => keyed.get(tableView)?.(event) ?? false;
