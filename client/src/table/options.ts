// The house rules of a table, whole: what it differs in, over the game's defaults.
import { catalog } from "../net/catalog.svelte";
import type { Json } from "../net/protocol";
import type { GameModule } from "./game";

/** Options with the defaults of the game filled in, as far as the catalogue is known. Read in a component it stays true. */
export function filled(game: string, differing: Json): Json {
  const known = catalog.games.find((one) => one.game === game);
  return { ...Object.fromEntries((known?.options ?? []).map((one) => [one.name, one.default])), ...differing };
}

/** Does play go round the table clockwise? The game's word, else the option `direction` (P-21). */
export const runsClockwise = (module: GameModule | null, options: Json): boolean => module?.clockwise ?? options?.direction === "cw";
