// Where things lie on the cloth. Places: 0 mine at the bottom, 1 right, 2 across, 3 left. All px, from the cloth's corner.
import { EDGE, TALL } from "../../kit/tiles/tiles";
import type { Box, Shape } from "../../table/geometry";

export type { Box, Shape };

/** A wide cloth, a phone on its side, whatever is narrower: four rivers want more width than sets of cards. */
export const shapeOf = (w: number, h: number): Shape => (h < 345 && w >= 500 ? "low" : w >= 880 && h >= 480 ? "wide" : "tall");

/** How far the panel over the hand reaches up into the cloth. */
export const FOOT: Record<Shape, number> = { wide: 96, low: 54, tall: 48 };
/** Below this the hand stands in two rows, with the keys in a row of their own over it. */
export const UPRIGHT = 600;

/** A river: tiles of one width in rows. */
export interface Laid {
  x: number;
  y: number;
  tw: number;
  per: number;
  rows: number;
}

const GAP = 2;
/** Height of a row of tiles of this width. */
export const pitch = (tw: number): number => tw * (TALL + EDGE) + GAP;

/**
 * The largest tiles, at most `most` wide, of which so many fit into a box; in rows of `best` where that is possible.
 * A few more than there are, so that they do not shrink with each one that is thrown.
 */
export function fit(n: number, box: Box, most: number, best: number): { tw: number; per: number; rows: number } {
  const need = Math.max(best, Math.ceil(n / 3) * 3);
  for (let tw = most; tw > 9; tw -= 0.5) {
    const wide = Math.floor((box.w + GAP) / (tw + GAP));
    const rows = Math.floor((box.h + GAP) / pitch(tw));
    if (wide < 1 || rows < 1) continue;
    const per = rows * best >= need ? Math.min(best, wide) : Math.min(wide, Math.ceil(need / rows));
    if (per * rows >= need) return { tw, per, rows: Math.max(1, Math.ceil(n / per)) };
  }
  const per = Math.max(1, Math.floor((box.w + GAP) / 11));
  return { tw: 9, per, rows: Math.max(1, Math.ceil(n / per)) };
}

export interface Layout {
  mid: Box;
  rivers: Laid[];
  /** Where closed hand and melds of a place may lie, by place; 0 is in the hand's own row. */
  wings: Box[];
  /** Widest tile of the melds, and of a hand that lies open. */
  meld: number;
}

