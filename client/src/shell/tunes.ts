// The tunes one can ask for (P-56): their first phrases, plucked by WebAudio; all folk songs or long out of copyright.
// A note is a step of the scale (1–7, ' an octave up, , an octave down, 0 a rest) and its length in beats after a colon.
import { prefs } from "./prefs.svelte";
import { pluck } from "./sound";

interface Tune {
  key: number;
  beat: number;
  notes: string;
}

const TUNES: Record<string, Tune> = {
  jasmine: {
    key: 311.1,
    beat: 480,
    notes:
      "3 3:.5 5:.5 6:.5 1':.5 1':.5 6:.5 5 5:.5 6:.5 5:2 3 3:.5 5:.5 6:.5 1':.5 1':.5 6:.5 5 5:.5 6:.5 5:2 " +
      "5 5 5 3:.5 5:.5 6 6 5:2 3 2:.5 3:.5 5 3:.5 2:.5 1 1:.5 2:.5 1:2",
  },
  fishermen: {
    key: 293.7,
    beat: 620,
    notes: "3 5:.5 6:.5 1':2 6:.5 1':.5 5:.5 6:.5 3:2 2 3:.5 5:.5 6:.5 5:.5 3:.5 5:.5 2:2 1 2:.5 3:.5 5 3:.5 2:.5 1:2",
  },
  two_springs: {
    key: 293.7,
    beat: 640,
    notes: "6,:.5 5,:.5 3,:.5 5,:.5 6,:2 1:1.5 2:.5 3:.5 5:.5 6 5:1.5 3:.5 5 6:.5 5:.5 3:1.5 2:.5 1:2",
  },
  horses: {
    key: 349.2,
    beat: 260,
    notes: "6 6 3 3 6 6 3 3 6 1' 6 5 3:2 5 3 2 3 5:2 6 6 3 3 6 1' 2' 1' 6:2 5 6 3 5 6:4",
  },
  new_year: {
    key: 349.2,
    beat: 420,
    notes: "1:.5 1:.5 1 5, 3:.5 3:.5 3 1 1:.5 3:.5 5 5 4:.5 3:.5 2:2 2:.5 3:.5 4 4 3:.5 2:.5 3 1 1:.5 3:.5 2 5, 7,:.5 2:.5 1:2",
  },
  birthday: {
    key: 349.2,
    beat: 460,
    notes: "5,:.5 5,:.5 6, 5, 1 7,:2 5,:.5 5,:.5 6, 5, 2 1:2 5,:.5 5,:.5 5 3 1 7, 6,:2 4:.5 4:.5 3 1 2 1:2",
  },
  farewell: {
    key: 311.1,
    beat: 560,
    notes: "5 3:.5 5:.5 1':2 6 1' 5:2 5 1:.5 2:.5 3 2:.5 1:.5 2:4 5 3:.5 5:.5 1':1.5 7:.5 6 1' 5:2 5 2:.5 3:.5 4:1.5 7,:.5 1:4",
  },
  ode_to_joy: {
    key: 293.7,
    beat: 440,
    notes: "3 3 4 5 5 4 3 2 1 1 2 3 3:1.5 2:.5 2:2 3 3 4 5 5 4 3 2 1 1 2 3 2:1.5 1:.5 1:2",
  },
};
const STEPS = [0, 2, 4, 5, 7, 9, 11];

/** The tune as tones: hertz (0: a rest), when it begins and how long it lasts, in ms. */
export function tones(name: string): { hz: number; at: number; ms: number }[] {
  const tune = TUNES[name];
  if (!tune) return [];
  let at = 0;
  return tune.notes.split(" ").map((note) => {
    const [step = "0", beats = "1"] = note.split(":");
    const octave = step.endsWith("'") ? 12 : step.endsWith(",") ? -12 : 0;
    const number = Number(step[0]);
    const hz = number ? tune.key * 2 ** (((STEPS[number - 1] ?? 0) + octave) / 12) : 0;
    const ms = Number(beats) * tune.beat;
    const from = at;
    at += ms;
    return { hz, at: from, ms };
  });
}

/** Let a tune be heard, when sound is on and songs are wanted. */
export function play(name: string): void {
  if (!prefs.all.songs) return;
  for (const { hz, at, ms } of tones(name)) if (hz) pluck(hz, ms, at);
}
