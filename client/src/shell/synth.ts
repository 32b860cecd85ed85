// What the table's sounds are made of (DESIGN 2.3): short noise through a filter, and what rings after it, by WebAudio.
import type { Sound } from "./sound";

/** Something that rings and dies away. at: ms after the sound begins. */
export interface Ring {
  hz: number;
  ms: number;
  level: number;
  at: number;
  wave: "sine" | "triangle";
}
/** Noise of a narrow or a wide band: the touch itself. */
export interface Burst {
  hz: number;
  q: number;
  ms: number;
  level: number;
  at: number;
}
export type Part = Ring | Burst;

const ATTACK = 2; // ms until a part is as loud as it gets: without it there is a click
const SILENT = 0.001;

const ring = (hz: number, ms: number, level: number, at = 0, wave: Ring["wave"] = "sine"): Ring => ({ hz, ms, level, at, wave });
const burst = (hz: number, q: number, ms: number, level: number, at = 0): Burst => ({ hz, q, ms, level, at });

/** The same a little later, at another strength and pitch. */
const again = (parts: readonly Part[], at: number, strength = 1, pitch = 1): Part[] =>
  parts.map((one) => ({ ...one, at: one.at + at, level: one.level * strength, hz: one.hz * pitch }));

// 木 wood: a block is low and dull, and is silent at once.
const PIECE: readonly Part[] = [burst(1400, 1.2, 14, 0.28), ring(228, 75, 0.36, 0, "triangle"), ring(612, 55, 0.2), ring(1340, 26, 0.1)];
const CHECKER: readonly Part[] = [burst(2100, 1, 12, 0.26), ring(342, 52, 0.28, 0, "triangle"), ring(905, 42, 0.2), ring(2050, 18, 0.1)];
// 骨 tile: bone on bamboo is high and hard, with the table under it.
const TILE: readonly Part[] = [
  burst(3200, 1.4, 9, 0.24),
  ring(2350, 38, 0.28),
  ring(3720, 28, 0.16),
  ring(5230, 16, 0.07),
  ring(410, 32, 0.14, 0, "triangle"),
];
const TIP: readonly Part[] = [burst(4200, 1.4, 7, 0.12), ring(2700, 22, 0.16), ring(4150, 15, 0.08)];
// 纸 paper: nothing rings but the table that the card meets.
const CARD: readonly Part[] = [burst(4300, 0.8, 34, 0.34), burst(2500, 0.9, 28, 0.3, 30), ring(168, 42, 0.18, 32)];
const DIE: readonly Part[] = [ring(1800, 45, 0.34), ring(2600, 40, 0.18), burst(2400, 1.2, 10, 0.16)];

/** What a sound consists of. step: links in a row, for the rising pluck; luck: a draw from [0, 1). */
export function recipe(which: Sound, step = 0, luck: () => number = Math.random): Part[] {
  // No two touches of a thing are the same.
  const touched = (parts: readonly Part[], strength = 1): Part[] => again(parts, 0, strength * (0.9 + 0.1 * luck()), 0.97 + 0.06 * luck());
  switch (which) {
    case "knock":
      return touched(PIECE);
    case "take":
      return [...again(CHECKER, 0, 0.5), ...again(touched(PIECE), 38)];
    case "checker":
      return [...touched(CHECKER), ...again(CHECKER, 64, 0.35, 1.06)];
    case "flick":
      return touched(CARD);
    case "riffle":
      return Array.from({ length: 7 }, (_, i) => burst(3000 + 260 * i + 300 * luck(), 1, 20, 0.26, i * 24));
    case "sweep":
      return [burst(2200, 0.6, 170, 0.3), burst(3600, 0.8, 110, 0.2, 70), ring(150, 40, 0.12, 140)];
    case "clack":
      return touched(TILE);
    case "tap":
      return touched(TIP);
    case "meld":
      return [...touched(TILE, 0.7), ...again(touched(TILE, 0.6), 62, 1, 1.04), ...again(touched(TILE), 128, 1, 0.94)];
    case "wash":
      return Array.from({ length: 11 }, (_, i) => again(touched(TIP, 1.4), i * 42 + luck() * 26, 1, 0.85 + 0.3 * luck())).flat();
    case "rattle":
      return Array.from({ length: 5 }, (_, i) => again(DIE, i * 72 + luck() * 34, 0.9, 0.92 + 0.16 * luck())).flat();
    case "coin":
      return [
        ...[ring(3140, 130, 0.2), ring(4710, 90, 0.12), burst(5200, 2, 8, 0.12)],
        ...[ring(3520, 170, 0.2, 85), ring(5280, 110, 0.12, 85), burst(5200, 2, 8, 0.12, 85)],
      ];
    case "pluck":
      return [ring(392 * 2 ** (([0, 2, 4, 7, 9][step % 5] ?? 0) / 12 + Math.floor(step / 5)), 220, 0.4, 0, "triangle")];
    case "stamp":
      return [ring(90, 120, 0.68), burst(400, 0.9, 120, 0.3)];
    case "turn":
      return [ring(659.3, 260, 0.4), ring(880, 360, 0.4, 160)];
    case "tick":
      return [ring(1200, 25, 0.25)];
    case "won":
      return [523.3, 587.3, 659.3, 784, 880].map((hz, i) => ring(hz, 300, 0.35, i * 120));
    case "soft":
      return [ring(140, 90, 0.6)];
  }
}

