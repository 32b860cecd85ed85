// What a player has chosen: kept on this device and, when signed in, with the account (PATCH /me/settings, P-5).
import type { Tag } from "../languages.gen";
import type { Json } from "../net/protocol";

export type Pieces = "traditional" | "simplified" | "pictures" | "latin";
export type Notation = "zh" | "wxf" | "iccs";

/** The account's settings, named as in src/qipai/accounts/model.py; `lang` null means the browser's. */
interface Shared {
  lang: Tag | null;
  zone: string; // "": the browser's
  dates: "auto" | "ymd" | "dmy" | "mdy";
  theme: "auto" | "light" | "dark";
  cloth: "pine" | "indigo" | "umber";
  suits: 2 | 4;
  pieces: Pieces | null; // null: as the language has it
  sound: boolean;
  volume: number; // 0 … 100
  songs: boolean; // songs that people ask for in a room are heard
  bot_talk: boolean; // what bots say at a table is shown
  speed: "slow" | "normal" | "fast" | "none";
  confirm_move: boolean;
  auto_vacation: boolean; // an hour of vacation instead of a lost turn-based game
  after_move: "stay" | "next" | "home"; // in a turn-based game
  reduced_motion: boolean;
  high_contrast: boolean;
  left_handed: boolean;
  rows: 20 | 50 | 100 | 200; // on a page of a list
  tips: boolean; // the tip of the day is shown
}
/** What belongs to this device alone. */
interface Own {
  letters: boolean; // suit letters beside the pictures
  notation: Notation | null; // null: as the language has it
  voice: boolean; // spoken calls
  keys: boolean; // single-letter keys
  auto_roll: boolean; // dice are thrown where nothing else can be decided
  auto_move_forced: boolean; // a turn that can only be played one way is played
  show_pips: boolean;
  buzz: boolean; // vibrate on my turn
  seen: string[]; // hints that are shown once
  groups: string[]; // menu groups folded open
  sort: Record<string, string>; // how each game's hand is sorted
}
export type Prefs = Shared & Own;

const SHARED: Shared = {
  lang: null,
  zone: "",
  dates: "auto",
  theme: "auto",
  cloth: "pine",
  suits: 4,
  pieces: null,
  sound: true,
  volume: 40,
  songs: true,
  bot_talk: true,
  speed: "normal",
  confirm_move: false,
  auto_vacation: false,
  after_move: "stay",
  reduced_motion: false,
  high_contrast: false,
  left_handed: false,
  rows: 50,
  tips: true,
};
const OWN: Own = {
  letters: false,
  notation: null,
  voice: false,
  keys: true,
  auto_roll: false,
  auto_move_forced: false,
  show_pips: true,
  buzz: true,
  seen: [],
  groups: [],
  sort: {},
};
const KEY = "qipai.prefs";
type Sender = (changed: Partial<Shared>) => void;

class Choices {
  readonly all: Prefs = $state(load());
  #send: Sender = () => undefined;

  /** Should motion be reduced, by the system or by choice? */
  get calm(): boolean {
    return this.all.reduced_motion || matchMedia("(prefers-reduced-motion: reduce)").matches;
  }

  /** How long a motion of so many ms lasts under the speed chosen; 0 when there is to be none. */
  pace(ms: number): number {
    return Math.round(ms * { slow: 1.6, normal: 1, fast: 0.55, none: 0 }[this.all.speed]);
  }

  set<K extends keyof Prefs>(key: K, value: Prefs[K]): void {
    if (this.all[key] === value) return;
    this.all[key] = value;
    this.keep();
    if (key in SHARED) this.#send({ [key]: value } as Partial<Shared>);
  }

  /** True the first time it is asked for this hint. */
  once(hint: string): boolean {
    if (this.all.seen.includes(hint)) return false;
    this.all.seen.push(hint);
    this.keep();
    return true;
  }

  /** Take over what the account says; what it does not say stays. */
  take(settings: Json): void {
    for (const key of Object.keys(SHARED) as (keyof Shared)[]) {
      const value = settings?.[key];
      if (value !== undefined && value !== null) this.all[key] = value as never;
    }
    this.keep();
  }

  /** Every later choice that belongs to the account is sent there, too. */
  sendTo(send: Sender): void {
    this.#send = send;
  }

  /** Tell the style sheets. */
  apply(): void {
    const { theme, cloth, suits, letters, reduced_motion: calm, high_contrast } = this.all;
    const root = document.documentElement.dataset;
    if (theme === "auto") delete root.theme;
    else root.theme = theme;
    root.cloth = cloth;
    root.deck = String(suits);
    if (letters) root.letters = "";
    else delete root.letters;
    if (calm) root.calm = "";
    else delete root.calm;
    if (high_contrast || matchMedia("(prefers-contrast: more)").matches) root.contrast = "more";
    else delete root.contrast;
  }

  keep(): void {
    try {
      localStorage.setItem(KEY, JSON.stringify(this.all));
    } catch {
      // Then it lasts for this visit.
    }
    this.apply();
  }
}

function load(): Prefs {
  try {
    return { ...SHARED, ...OWN, ...(JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<Prefs>) };
  } catch {
    return { ...SHARED, ...OWN };
  }
}

export const prefs = new Choices();
