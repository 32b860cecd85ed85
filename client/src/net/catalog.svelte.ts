// The games and rooms of this hall: loaded once, kept for the visit.
import { inUse } from "../lang.svelte";
import { gameName } from "../table/terms";
import { get } from "./http";
import { again } from "./patience";
import type { Json, RoomInfo } from "./protocol";

export interface OptionInfo {
  name: string;
  kind: "bool" | "choice" | "number" | "list" | "text" | "other";
  default: Json;
  values: Json[] | null;
  least: number | null;
  most: number | null;
  /** The heading under which it stands. */ group: string | null;
}
export interface GameInfo {
  game: string;
  name: Record<string, string>;
  seats: number[];
  /** Who wins together, by seat, for each number of seats. */ sides: number[][];
  options: OptionInfo[];
  presets: Record<string, Json>;
  variants: string[];
  /** Our own levels, and the engines of this hall. */ bots: string[];
  luck: boolean;
  clock: Json;
  formats: string[];
  analysis: boolean;
  lessons: boolean;
  /** It has a first lesson: /learn/<game>. */ lesson: boolean;
  /** It asks some seats in secret (README X6). */ pauses: boolean;
  /** The option that names the board of a day, for one. */ daily: string | null;
  /** Its tables are card tables 扑克台. */ cards: boolean;
  /** Languages whose speakers mostly know it. */ familiar: string[];
  /** How many were finished here. */ played: number;
}
export interface RoomRow extends RoomInfo {
  people: number;
  playing: number;
}

class Catalog {
  games: GameInfo[] = $state.raw([]);
  rooms: RoomRow[] = $state.raw([]);
  loaded = $state(false);
  /** Whether loading failed; it is retried until it succeeds. */
  failed = $state(false);
  #trying = false;

  async load(): Promise<void> {
    try {
      await this.#read();
    } catch (wrong) {
      this.failed = !this.loaded;
      if (this.failed && !this.#trying) {
        this.#trying = true;
        void again(() => (this.loaded ? Promise.resolve() : this.#read())).then(() => (this.#trying = false));
      }
      throw wrong;
    }
  }

  async #read(): Promise<void> {
    const [games, rooms] = await Promise.all([
      get<{ rows: GameInfo[] } | GameInfo[]>("/games"),
      get<{ rows: RoomRow[] }>("/rooms?limit=200"),
    ]);
    this.games = Array.isArray(games) ? games : games.rows;
    this.rooms = rooms.rows;
    this.loaded = true;
    this.failed = false;
  }

  async game(name: string): Promise<GameInfo | undefined> {
    if (!this.loaded) await this.load();
    return this.games.find((one) => one.game === name);
  }

  async room(id: number): Promise<RoomRow | undefined> {
    if (!this.loaded) await this.load();
    return this.rooms.find((one) => one.room === id);
  }

  /** A room in words, with its game: rooms of several games have one name. */
  roomName(id: number): string {
    const found = this.rooms.find((one) => one.room === id);
    return found ? `${gameName(found.game)} · ${localName(found.name)}` : `#${id}`;
  }
}

export const catalog = new Catalog();

/** A name given in several languages, in the one in use. */
export const localName = inUse;
