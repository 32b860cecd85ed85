// What lies before me at a mahjong table: the tile I have raised, what I would call with it, what I have picked to give
// away. One a table view; cloth, hand and sidebar share it. Whatever may be done stands in the hall's hints.
import { suitOf, sorted, tiles } from "../../kit/tiles/tiles";
import { halves, type Say, why } from "../../lang.svelte";
import type { Refusal } from "../../net/protocol";
import {
  type Action,
  type Call,
  drawnOf,
  viewpointOf,
  handOf,
  type Hints,
  holdsDrawn,
  type MahjongTableView,
  unseen,
  type View,
  type Wait,
} from "./view";
import { factWords, lineWord, patternWords, signed, speaker, tileWord, tileWords, youOr } from "./words";

/** A tile of the hand: its key tells equals apart; the drawn one stands for itself. */
export interface Held {
  key: string;
  tile: string;
  drawn: boolean;
}
/** A large key: 过 碰 杠 胡 打 唱 跳. */
export interface Key {
  id: string;
  word: string;
  /** Under the word: its key on a keyboard, or which tile. */
  small: string;
  label: string;
  primary?: boolean;
  pressed?: boolean;
  off?: boolean;
  run: () => void;
}
/** What the panel over the hand says. */
export interface Says {
  title: string;
  lines: string[];
  warn: string;
  /** The rest of the warning, where there is room for it. */
  more?: string;
  bad?: boolean;
  code?: string;
  waits: readonly Wait[];
}

const handModels = new WeakMap<MahjongTableView, MahjongHandModel>();

/** The hand model of a table view. */
export function modelOf(tableView: MahjongTableView): MahjongHandModel {
  let model = handModels.get(tableView);
  if (!model) handModels.set(tableView, (model = new MahjongHandModel(tableView)));
  return model;
}

export class MahjongHandModel {
  readonly tableView: MahjongTableView;
  readonly say: Say;
  /** The raised tile, by its key. */
  raised: string | null = $state(null);
  /** Where the keyboard stands in the hand. */
  cursor: string | null = $state(null);
  call: Call | null = $state(null);
  /** What the hand waits for, as it was when the hall last said so. */
  kept: { hand: string; waits: readonly Wait[] } | null = $state.raw(null);
  /** Tiles picked to be given away. */
  picked: string[] = $state.raw([]);
  /** Which tile of the wall a bench member has put his finger on. */
  horse: number | null = $state(null);
  /** Why what was tapped cannot be done. */
  said: Refusal | null = $state.raw(null);
  /** A forced win is about to be played by itself. */
  winning = $state(false);
  /** Width of my own plate, px: what is said stands beside it. */
  ownPlate = $state(0);

  constructor(tableView: MahjongTableView) {
    this.tableView = tableView;
    this.say = speaker(tableView);
  }

  get view(): View | null {
    return this.tableView.view;
  }
  get hints(): Hints | null {
    return this.tableView.hints;
  }
  /** Am I asked, and what? */
  get asked(): string | null {
    return this.tableView.mode === "play" || this.tableView.mode === "lesson" ? (this.hints?.ask ?? null) : null;
  }
  get bottom(): number {
    return viewpointOf(this.tableView);
  }
  /** My void suit, once it is named. */
  get void(): string | null {
    return this.view?.voids[this.bottom] ?? null;
  }

