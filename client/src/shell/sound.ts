// The sounds of the table (DESIGN 2.3), made by WebAudio: no files.
import { prefs } from "./prefs.svelte";

export type Sound = "flick" | "clack" | "knock" | "rattle" | "pluck" | "stamp" | "turn" | "tick" | "won" | "soft";

let audio: AudioContext | null = null;
let master: GainNode | null = null;
let noise: AudioBuffer | null = null;

function open(): { at: AudioContext; out: GainNode } | null {
  if (!prefs.all.sound || prefs.all.volume === 0 || typeof AudioContext === "undefined") return null;
  if (!audio) {
    // Browsers let a page sound only after its first touch; before it there is nothing to hear anyway.
    if (!navigator.userActivation?.hasBeenActive) return null;
    audio = new AudioContext();
    master = audio.createGain();
    master.connect(audio.destination);
    noise = audio.createBuffer(1, audio.sampleRate / 5, audio.sampleRate);
    const data = noise.getChannelData(0);
    for (let i = 0; i < data.length; i++) data[i] = Math.random() * 2 - 1;
  }
  if (audio.state === "suspended") void audio.resume();
  if (master) master.gain.value = prefs.all.volume / 100;
  return master && { at: audio, out: master };
}

function envelope(at: AudioContext, out: GainNode, level: number, from: number, ms: number): GainNode {
  const gain = at.createGain();
  gain.gain.setValueAtTime(level, from);
  gain.gain.exponentialRampToValueAtTime(0.001, from + ms / 1000);
  gain.connect(out);
  return gain;
}

function tone(hz: number, ms: number, level: number, delay = 0, type: OscillatorType = "sine"): void {
  const on = open();
  if (!on) return;
  const from = on.at.currentTime + delay / 1000;
  const voice = on.at.createOscillator();
  voice.type = type;
  voice.frequency.value = hz;
  voice.connect(envelope(on.at, on.out, level, from, ms));
  voice.start(from);
  voice.stop(from + ms / 1000);
}

function hiss(hz: number, ms: number, level: number, delay = 0): void {
  const on = open();
  if (!on || !noise) return;
  const from = on.at.currentTime + delay / 1000;
  const source = on.at.createBufferSource();
  source.buffer = noise;
  const filter = on.at.createBiquadFilter();
  filter.type = "bandpass";
  filter.frequency.value = hz;
  filter.Q.value = 0.9;
  source.connect(filter).connect(envelope(on.at, on.out, level, from, ms));
  source.start(from);
  source.stop(from + ms / 1000);
}

function clack(delay = 0): void {
  tone(1800, 45, 0.35, delay);
  tone(2600, 45, 0.2, delay);
}

/** step: how many links in a row, for the rising pluck. */
export function sound(which: Sound, step = 0): void {
  switch (which) {
    case "flick":
      hiss(3200, 60, 0.5);
      break;
    case "clack":
      clack();
      break;
    case "knock":
      tone(220, 70, 0.8, 0, "triangle");
      hiss(900, 30, 0.25);
      break;
    case "rattle":
      for (let i = 0; i < 5; i++) clack(Math.random() * 320);
      break;
    case "pluck":
      tone(392 * 2 ** (([0, 2, 4, 7, 9][step % 5] ?? 0) / 12 + Math.floor(step / 5)), 220, 0.4, 0, "triangle");
      break;
    case "stamp":
      tone(90, 120, 1);
      hiss(400, 120, 0.35);
      break;
    case "turn":
      tone(659.3, 260, 0.4);
      tone(880, 360, 0.4, 160);
      break;
    case "tick":
      tone(1200, 25, 0.25);
      break;
    case "won":
      [523.3, 587.3, 659.3, 784, 880].forEach((hz, i) => tone(hz, 300, 0.35, i * 120));
      break;
    case "soft":
      tone(140, 90, 0.6);
      break;
  }
}

/** A short buzz on phones that allow it, when it is my turn; none for who wants it calm. */
export function buzz(): void {
  if (prefs.all.buzz && !prefs.calm && navigator.userActivation?.hasBeenActive) navigator.vibrate?.(20);
}

/** Say a call aloud (将军, 够级), when that is switched on. */
export function call(words: string, tongue: string): void {
  if (!prefs.all.voice || typeof speechSynthesis === "undefined") return;
  const speech = new SpeechSynthesisUtterance(words);
  speech.lang = tongue;
  speech.volume = prefs.all.volume / 100;
  speechSynthesis.speak(speech);
}

/** A plucked string of so many hertz, after so many ms. */
export function pluck(hz: number, ms: number, delay: number): void {
  tone(hz, Math.max(220, ms * 1.4), 0.35, delay, "triangle");
  tone(2 * hz, Math.max(120, ms / 2), 0.08, delay);
}
