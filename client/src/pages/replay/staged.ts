// What a stage asks of a table that nobody serves: a replay's, a lesson's.
import type { TableView } from "../../table/game";

export interface Staged extends TableView {
  /** The seat that acted last; null: none. */
  readonly acted: number | null;
}
