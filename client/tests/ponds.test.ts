// The seals of bids against the examples that the server's own tests read.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { checkedOf, sealOf } from "../src/net/ponds";
import type { PondPage } from "../src/net/protocol.gen";

const { seals } = JSON.parse(readFileSync(new URL("../../tests/unit/contests/ponds/seals.json", import.meta.url), "utf8"));

test("seals are those of the examples", () => {
  expect(seals.length).toBeGreaterThan(2);
  for (const { pond, round, user, amount, salt, seal } of seals) expect(sealOf(pond, round, user, { amount, salt })).toBe(seal);
});

const pond = (amount: number, shown?: string): PondPage => {
  const bid = { user: 5, seal: sealOf("12", 1, 5, { amount: 340, salt: "ab" }), amount, salt: "ab", auto: false };
  return {
    id: "12",
    rounds: [{ round: 1, ended: 0, seals: [{ user: 5, seal: shown ?? bid.seal, auto: false }], fallen: [] }],
    books: { accounts: [], rounds: [{ round: 1, bids: [bid], bonus: null }] },
    me: null,
  } as unknown as PondPage;
};

test("an opened bid fits its seal, and that is the one shown before", () => {
  expect(checkedOf(pond(340))).toEqual({ all: 1, wrong: 0, own: false });
  expect(checkedOf(pond(341))).toEqual({ all: 1, wrong: 1, own: false });
  expect(checkedOf(pond(340, "00"))).toEqual({ all: 1, wrong: 1, own: false });
});

test("while it is dark one's own bids are looked at", () => {
  const dark = {
    ...pond(0),
    books: null,
    me: { rounds: [{ round: 1, amount: 340, salt: "ab", seal: pond(0).rounds[0]?.seals[0]?.seal }] },
  };
  expect(checkedOf(dark as unknown as PondPage, 5)).toEqual({ all: 1, wrong: 0, own: true });
  expect(checkedOf(dark as unknown as PondPage)).toEqual({ all: 0, wrong: 0, own: true });
});