  /** The hand from left to right: sorted, the void suit behind, the drawn tile apart at the end. */
  get held(): Held[] {
    const { view, bottom } = this;
    if (!view) return [];
    const list = tiles(handOf(this.tableView, bottom));
    // What a hand was won on stands apart, as what was drawn does.
    const won = view.wins.findLast((one) => one.seat === bottom);
    const drawn = won ? won.t : holdsDrawn(view, bottom) ? drawnOf(this.tableView, bottom) : null;
    if (drawn && list.includes(drawn)) list.splice(list.indexOf(drawn), 1);
    else if (won) return [];
    const seen = new Map<string, number>();
    const found = sorted(list, this.void).map((tile) => {
      const n = seen.get(tile) ?? 0;
      seen.set(tile, n + 1);
      return { key: `${tile}.${n}`, tile, drawn: false };
    });
    // The drawn one keeps the key it will have among its equals, so that nothing jumps when it is sorted in.
    return drawn ? [...found, { key: `${drawn}.${seen.get(drawn) ?? 0}`, tile: drawn, drawn: true }] : found;
  }
  get up(): Held | null {
    return this.held.find((one) => one.key === this.raised) ?? null;
  }
  /** What the hall says of throwing a tile. */
  throwOf(tile: string | undefined): Hints["throws"][number] | null {
    return this.hints?.throws.find((one) => one.t === tile) ?? null;
  }
  barred(tile: string | undefined): Hints["off"][number] | null {
    return (this.asked === "turn" && this.hints?.off.find((one) => one.t === tile)) || null;
  }
  /** Tiles that may not be thrown, or not be picked now. */
  off(tile: string): boolean {
    const hints = this.hints;
    if (!hints || !this.asked) return false;
    if (this.asked === "turn") return this.barred(tile) !== null;
    if (this.asked === "swap") {
      const first = this.picked[0];
      return !hints.swap_suits.includes(suitOf(tile)) || (first !== undefined && suitOf(first) !== suitOf(tile));
    }
    return false;
  }
  /** Calls that the raised tile allows. */
  get calls(): readonly Call[] {
    const tile = this.up?.tile;
    return this.throwOf(tile)?.calls ?? this.barred(tile)?.calls ?? [];
  }
  /** May the raised tile be thrown as it is called now? */
  get ready(): boolean {
    const tile = this.up?.tile;
    if (!tile || this.asked !== "turn" || this.tableView.busy) return false;
    if (this.call && !this.calls.includes(this.call)) return false;
    return this.barred(tile) ? this.call !== null : this.throwOf(tile) !== null;
  }
  /** What the hand waits for: as it will be when the raised tile is gone, else as it is. */
  get waits(): readonly Wait[] {
    const tile = this.up?.tile;
    if (this.asked === "turn") return (tile && this.throwOf(tile)?.waits) || [];
    if (this.hints?.waits.length) return this.hints.waits;
    // Between two questions the hall says nothing: what was true of this hand still is, but for what has been seen since.
    const { kept, view } = this;
    if (!view || kept?.hand !== this.standing) return [];
    return kept.waits.map((one) => ({ ...one, left: unseen(view, one.t) }));
  }
  /** The tiles of the hand, and how many melds lie beside it: what its waits depend on. */
  private get standing(): string {
    return `${this.view?.deal} ${this.held
      .map((one) => one.tile)
      .sort()
      .join("")} ${this.view?.melds[this.bottom]?.length}`;
  }

  /** A tile was tapped. The second tap throws it. */
  tap(one: Held): void {
    this.cursor = one.key;
    this.clear();
    if (this.asked === "swap") return this.pick(one);
    if (this.raised !== one.key) {
      this.raised = one.key;
      this.call = null;
      this.explain(one.tile);
      return;
    }
    if (this.asked === "turn") void this.discard();
    else this.raised = null;
  }

  /** Why a tile stays in the hand. */
  private explain(tile: string): void {
    const bar = this.barred(tile);
    if (bar) this.said = { code: bar.why, facts: { t: tile, tile, suit: this.void ?? "", seats: bar.seats } };
  }

  /** Pick a tile to give away, or leave it. */
  private pick(one: Held): void {
    if (this.picked.includes(one.key)) this.picked = this.picked.filter((key) => key !== one.key);
    else if (this.off(one.tile)) {
      const other = this.picked[0] !== undefined && this.hints?.swap_suits.includes(suitOf(one.tile));
      if (other)
        this.picked = [one.key]; // the player has thought of another suit
      else this.said = { code: "bad_swap", facts: {} };
    } else if (this.picked.length < 3) this.picked = [...this.picked, one.key];
    else this.picked = [...this.picked.slice(1), one.key];
  }

  async discard(): Promise<void> {
    const tile = this.up?.tile;
    if (!tile || this.tableView.busy || this.asked !== "turn") return;
    if (!this.ready) return this.explain(tile);
    const call = this.call;
    this.keep(this.throwOf(tile)?.waits ?? [], tile);
    if (!(await this.tableView.act(call ? { a: "discard", t: tile, call } : { a: "discard", t: tile }))) this.put();
  }

