// The check of a deal in the browser: qipai-deal-v1 (platform P-92), step by step.
import { hex, hmac, sha256, unhex, utf8 } from "./sha256";

export interface Proof {
  game_id: string;
  /** The shared deal whose luck it is (P-94): drawn once for all its tables, without anybody's seed. */
  board?: string;
  deal: number;
  commitment: string;
  server_seed: string;
  client_seeds: string[];
}

/** Is the opened server seed the one that was sealed before the deal? */
export function sealed(proof: Pick<Proof, "commitment" | "server_seed">): boolean {
  return hex(sha256(unhex(proof.server_seed))) === proof.commitment;
}

/** The stream of luck of one deal; all of it comes from here, in the order in which seat −1 acts. */
export class Stream {
  #key: Uint8Array;
  #block: Uint8Array = new Uint8Array(0);
  #next = 0;
  #used = 0;
  words = 0;

  constructor(proof: Proof) {
    const seeds = proof.client_seeds.map((seed) => hex(utf8(seed))).join(",");
    const of = proof.board ? `${proof.board}|1` : `${proof.game_id}|${proof.deal}`;
    this.#key = hmac(unhex(proof.server_seed), utf8(`qipai-deal-v1|${of}|${seeds}`));
  }

  /** The next four bytes as a big-endian number. */
  word(): number {
    if (this.#used === this.#block.length) {
      const count = new Uint8Array(4);
      new DataView(count.buffer).setUint32(0, this.#next++);
      this.#block = hmac(this.#key, count);
      this.#used = 0;
    }
    const word = new DataView(this.#block.buffer).getUint32(this.#used);
    this.#used += 4;
    this.words++;
    return word;
  }

  /** A number 0 … m−1. Words that would favour the small ones are thrown away. */
  below(m: number): number {
    const fair = Math.floor(2 ** 32 / m) * m;
    let word = this.word();
    while (word >= fair) word = this.word();
    return word % m;
  }

  /** 0 … n−1 shuffled. */
  shuffle(n: number): number[] {
    const all = Array.from({ length: n }, (_, i) => i);
    for (let i = n - 1; i > 0; i--) {
      const j = this.below(i + 1);
      [all[i], all[j]] = [all[j] as number, all[i] as number];
    }
    return all;
  }
}
