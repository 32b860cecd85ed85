// A game that is opened from the lobby against bots: how strong they are, and which one is on its way.
import { lastLevel, playBots } from "../../net/begin";
import type { Level } from "../../net/protocol";

export class Opening {
  level: Level = $state(lastLevel());
  /** The game that is being opened. */
  game: string | null = $state(null);

  start = async (game: string, colour?: "mine" | "theirs", strength: Level = this.level): Promise<void> => {
    this.game = game;
    await playBots(game, strength, colour);
    this.game = null;
  };
}