  async send(action: Action): Promise<void> {
    if (this.tableView.busy || !this.asked) return;
    if (!(await this.tableView.act(action))) this.put();
  }

  /** Remember what the hand waits for, without the tile that goes now. */
  private keep(waits: readonly Wait[], without?: string): void {
    if (!this.view) return;
    const left = this.held.map((one) => one.tile);
    if (without) left.splice(left.indexOf(without), 1);
    this.kept = { hand: `${this.view.deal} ${left.sort().join("")} ${this.view.melds[this.bottom]?.length}`, waits };
  }

  toggle(call: Call): void {
    if (!this.calls.includes(call)) return;
    this.call = this.call === call ? null : call;
    this.clear();
  }

  /** Raise what the hall would throw, or give away. */
  hint(): void {
    const hints = this.hints;
    if (!hints) return;
    this.clear();
    if (this.asked === "swap") {
      const left = [...hints.swap];
      this.picked = this.held
        .filter((one) => {
          const at = left.indexOf(one.tile);
          if (at < 0) return false;
          left.splice(at, 1);
          return true;
        })
        .map((one) => one.key);
    } else if (this.asked === "turn" && hints.best) {
      const one = this.held.findLast((held) => held.tile === hints.best);
      if (one) {
        this.raised = this.cursor = one.key;
        this.call = null;
      }
    }
  }

  /** Put down whatever is raised. */
  put(): void {
    this.raised = null;
    this.call = null;
    this.picked = [];
    this.horse = null;
    this.clear();
  }
  clear(): void {
    this.said = null;
    if (this.tableView.refusal) this.tableView.refuse(null);
  }

  /** A new question: nothing of the old one counts any more. */
  asking(): void {
    this.put();
    this.winning = false;
    if (this.hints?.waits.length && this.asked !== "turn") this.keep(this.hints.waits);
    this.cursor = this.asked === "turn" ? (this.held.at(-1)?.key ?? null) : null;
  }
  /** The hand has changed: forget what is no longer in it. */
  rehand(): void {
    const keys = new Set(this.held.map((one) => one.key));
    if (this.raised && !keys.has(this.raised)) this.raised = null;
    if (this.cursor && !keys.has(this.cursor)) this.cursor = null;
    if (this.picked.some((key) => !keys.has(key))) this.picked = [];
  }

  /** Move the keyboard's place in the hand; on my turn the tile there rises. */
  move(by: number): boolean {
    const { held } = this;
    if (!held.length) return false;
    const at = held.findIndex((one) => one.key === (this.cursor ?? this.raised));
    const next = held[Math.max(0, Math.min(held.length - 1, at < 0 ? (by > 0 ? 0 : held.length - 1) : at + by))]!;
    this.cursor = next.key;
    if (this.asked !== "swap") {
      this.clear();
      this.raised = next.key;
      this.call = null;
      this.explain(next.tile);
    }
    return true;
  }

  // ---- the keys -------------------------------------------------------------------------------------------------
  get keys(): Key[] {
    const { say, hints, asked, tableView } = this;
    if (!hints || !asked) return [];
    const list: Key[] = [];
    const add = (id: string, small: string, label: string, run: () => void, more: Partial<Key> = {}): void => {
      list.push({ id, word: say(`ui.${id}`), small, label, run, off: tableView.busy, ...more });
    };
    if (asked === "claim" || asked === "rob" || asked === "turn") {
      const tile = this.view?.last?.t ?? "";
      if (hints.may_pass) add("pass", say("ui.key_space"), say("ui.pass_label"), () => void this.send({ a: "pass" }));
      if (hints.pong) add("pong", "E", say("ui.pong_label", { tile: tileWord(say, tile) }), () => void this.send({ a: "pong" }));
      hints.kongs.forEach((kong, i) => {
        const small = hints.kongs.length > 1 ? tileWord(say, kong.t) : "Q";
        const more = kong.each ? say("ui.kong_pays", { n: kong.payers.length, amount: kong.each }) : "";
        const label = say("ui.kong_label", { tile: tileWord(say, kong.t) }) + more;
        add("kong", small, label, () => void this.send({ a: "kong", t: kong.t }), { id: i ? `kong-${i}` : "kong" });
      });
    }
    if (asked === "turn") {
      for (const call of this.calls) {
        add(call, call === "sing" ? "L" : "K", say(`ui.${call}_label`), () => this.toggle(call), { pressed: this.call === call });
      }
      if (!hints.forced) {
        const tile = this.up?.tile;
        const label = tile ? say("ui.discard_label", { tile: tileWord(say, tile) }) : say("ui.discard_choose");
        add("discard", "↵", label, () => void this.discard(), { primary: !hints.win, off: !this.ready });
      }
    }
    if (hints.win && asked !== "swap")
      add("hu", "W", say("ui.hu_label", this.worth()), () => void this.send({ a: "hu" }), { primary: true });
    if (asked === "swap") {
      add("give", "↵", say("ui.give_label"), () => void this.give(), { primary: true, off: tableView.busy || this.picked.length !== 3 });
    }
    return list;
  }

