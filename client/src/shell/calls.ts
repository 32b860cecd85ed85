// Calls in Mandarin, spoken by a synthesiser when the project is made (`python -m tests.calls`): one small file each.
import type { Call } from "./sound";
import { line } from "./synth";

export const FILES: Record<string, string> = import.meta.glob("./calls/*.ogg", { eager: true, query: "?url", import: "default" });
const QUEUE = 1.2; // s: a call that would come later than this is left out

const spoken = new Map<Call, Promise<AudioBuffer | null>>();
let free = 0; // when the one before is over, in s of the line's clock

async function fetched(which: Call, at: AudioContext): Promise<AudioBuffer | null> {
  const answer = await fetch(FILES[`./calls/${which}.ogg`] ?? "");
  return answer.ok ? at.decodeAudioData(await answer.arrayBuffer()) : null;
}

/** Speak a call after those before it; in silence where a browser cannot, or the line is down. */
export async function speak(which: Call, volume: number): Promise<void> {
  const { at, out } = line(volume);
  let file = spoken.get(which);
  if (!file) {
    file = fetched(which, at).catch(() => null);
    spoken.set(which, file);
  }
  const buffer = await file;
  if (!buffer) spoken.delete(which); // the next time may go better
  const from = Math.max(at.currentTime, free);
  if (!buffer || from > at.currentTime + QUEUE) return;
  free = from + buffer.duration;
  const source = at.createBufferSource();
  source.buffer = buffer;
  source.connect(out);
  source.start(from);
}
