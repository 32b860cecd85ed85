// SHA-256 and HMAC against the vectors of FIPS 180-4 and RFC 4231, and against Node's own.
import { createHash, createHmac } from "node:crypto";
import { expect, test } from "vitest";
import { sealed, Stream } from "../src/net/fair";
import { hex, hmac, sha256, unhex, utf8 } from "../src/net/sha256";
import { given, mine } from "../src/net/seeds";

test("SHA-256 is that of the standard", () => {
  expect(hex(sha256(utf8("abc")))).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  for (const n of [0, 1, 55, 56, 63, 64, 65, 1000]) {
    const data = new Uint8Array(n).map((_, i) => i * 7);
    expect(hex(sha256(data))).toBe(createHash("sha256").update(data).digest("hex"));
  }
});

test("HMAC takes short and long keys", () => {
  for (const n of [0, 20, 64, 65, 131]) {
    const key = new Uint8Array(n).fill(0xaa);
    expect(hex(hmac(key, utf8("牌 and more")))).toBe(createHmac("sha256", key).update("牌 and more").digest("hex"));
  }
});

const proof = { game_id: "g1", deal: 2, commitment: "", server_seed: "00ff".repeat(16), client_seeds: ["甲", "b"] };

test("the opened seed is the sealed one", () => {
  const commitment = hex(sha256(unhex(proof.server_seed)));
  expect(sealed({ ...proof, commitment })).toBe(true);
  expect(sealed({ ...proof, commitment: commitment.replace(/^./, (c) => (c === "0" ? "1" : "0")) })).toBe(false);
});

test("the luck of a deal is qipai-deal-v1", () => {
  const seeds = proof.client_seeds.map((seed) => Buffer.from(seed).toString("hex")).join(",");
  const key = createHmac("sha256", Buffer.from(proof.server_seed, "hex")).update(`qipai-deal-v1|g1|2|${seeds}`).digest();
  const first = createHmac("sha256", key)
    .update(Buffer.from([0, 0, 0, 0]))
    .digest();
  const second = createHmac("sha256", key)
    .update(Buffer.from([0, 0, 0, 1]))
    .digest();
  const stream = new Stream(proof);
  const words = Array.from({ length: 9 }, () => stream.word());
  expect(words.slice(0, 8)).toEqual(Array.from({ length: 8 }, (_, i) => first.readUInt32BE(4 * i)));
  expect(words[8]).toBe(second.readUInt32BE(0));
  expect(new Stream(proof).shuffle(54).sort((a, b) => a - b)).toEqual(Array.from({ length: 54 }, (_, i) => i));
});

test("the luck of a shared deal is its own, whichever table plays it", () => {
  const server_seed = Array.from({ length: 32 }, (_, i) => i.toString(16).padStart(2, "0")).join("");
  const board = { commitment: "", server_seed, client_seeds: [], board: "board00001" };
  for (const [game_id, deal] of [
    ["g1", 1],
    ["g2", 7],
  ] as const) {
    const stream = new Stream({ ...board, game_id, deal });
    expect([stream.word(), stream.word()]).toEqual([999768413, 3626897550]); // as core/rng.py has it
    expect(new Stream({ ...board, game_id, deal }).shuffle(8)).toEqual([6, 0, 4, 7, 1, 2, 3, 5]);
  }
});

test("my seed for a deal stays, and only the last two hundred are kept", () => {
  const seed = mine("g0");
  expect(seed).toHaveLength(22);
  expect(mine("g0")).toBe(seed);
  expect(given("g0")).toBe(seed);
  expect(given("g1")).toBeUndefined();
  for (let i = 1; i <= 200; i++) mine(`g${i}`);
  expect(given("g0")).toBeUndefined();
  expect(given("g1")).toBeDefined();
});

test("a store that was spoilt is begun anew", () => {
  localStorage.setItem("qipai.seeds", "{");
  expect(mine("g")).toHaveLength(22);
});