/** Lay out a cloth round the name plates the frame has set; `thrown` tiles lie in each river, by place. */
export function layout(
  W: number,
  H: number,
  shape: Shape,
  plates: readonly Box[],
  thrown: readonly number[],
  open: readonly boolean[],
  watching: boolean,
  rise = 0,
  scale = 1,
): Layout {
  const foot = Math.min(H - rise - 4, H - (watching ? 60 : shape === "tall" && W >= UPRIGHT ? FOOT.wide : FOOT[shape]));
  const [own, right, top, left] = plates as [Box, Box, Box, Box];
  const under = (plate: Box): number => plate.y + plate.h;
  const midW =
    shape === "wide" ? Math.min(200 * scale, W * 0.19) : shape === "low" ? (W < 640 ? 116 : 136) : Math.min(150, Math.max(78, W * 0.26));
  const cx = W / 2;
  const best = shape === "wide" ? 6 : shape === "low" ? 9 : 8;
  const most = shape === "wide" ? 36 * scale : shape === "low" ? 25 : Math.min(34, Math.max(20, W / 15.5));
  const meld = shape === "wide" ? 28 * scale : shape === "low" ? 19 : Math.min(26, Math.max(14, W / 20));
  const wingH = meld * (TALL + EDGE) + 2;
  const river = (n: number, box: Box, best: number, hang: "middle" | "left" | "right", from: "top" | "centre" | "bottom" = "top"): Laid => {
    const laid = fit(n, box, most, best);
    const wide = laid.per * (laid.tw + GAP) - GAP;
    const high = laid.rows * pitch(laid.tw);
    return {
      ...laid,
      x: hang === "middle" ? box.x + (box.w - wide) / 2 : hang === "left" ? box.x : box.x + box.w - wide,
      y: from === "top" ? box.y : from === "bottom" ? box.y + Math.max(0, box.h - high) : box.y + Math.max(0, (box.h - high) / 2),
    };
  };
  const [n0 = 0, n1 = 0, n2 = 0, n3 = 0] = thrown;

  if (shape === "low") {
    // The opposite's wing lies beside the plate; mine is the hand.
    const wingTop: Box = { x: top.x + top.w + 8, y: 10, w: W - top.x - top.w - 10, h: wingH };
    const sideW = Math.max(150, Math.max(left.w, right.w));
    const inner = W - 2 * (sideW + 10);
    const topBox: Box = { x: sideW + 10, y: under(top) + 4, w: inner, h: Math.min(pitch(most), (foot - under(top)) * 0.27) };
    const mid: Box = { x: cx - midW / 2, y: topBox.y + topBox.h + 4, w: midW, h: 50 };
    const ownBox: Box = { x: sideW + 10, y: mid.y + mid.h + 4, w: inner, h: Math.max(24, foot - mid.y - mid.h - 6) };
    const sideY = topBox.y + topBox.h + 2;
    const sideBox = (x: number): Box => ({ x, y: sideY, w: inner / 2 - midW / 2 - 8, h: Math.max(40, foot - sideY - 4) });
    // Mine goes between the two beside it, so it stays narrow.
    const past = W < 640 ? 0 : 30;
    const ownNarrow: Box = { ...ownBox, x: cx - midW / 2 - past, w: midW + 2 * past };
    const side: Box = sideBox(sideW + 10);
    const sideL: Box = { ...side, w: Math.min(side.w, ownNarrow.x - side.x - 6) };
    const sideR: Box = { ...sideL, x: W - sideL.x - sideL.w };
    return {
      mid,
      meld,
      rivers: [
        river(n0, ownNarrow, best, "middle"),
        river(n1, sideR, 4, "left"),
        river(n2, topBox, 8, "middle", "bottom"),
        river(n3, sideL, 4, "right"),
      ],
      wings: [
        { x: 0, y: 0, w: 0, h: 0 },
        { x: W - sideW, y: under(right) + 4, w: sideW, h: foot - under(right) - 8 },
        wingTop,
        { x: 0, y: under(left) + 4, w: sideW, h: foot - under(left) - 8 },
      ],
    };
  }

  if (shape === "wide") {
    // An added fourth stands higher than the rest.
    const wingTop: Box = { x: 0, y: under(top) + 4, w: W, h: meld * 2.05 };
    const y0 = wingTop.y + wingTop.h + 8;
    const midH = Math.min(150 * scale, (foot - y0) * 0.26);
    const part = (foot - y0 - midH - 28) / 2;
    const mid: Box = { x: cx - midW / 2, y: y0 + part + 14, w: midW, h: midH };
    const box: Box = { x: cx - W * 0.22, y: y0, w: W * 0.44, h: part };
    const wingW = 176 * scale;
    // Those at the sides lie below the plates, between wing and middle.
    const sideY = Math.max(mid.y - 8, Math.max(under(left), under(right)) + 8);
    const side: Box = { x: wingW + 12, y: sideY, w: mid.x - wingW - 34, h: Math.max(90, Math.min(foot, own.y) - 12 - sideY) };
    return {
      mid,
      meld,
      rivers: [
        river(n0, { x: mid.x - 13, y: mid.y + midH + 14, w: mid.w + 26, h: part + 4 }, best, "middle"),
        river(n1, { ...side, x: W - side.x - side.w }, best, "left"),
        river(n2, box, best, "middle", "bottom"),
        river(n3, side, best, "right"),
      ],
      wings: [
        { x: 0, y: 0, w: 0, h: 0 },
        { x: W - wingW, y: under(right) + 10, w: wingW, h: foot - under(right) - 14 },
        wingTop,
        { x: 0, y: under(left) + 10, w: wingW, h: own.y - under(left) - 18 },
      ],
    };
  }

  // tall
  const wingTop: Box = { x: 0, y: under(top) + 3, w: W, h: meld * 2.02 };
  const y0 = wingTop.y + wingTop.h + 4;
  const topBox: Box = { x: 0, y: y0, w: W, h: Math.max(22, Math.min(left.y, right.y) - y0 - 4) };
  const sideWing = Math.max(under(left), under(right)) + 3;
  const wingRows = open[1] || open[3] ? 2 : 1;
  const yMid = sideWing + wingH * wingRows + 5;
  const bottom = Math.min(foot, own.y) - 4;
  const rest = bottom - yMid;
  const midH = Math.min(118, rest < 110 ? Math.max(38, rest * 0.5) : Math.max(52, rest * 0.46));
  const mid: Box = { x: cx - midW / 2, y: yMid, w: midW, h: midH };
  const sideW = (W - midW) / 2 - 8;
  const sideH = Math.max(midH, rest * (rest < 110 ? 0.5 : 0.58));
  const sideL: Box = { x: 0, y: yMid, w: sideW, h: sideH };
  const ownY = Math.max(yMid + midH, yMid + sideH) + 5;
  return {
    mid,
    meld,
    rivers: [
      river(n0, { x: 0, y: ownY, w: W, h: bottom - ownY }, best, "middle"),
      river(n1, { ...sideL, x: W - sideW }, 5, "left"),
      river(n2, topBox, best, "middle", "bottom"),
      river(n3, sideL, 5, "right"),
    ],
    wings: [
      { x: 0, y: 0, w: 0, h: 0 },
      { x: W / 2 + 4, y: sideWing, w: W / 2 - 4, h: wingH * wingRows },
      wingTop,
      { x: 0, y: sideWing, w: W / 2 - 4, h: wingH * wingRows },
    ],
  };
}

/** Where the frame will put a plate, until it has been measured. */
export function guess(place: number, W: number, H: number): Box {
  const w = W < 600 ? 140 : 150;
  const h = W < 900 ? 42 : 56;
  if (place === 0) return { x: 0, y: H - h - 8, w, h };
  if (place === 2) return { x: W / 2 - w / 2, y: 0, w, h };
  return { x: place === 1 ? W - w : 0, y: H * 0.36, w, h };
}
