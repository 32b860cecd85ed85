// The pictures on the tiles, drawn by ourselves: twelve forms in three frames, so that no two differ by ink alone.

/** A form on a field of 40 × 40: what is filled, drawn in ink, and cut out of it again. */
export interface Form {
  name: string;
  fill?: string;
  line?: readonly [path: string, width: number];
  cut?: string;
  slit?: readonly [path: string, width: number];
}

const round = (x: number, y: number, r: number): string => `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`;

export const FORMS: readonly Form[] = [
  { name: "moon", fill: "M25 6a14.5 14.5 0 1 0 0 28 16 16 0 0 1 0-28z" },
  { name: "star", fill: "M20 5l4.6 9.8 10.7 1.3-7.9 7.3 2.1 10.6L20 28.7 10.5 34l2.1-10.6-7.9-7.3 10.7-1.3z" },
  { name: "leaf", fill: "M8 32C6 16 16 7 33 7c1 17-8 27-25 25z", slit: ["M10 31L26 14", 2.5] },
  { name: "fish", fill: "M5 20c7-10 16-10 23-2l7-6v16l-7-6c-7 8-16 8-23-2z", cut: round(14, 18.5, 2) },
  { name: "gourd", fill: round(20, 13, 6.5) + round(20, 26, 9), line: ["M20 7V3", 3] },
  { name: "cloud", fill: "M11 29a6.5 6.5 0 0 1 .5-13 9 9 0 0 1 17-1.5A7.5 7.5 0 0 1 29 29z" },
  { name: "wave", line: ["M7 13c5-5 8 3 13 0s8 3 13 0M7 21c5-5 8 3 13 0s8 3 13 0M7 29c5-5 8 3 13 0s8 3 13 0", 3.6] },
  { name: "coin", fill: round(20, 20, 12), cut: round(20, 20, 5) },
  { name: "window", fill: "M12 9h16a3 3 0 0 1 3 3v16a3 3 0 0 1-3 3H12a3 3 0 0 1-3-3V12a3 3 0 0 1 3-3z", slit: ["M9 20h22M20 9v22", 3] },
  { name: "peak", fill: "M20 7l13 24H7z" },
  { name: "cross", line: ["M20 7v26M7 20h26", 8] },
  { name: "diamond", line: ["M20 5l14 15-14 15L6 20z", 5] },
];

export const FRAMES = ["plain", "ring", "block"] as const;
export type Frame = (typeof FRAMES)[number];

const SIGNS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

/** What a face looks like: its form and frame; beyond the 36 a number. */
export function look(face: number): { form: Form | null; frame: Frame; sign: string } {
  const drawn = face <= FORMS.length * FRAMES.length;
  return {
    form: drawn ? (FORMS[(face - 1) % FORMS.length] ?? null) : null,
    frame: drawn ? (FRAMES[Math.floor((face - 1) / FORMS.length)] ?? "plain") : "ring",
    sign: SIGNS[face - 1] ?? String(face),
  };
}

/** Its name for those who listen. */
export function nameOf(face: number, say: (key: string, facts?: Record<string, unknown>) => string): string {
  const { form, frame } = look(face);
  if (!form) return say("face.plain_number", { n: face });
  return say("face.named", { form: say(`face.${form.name}`), frame: say(`face.${frame}`) }).trim();
}