/** A plucked string of so many hertz, after so many ms. */
export const plucked = (hz: number, ms: number, at: number): Part[] => [
  ring(hz, Math.max(220, ms * 1.4), 0.35, at, "triangle"),
  ring(2 * hz, Math.max(120, ms / 2), 0.08, at),
];

/** How long a sound is heard, in ms. */
export const lasts = (parts: readonly Part[]): number => Math.max(...parts.map((one) => one.at + one.ms));

/** How loud it gets at most, all of its parts together; 1 is as loud as can be. */
export function peak(parts: readonly Part[]): number {
  const left = (one: Part, at: number): number =>
    at < one.at || at > one.at + one.ms ? 0 : one.level * (SILENT / one.level) ** ((at - one.at) / one.ms);
  return Math.max(...parts.map(({ at }) => parts.reduce((sum, one) => sum + left(one, at), 0)));
}

let audio: AudioContext | null = null;
let master: GainNode | null = null;
let noise: AudioBuffer | null = null;

/** Where sounds go, at a volume from 0 to 100. */
export function line(volume: number): { at: AudioContext; out: GainNode } {
  audio ??= new AudioContext();
  if (!master) {
    master = audio.createGain();
    master.connect(audio.destination);
  }
  if (audio.state === "suspended") void audio.resume();
  master.gain.value = volume / 100;
  return { at: audio, out: master };
}

function hiss(at: AudioContext): AudioBuffer {
  if (noise) return noise;
  noise = at.createBuffer(1, at.sampleRate / 2, at.sampleRate);
  const data = noise.getChannelData(0);
  for (let i = 0; i < data.length; i++) data[i] = Math.random() * 2 - 1;
  return noise;
}

/** Let parts be heard. */
export function play(parts: readonly Part[], volume: number): void {
  const { at, out } = line(volume);
  for (const one of parts) {
    const from = at.currentTime + one.at / 1000;
    const end = from + one.ms / 1000;
    const gain = at.createGain();
    gain.gain.setValueAtTime(SILENT, from);
    gain.gain.exponentialRampToValueAtTime(one.level, from + Math.min(ATTACK, one.ms / 4) / 1000);
    gain.gain.exponentialRampToValueAtTime(SILENT, end);
    gain.connect(out);
    if ("wave" in one) {
      const voice = at.createOscillator();
      voice.type = one.wave;
      voice.frequency.value = one.hz;
      voice.connect(gain);
      voice.start(from);
      voice.stop(end);
    } else {
      const source = at.createBufferSource();
      source.buffer = hiss(at);
      const filter = at.createBiquadFilter();
      filter.type = "bandpass";
      filter.frequency.value = one.hz;
      filter.Q.value = one.q;
      source.connect(filter).connect(gain);
      source.start(from, Math.random() * 0.25);
      source.stop(end);
    }
  }
}