  async give(): Promise<void> {
    const t = this.picked.map((key) => this.held.find((one) => one.key === key)?.tile ?? "").filter(Boolean);
    if (t.length === 3) await this.send({ a: "swap", t });
  }

  /** What winning would bring, as facts of a sentence. */
  private worth(): { fan: number; total: number; items: string } {
    const win = this.hints?.win;
    return { fan: win?.fan ?? 0, total: win?.total ?? 0, items: patternWords(this.say, win?.items ?? {}) };
  }

  // ---- what the panel says --------------------------------------------------------------------------------------
  get says(): Says {
    const { say, tableView, view, hints, asked } = this;
    const words = (title: string, lines: string[] = [], warn = "", waits: readonly Wait[] = []): Says => ({
      title,
      lines: lines.filter(Boolean),
      warn,
      waits,
    });
    if (!view) return words("");
    const refusal = this.said ?? tableView.refusal;
    if (refusal && refusal.code === refusal.code.toLowerCase()) {
      const [name, rest] = halves(
        why({ code: refusal.code, facts: refusal.facts && factWords(tableView, refusal.facts) }, tableView.info.game),
      );
      return { title: name || rest, lines: name ? [rest] : [], warn: "", bad: true, code: refusal.code, waits: [] };
    }
    const tile = view.last ? tileWord(say, view.last.t) : "";
    const who = view.last ? youOr(tableView, view.last.seat) : "";
    if (asked === "claim" || asked === "rob") {
      const title = say(view.last?.adding ? "ui.adds" : "ui.threw", { name: who, tile });
      const lines: string[] = [];
      if (hints?.win) lines.push(this.winLine());
      else if (hints?.barred) lines.push(say("ui.barred", { items: patternWords(say, hints.barred.items), fan: hints.barred.fan }));
      const kong = hints?.kongs[0];
      if (kong) lines.push(kong.each ? say("ui.kong_line", { name: who, amount: kong.each }) : say("ui.kong_dry"));
      else if (hints?.pong && !hints.win) lines.push(say("ui.pong_line"));
      if (hints?.forced) return words(title, lines, say("ui.forced"));
      const { passing } = hints ?? {};
      return passing
        ? { ...words(title, lines, say("ui.passing", { line: lineWord(say, passing.line) })), more: say("ui.passing_until") }
        : words(title, lines);
    }
    if (asked === "turn") {
      if (hints?.forced)
        return words(say("ui.your_draw", { tile: view.drawn ? tileWord(say, view.drawn) : "" }), [this.winLine()], say("ui.forced"));
      const up = this.up;
      if (up) {
        const title = say(this.call ? `ui.discard_${this.call}` : "ui.discard_of", { tile: tileWord(say, up.tile) });
        const waits = this.waits;
        if (waits.length) return words(title, [], "", waits);
        const shanten = this.throwOf(up.tile)?.shanten;
        return words(title, shanten ? [say("ui.shanten", { n: shanten })] : [], "");
      }
      const lines = hints?.win ? [this.winLine()] : [];
      const kong = hints?.kongs.find((one) => one.kind !== "direct");
      if (kong) lines.push(kong.each ? say("ui.kong_own", { n: kong.payers.length, amount: kong.each }) : say("ui.kong_dry"));
      if (!lines.length) lines.push(this.needs());
      return words(say(view.drawn ? "ui.your_turn_drew" : "ui.your_turn_claimed"), lines);
    }
    if (asked === "swap") return words(say("ui.ask_swap"), [say("ui.ask_swap_more")]);
    if (asked === "void") return words(say("ui.ask_void"), [say("ui.ask_void_more")]);
    if (asked === "horse") return words(say("ui.ask_horse"), [say("ui.ask_horse_more")]);
    return this.waiting(words);
  }

