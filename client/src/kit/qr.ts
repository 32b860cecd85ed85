// A QR code (ISO/IEC 18004) for a link: byte mode, error correction M, versions 1 to 10. tests/e2e/test_hall.py holds
// it against segno.

/** By version from 1: error correction bytes a block, then [blocks, data bytes a block] once or twice. */
const BLOCKS: [number, ...[number, number][]][] = [
  [10, [1, 16]], [16, [1, 28]], [26, [1, 44]], [18, [2, 32]], [24, [2, 43]],
  [16, [4, 27]], [18, [4, 31]], [22, [2, 38], [2, 39]], [22, [3, 36], [2, 37]], [26, [4, 43], [1, 44]],
];
const ALIGN: number[][] = [
  [], [6, 18], [6, 22], [6, 26], [6, 30], [6, 34], [6, 22, 38], [6, 24, 42], [6, 26, 46], [6, 28, 50],
];

const EXP = new Uint8Array(512);
const LOG = new Uint8Array(256);
for (let i = 0, x = 1; i < 255; i++) {
  EXP[i] = EXP[i + 255] = x;
  LOG[x] = i;
  x = x & 128 ? (x << 1) ^ 0x11d : x << 1;
}
const at = (bytes: ArrayLike<number>, i: number): number => bytes[i] ?? 0;
const times = (a: number, b: number): number => (a && b ? at(EXP, at(LOG, a) + at(LOG, b)) : 0);

function correction(data: number[], length: number): number[] {
  let generator = [1];
  for (let i = 0; i < length; i++) {
    const next = [...generator, 0];
    generator.forEach((g, k) => (next[k + 1] = at(next, k + 1) ^ times(g, at(EXP, i))));
    generator = next;
  }
  const rest = [...data, ...new Array<number>(length).fill(0)];
  for (let i = 0; i < data.length; i++) {
    const lead = at(rest, i);
    if (lead) generator.forEach((g, k) => (rest[i + k] = at(rest, i + k) ^ times(g, lead)));
  }
  return rest.slice(data.length);
}

/** All code words in the order in which they are drawn, and the version they need. */
function words(bytes: Uint8Array): { version: number; all: number[] } {
  const version = BLOCKS.findIndex(([, ...groups], i) => {
    const room = groups.reduce((sum, [count, size]) => sum + count * size, 0);
    return bytes.length + (i < 9 ? 2 : 3) <= room;
  }) + 1;
  const plan = BLOCKS[version - 1];
  if (!plan) throw new RangeError("too long for a QR code");
  const [ec, ...groups] = plan;
  const room = groups.reduce((sum, [count, size]) => sum + count * size, 0);
  const bits: number[] = [];
  const put = (value: number, width: number) => {
    for (let i = width - 1; i >= 0; i--) bits.push((value >> i) & 1);
  };
  put(4, 4);
  put(bytes.length, version < 10 ? 8 : 16);
  bytes.forEach((byte) => put(byte, 8));
  put(0, Math.min(4, room * 8 - bits.length));
  while (bits.length % 8) bits.push(0);
  const data: number[] = [];
  for (let i = 0; i < bits.length; i += 8) data.push(parseInt(bits.slice(i, i + 8).join(""), 2));
  for (let pad = 0xec; data.length < room; pad ^= 0xec ^ 0x11) data.push(pad);

  const blocks: number[][] = [];
  let from = 0;
  for (const [count, size] of groups) {
    for (let i = 0; i < count; i++) blocks.push(data.slice(from, (from += size)));
  }
  const checks = blocks.map((block) => correction(block, ec));
  const all: number[] = [];
  for (const set of [blocks, checks]) {
    for (let i = 0; i < Math.max(...set.map((one) => one.length)); i++) {
      for (const one of set) if (i < one.length) all.push(at(one, i));
    }
  }
  return { version, all };
}

const MASKS: ((r: number, c: number) => boolean)[] = [
  (r, c) => (r + c) % 2 === 0,
  (r) => r % 2 === 0,
  (_, c) => c % 3 === 0,
  (r, c) => (r + c) % 3 === 0,
  (r, c) => (Math.floor(r / 2) + Math.floor(c / 3)) % 2 === 0,
  (r, c) => ((r * c) % 2) + ((r * c) % 3) === 0,
  (r, c) => (((r * c) % 2) + ((r * c) % 3)) % 2 === 0,
  (r, c) => (((r + c) % 2) + ((r * c) % 3)) % 2 === 0,
];

