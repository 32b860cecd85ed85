// The clocks among which one chooses for a game that is set up: by what the game is, and one of one's own (P-23).
import { say } from "../lang.svelte";
import type { GameInfo } from "../net/catalog.svelte";
import type { Clock } from "../net/protocol";
import { clockWords } from "./terms";

/** Two play, turn by turn: who is first matters, and a clock for each. */
export const isDuel = (game: GameInfo | undefined): boolean => game?.seats.length === 1 && game.seats[0] === 2;

export interface ClockChoice {
  name: string;
  /** null: the game's usual one, or one's own that is not one yet. */ clock: Clock | null;
  words: string;
}

/** days: for a move, null: games by days are not offered; own: as it is written now. */
export function clockChoices(game: GameInfo | undefined, days: number | null, own: Clock | null): ClockChoice[] {
  const usual = game?.clock as Clock | undefined;
  const one = (name: string, clock: Clock): ClockChoice => ({ name, clock, words: clockWords(clock) });
  const found: ClockChoice[] = [
    {
      name: "usual",
      clock: null,
      words: usual && usual.type !== "none" ? say("ui.meet.clock_usual_is", { clock: clockWords(usual) }) : say("ui.meet.clock_usual"),
    },
  ];
  const mine: ClockChoice = { name: "own", clock: own, words: say("ui.meet.clock_own") };
  if (isDuel(game)) {
    found.push(
      one("quick", { type: "fischer", base: 180, inc: 2 } as Clock),
      one("middle", { type: "fischer", base: 600, inc: 5 } as Clock),
      one("slow", { type: "fischer", base: 1800, inc: 20 } as Clock),
    );
    if (days !== null) {
      const by = { type: "days", days } as Clock;
      found.push({ name: "days", clock: by, words: `${say("ui.slow.by_days")} · ${clockWords(by)}` });
    }
    found.push(mine);
  } else if (usual?.type === "move")
    found.push(one("move", { type: "move", s: 30 } as Clock), one("long", { type: "move", s: 60 } as Clock), mine);
  return found;
}
