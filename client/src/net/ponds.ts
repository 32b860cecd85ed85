// The seals of a pond's bids (P-71): what was shown when a bid was made is computed anew from what is opened.
import type { Bid, PondPage } from "./protocol.gen";
import { hex, sha256, utf8 } from "./sha256";

type Opened = Pick<Bid, "amount" | "salt">;

/** The seal of a bid: the SHA-256 of six lines, as `contests/ponds/seals.py` has it. */
export const sealOf = (pond: string, round: number, user: number, { amount, salt }: Opened): string =>
  hex(sha256(utf8(["qipai-pond-v1", pond, round, user, amount, salt].join("\n"))));

/** How many bids fit their seals, and how many do not. mine: who I am, for my own rounds where others' are not open yet. */
export function checkedOf(pond: PondPage, mine?: number): { all: number; wrong: number; own: boolean } {
  const shown = new Map(pond.rounds.flatMap(({ round, seals }) => seals.map(({ user, seal }) => [`${round}/${user}`, seal])));
  const fits = (round: number, user: number, bid: Opened & { seal: string }) =>
    sealOf(pond.id, round, user, bid) === bid.seal && shown.get(`${round}/${user}`) === bid.seal;
  const found = pond.books
    ? pond.books.rounds.flatMap(({ round, bids }) => bids.map((bid) => fits(round, bid.user, bid)))
    : mine === undefined
      ? []
      : (pond.me?.rounds ?? []).map((one) => fits(one.round, mine, one));
  return { all: found.length, wrong: found.filter((fit) => !fit).length, own: pond.books === null };
}
