// A finished deal as the hall tells it: the record (GET /g/<id>) and what every seat saw after each action (…/steps).
import { get } from "../../net/http";
import type { Json, Level, Result, SeatInfo, User } from "../../net/protocol";
import type { FromFile } from "../../net/protocol.gen";
import type { Frame } from "../../table/game";

/** GET /g/<id>. */
export interface Finished {
  game_id: string;
  deal: number;
  table: number;
  game: string;
  variant: string | null;
  options: Json;
  carry: Json;
  seats: { user?: User | null; bot?: Level | null; name?: string }[]; // name: of a game that was brought from a file
  first_seated: number | null;
  fair: { commitment: string | null; server_seed: string | null; client_seeds: string[] | null; board?: string };
  rows: [seat: number, action: Json, ms: number, why?: string][];
  result: Result | null;
  brought?: FromFile;
  start?: { game?: string | null; ply?: number }; // its first actions are another game's (What if)
  at?: number; // when it was opened, ms since 1970
}

/** One frame of GET /g/<id>/steps: `n` actions taken, `views` with the fields that changed since the frame before. */
type Sent = Omit<Frame<Json>, "done">;

/** Put the changes back together: every frame of the answer with whole views. */
export function whole(sent: readonly Sent[]): Frame[] {
  let views: Json[] = [];
  return sent.map((frame, n) => {
    views = frame.views.map((changed, place) => ({ ...views[place], ...changed }));
    return { ...frame, n, done: frame.n, views };
  });
}

/** `broken`: the first step that today's rules do not know; the frames end before it. */
export async function fetchReplay(id: string): Promise<{ record: Finished; frames: Frame[]; broken?: number }> {
  const path = `/g/${encodeURIComponent(id)}`;
  const [record, steps] = await Promise.all([get<Finished>(path), get<{ rows: Sent[]; broken?: number }>(`${path}/steps`)]);
  return { record, frames: whole(steps.rows), broken: steps.broken };
}

/** The seats of a record as a table has them. */
export const seatsOf = (record: Finished): SeatInfo[] =>
  record.seats.map((one, seat) => ({
    seat,
    user: one.user ?? (one.name ? { id: 0, name: one.name, kind: "user" } : null),
    bot: one.user || one.name ? null : (one.bot ?? null),
    ready: false,
    presence: "online",
    until: null,
    score: null,
    grade: null,
    pass: null,
  }));

/** Where the next or the last of some frames lies, seen from `now`; `now` itself when there is none. */
export function leap(stops: readonly number[], now: number, forward: boolean): number {
  const found = forward ? stops.find((n) => n > now) : stops.findLast((n) => n < now);
  return found ?? now;
}

/** Thinking time of each seat up to and with frame `n`, in ms. */
export function spent(frames: readonly Frame[], n: number, seats: number): number[] {
  const sums = Array<number>(seats).fill(0);
  for (const frame of frames.slice(0, n + 1)) {
    if (frame.seat !== null && frame.seat >= 0) sums[frame.seat]! += frame.ms;
  }
  return sums;
}

/** How long a frame stays when the replay runs, ms at 1×: about as long as it was thought about, never tiresome. */
export const stay = (frame: Frame | undefined): number => Math.max(500, Math.min(frame?.ms ?? 900, 2200));
