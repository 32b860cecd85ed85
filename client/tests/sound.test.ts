// The sounds of the table and its calls: how long, how loud, and nothing at all where none is wanted.
import { readdirSync, statSync } from "node:fs";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { CALLS as baohuang } from "../src/games/baohuang/calls";
import { CALLS as doudizhu } from "../src/games/doudizhu/calls";
import { CALLS as gouji } from "../src/games/gouji/calls";
import { CALLS as mahjong } from "../src/games/mahjong/calls";
import { CALLS as shengji } from "../src/games/shengji/calls";
import words from "../src/shell/calls/words.json";
import { prefs } from "../src/shell/prefs.svelte";
import { type Call, call, pluck, sound, type Sound } from "../src/shell/sound";
import { lasts, type Part, peak, recipe } from "../src/shell/synth";
import { callsAt } from "../src/table/aloud";

const LONGEST: Record<Sound, number> = {
  ...{ flick: 90, riffle: 200, sweep: 200, tap: 40, clack: 60, meld: 200, wash: 520 },
  ...{ knock: 90, take: 130, checker: 130, rattle: 400, coin: 280, pluck: 220, stamp: 120, turn: 520, tick: 30, won: 800, soft: 100 },
};
const ALL = Object.keys(LONGEST) as Sound[];
const LUCK = [() => 0, () => 0.5, () => 0.999];

test.each(ALL)("%s is short, is heard, and never louder than can be", (which) => {
  for (const luck of LUCK) {
    const parts = recipe(which, 3, luck);
    expect(lasts(parts)).toBeLessThanOrEqual(LONGEST[which]);
    expect(peak(parts)).toBeLessThanOrEqual(1);
    expect(peak(parts)).toBeGreaterThan(0.1);
    for (const one of parts) expect(one.hz, which).toBeLessThan(8000);
  }
});

/** Where a sound lies: its pitches by how loud they are. */
const centre = (parts: readonly Part[]): number =>
  parts.reduce((sum, { hz, level }) => sum + hz * level, 0) / parts.reduce((sum, { level }) => sum + level, 0);
const rings = (which: Sound): number => Math.max(0, ...recipe(which, 0, () => 0.5).flatMap((one) => ("wave" in one ? [one.hz] : [])));

test("wood is low, tile is high, paper does not ring", () => {
  const at = (which: Sound): number => centre(recipe(which, 0, () => 0.5));
  expect(at("knock")).toBeLessThan(at("checker"));
  expect(at("checker") * 2).toBeLessThan(at("clack"));
  expect(rings("flick")).toBeLessThan(200);
  expect(rings("clack")).toBeGreaterThan(5000);
  expect(at("flick")).toBeGreaterThan(at("checker"));
});

let started = 0;
let fetched: string[] = [];
const param = { value: 0, setValueAtTime: () => undefined, exponentialRampToValueAtTime: () => undefined };
const node = () => ({
  gain: param,
  frequency: param,
  Q: param,
  connect: <T>(to: T): T => to,
  start: () => started++,
  stop: () => undefined,
});
class Audio {
  state = "running";
  sampleRate = 1000;
  currentTime = 0;
  destination = {};
  createGain = node;
  createOscillator = node;
  createBiquadFilter = node;
  createBufferSource = node;
  createBuffer = () => ({ getChannelData: () => new Float32Array(8) });
  decodeAudioData = async () => ({ duration: 0.5 });
}
beforeEach(() => {
  [started, fetched] = [0, []];
  vi.stubGlobal("AudioContext", Audio);
  vi.stubGlobal("navigator", { userActivation: { hasBeenActive: true } });
  vi.stubGlobal("fetch", async (path: string) => (fetched.push(path), { ok: true, arrayBuffer: async () => new ArrayBuffer(0) }));
  Object.assign(prefs.all, { sound: true, volume: 40, voice: false });
});
afterEach(() => {
  vi.unstubAllGlobals();
  Object.assign(prefs.all, { sound: true, volume: 40, voice: false });
});
const soon = () => vi.waitFor(() => expect(started).toBeGreaterThan(0));

test.each([{ volume: 0 }, { sound: false }])("with %o nothing sounds and nothing is fetched", async (chosen) => {
  Object.assign(prefs.all, { voice: true }, chosen);
  ALL.forEach((which) => sound(which));
  pluck(440, 200, 0);
  call("check");
  Object.assign(prefs.all, { sound: true, volume: 40 });
  sound("tick"); // what was asked for before would be heard before this
  await soon();
  expect([started, fetched]).toEqual([1, []]);
});

test("a call is fetched when calls are wanted, once", async () => {
  call("check");
  expect(fetched).toEqual([]);
  prefs.all.voice = true;
  call("check");
  call("check");
  await vi.waitFor(() => expect(started).toBe(2));
  expect(fetched).toEqual([expect.stringContaining("check.ogg")]);
});

test("every word has its file, and they are small", () => {
  const folder = new URL("../src/shell/calls/", import.meta.url);
  const files = readdirSync(folder).filter((name) => name.endsWith(".ogg"));
  expect(files.sort()).toEqual(
    Object.keys(words)
      .map((name) => `${name}.ogg`)
      .sort(),
  );
  const sizes = files.map((name) => statSync(new URL(name, folder)).size);
  expect(Math.max(...sizes)).toBeLessThan(8_000);
  expect(sizes.reduce((sum, one) => sum + one)).toBeLessThan(150_000);
});

test("games call what they are told", () => {
  const at = (view: object, seat: number | null = null, options = {}) => ({ view, seat, options }) as never;
  const said = (calls: object, one: object, seen: never = at({})): readonly Call[] => callsAt(calls, one as { e: string }, seen);
  expect(said(mahjong, { e: "ponged" })).toEqual(["pong"]);
  expect(said(mahjong, { e: "won", by: "self" })).toEqual(["self_drawn"]);
  expect(said(mahjong, { e: "discarded", call: null })).toEqual([]);
  expect(said(mahjong, { e: "drew" })).toEqual([]);
  const burns = { e: "played", seat: 1, cards: "22", gouji: true, only: 4, burns: 3 };
  expect(said(gouji, burns, at({ counts: [9, 9] }))).toEqual(["burn", "few"]);
  expect(said(gouji, burns, at({ counts: [9, 9] }, null, { report_at: 5 }))).toEqual(["burn"]);
  expect(said(gouji, burns, at({ counts: [9, null] }))).toEqual(["burn"]); // what is not seen is not told
  expect(said(doudizhu, { e: "played", seat: 0, cards: "3", form: ["solo", "3", 1] }, at({ counts: [0] }))).toEqual([]);
  expect(said(doudizhu, { e: "played", seat: 0, cards: "xX", form: ["rocket", "x", 1] }, at({ counts: [1] }))).toEqual(["rocket", "few"]);
  expect(said(doudizhu, { e: "taken", leader: 2 }, at({}, 2))).toEqual(["lead"]);
  expect(said(doudizhu, { e: "taken", leader: 2 })).toEqual([]);
  expect(said(baohuang, { e: "played", shows: true })).toEqual(["guard"]);
  expect(said(shengji, { e: "played", how: "ruff" })).toEqual(["ruff"]);
  expect(said(shengji, { e: "played", how: "follow" })).toEqual([]);
});