/** The modules of a text's code, row by row; true is dark. The quiet zone is the caller's. */
export function qr(text: string): boolean[][] {
  const { version, all } = words(new TextEncoder().encode(text));
  const size = version * 4 + 17;
  const grid = Array.from({ length: size }, () => new Array<boolean>(size).fill(false));
  const fixed = Array.from({ length: size }, () => new Array<boolean>(size).fill(false));
  const set = (r: number, c: number, dark: boolean) => {
    const row = grid[r];
    const mark = fixed[r];
    if (!row || !mark || c < 0 || c >= size) return;
    row[c] = dark;
    mark[c] = true;
  };
  for (const [r0, c0] of [[3, 3], [3, size - 4], [size - 4, 3]] as const) {
    for (let dr = -4; dr <= 4; dr++) {
      for (let dc = -4; dc <= 4; dc++) {
        const ring = Math.max(Math.abs(dr), Math.abs(dc));
        set(r0 + dr, c0 + dc, ring !== 2 && ring !== 4);
      }
    }
  }
  for (const r of ALIGN[version - 1] ?? []) {
    for (const c of ALIGN[version - 1] ?? []) {
      if ((r < 9 && c < 9) || (r < 9 && c > size - 9) || (r > size - 9 && c < 9)) continue;
      for (let dr = -2; dr <= 2; dr++) {
        for (let dc = -2; dc <= 2; dc++) set(r + dr, c + dc, Math.max(Math.abs(dr), Math.abs(dc)) !== 1);
      }
    }
  }
  for (let i = 8; i < size - 8; i++) {
    set(6, i, i % 2 === 0);
    set(i, 6, i % 2 === 0);
  }
  const format = (mask: number) => {
    let rest = mask; // level M is 00
    for (let i = 0; i < 10; i++) rest = (rest << 1) ^ ((rest >> 9) * 0x537);
    const bits = ((mask << 10) | rest) ^ 0x5412;
    const bit = (i: number) => ((bits >> i) & 1) === 1;
    for (let i = 0; i < 15; i++) {
      set(i < 6 ? i : i < 8 ? i + 1 : size - 15 + i, 8, bit(i));
      set(8, i < 8 ? size - 1 - i : i < 9 ? 7 : 14 - i, bit(i));
    }
    set(size - 8, 8, true);
  };
  format(0);
  if (version >= 7) {
    let rest = version;
    for (let i = 0; i < 12; i++) rest = (rest << 1) ^ ((rest >> 11) * 0x1f25);
    const bits = (version << 12) | rest;
    for (let i = 0; i < 18; i++) {
      const dark = ((bits >> i) & 1) === 1;
      set(size - 11 + (i % 3), Math.floor(i / 3), dark);
      set(Math.floor(i / 3), size - 11 + (i % 3), dark);
    }
  }
  let next = 0;
  for (let right = size - 1; right > 0; right -= 2) {
    if (right === 6) right = 5;
    for (let step = 0; step < size; step++) {
      const r = (right + 1) & 2 ? step : size - 1 - step;
      for (const c of [right, right - 1]) {
        if (fixed[r]?.[c]) continue;
        (grid[r] as boolean[])[c] = ((at(all, next >> 3) >> (7 - (next & 7))) & 1) === 1;
        next++;
      }
    }
  }
  const flip = (mask: number) => {
    grid.forEach((row, r) => row.forEach((dark, c) => {
      if (!fixed[r]?.[c]) row[c] = dark !== MASKS[mask]?.(r, c);
    }));
  };
  let best = 0;
  let least = Infinity;
  for (let mask = 0; mask < 8; mask++) {
    flip(mask);
    format(mask);
    const cost = penalty(grid);
    if (cost < least) [best, least] = [mask, cost];
    flip(mask);
  }
  flip(best);
  format(best);
  return grid;
}

function penalty(grid: boolean[][]): number {
  const size = grid.length;
  let cost = 0;
  let dark = 0;
  const lines = [...grid, ...grid.map((_, c) => grid.map((row) => row[c] ?? false))];
  for (const line of lines) {
    let run = 0;
    line.forEach((one, i) => {
      run = i > 0 && one === line[i - 1] ? run + 1 : 1;
      if (run === 5) cost += 3;
      else if (run > 5) cost += 1;
    });
    const text = line.map(Number).join("");
    for (const pattern of ["00001011101", "10111010000"]) {
      for (let i = text.indexOf(pattern); i >= 0; i = text.indexOf(pattern, i + 1)) cost += 40;
    }
  }
  for (let r = 0; r < size; r++) {
    for (let c = 0; c < size; c++) {
      const one = grid[r]?.[c];
      if (one) dark++;
      if (r && c && one === grid[r - 1]?.[c] && one === grid[r]?.[c - 1] && one === grid[r - 1]?.[c - 1]) cost += 3;
    }
  }
  return cost + 10 * Math.floor(Math.abs((dark * 100) / (size * size) - 50) / 5);
}