  private winLine(): string {
    const win = this.hints?.win;
    if (!win) return "";
    return this.say("ui.win_line", { items: patternWords(this.say, win.items), fan: win.fan, total: win.total });
  }

  /** What the hand is short of. */
  private needs(): string {
    const { hints, say, view } = this;
    if (!hints || !view) return "";
    if (this.void && this.held.some((one) => suitOf(one.tile) === this.void))
      return say("ui.clear_void", { suit: say(`ui.suit_${this.void}`) });
    if (hints.shanten === 0) return say("ui.nearly");
    return hints.shanten === null ? "" : say("ui.shanten", { n: hints.shanten });
  }

  private waiting(words: (title: string, lines?: string[], warn?: string, waits?: readonly Wait[]) => Says): Says {
    const { say, tableView, view } = this;
    if (!view) return words("");
    const { waits } = this;
    const last = view.last;
    switch (view.phase) {
      case "claim":
      case "rob":
      case "wait": {
        if (!last) return words("", [], "", waits);
        const title = say(last.adding ? "ui.adds" : "ui.threw", { name: youOr(tableView, last.seat), tile: tileWord(say, last.t) });
        return words(title, view.answered ? [say("ui.answered", { what: say(`ui.${view.answered}`) })] : [], "", waits);
      }
      case "turn":
        return words(view.actor === null ? "" : say("ui.wait", { name: youOr(tableView, view.actor) }), [this.myHorse], "", waits);
      case "swap":
      case "void":
        return words(say(view.answered ? `ui.wait_${view.phase}_done` : `ui.wait_${view.phase}`), []);
      case "horse":
        return words(say("ui.wait_horse"));
      default:
        return words("");
    }
  }

  /** On the bench: whose luck is mine, and what it has brought. */
  private get myHorse(): string {
    const { view, tableView, say } = this;
    const horse = view?.horses.find((one) => one.owner === tableView.seat);
    if (!view || !horse) return "";
    const n = view.full[4 + view.bench.indexOf(horse.owner)] ?? 0;
    return say("ui.my_horse", { tile: tileWord(say, horse.t), name: tableView.nameOf(horse.seat), n: signed(n) });
  }

  /** Facts of a refusal as a sentence wants them: tiles, suits and seats in words. */
  /** The table in a few sentences, for the key V. */
  get aloud(): string {
    const { view, say, tableView } = this;
    if (!view) return "";
    const { title, lines, warn, waits } = this.says;
    const hears = waits.length
      ? say("ui.say_waits", {
          tiles: tileWords(
            say,
            waits.map((one) => one.t),
          ),
        })
      : "";
    const keys = this.keys.filter((one) => one.id !== "discard").map((one) => one.word);
    const open = keys.length ? say("ui.say_may", { what: keys.join(say("ui.list")) }) : "";
    const mine = tableView.seat !== null && tableView.seat < 4 ? say("ui.say_points", { n: view.ledger[tableView.seat] ?? 0 }) : "";
    return [title, ...lines, warn, open, hears, say("ui.say_wall", { n: view.wall_left }), mine].filter(Boolean).join(say("ui.stop"));
  }

  /** A tile of the hand for those who listen. */
  tileName(one: Held): string {
    const { say } = this;
    const name = tileWord(say, one.tile);
    const bar = this.barred(one.tile);
    const parts = [
      one.drawn ? say("ui.just_drawn") : "",
      this.raised === one.key || this.picked.includes(one.key) ? say("ui.is_raised") : "",
      bar ? say("ui.may_not") : "",
    ].filter(Boolean);
    return parts.length ? `${name}${say("ui.list")}${parts.join(say("ui.list"))}` : name;
  }
}
