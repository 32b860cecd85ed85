import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type Line, Socket } from "../src/net/socket";

class Wire {
  static all: Wire[] = [];
  onopen: () => void = () => undefined;
  onmessage: (event: { data: string }) => void = () => undefined;
  onclose: ((event: { code: number }) => void) | null = null;
  sent: string[] = [];
  closed = false;
  constructor() {
    Wire.all.push(this);
  }
  send(text: string): void {
    this.sent.push(text);
  }
  close(): void {
    this.closed = true;
  }
  greets(): void {
    this.onopen();
    this.onmessage({ data: JSON.stringify({ t: "welcome", now: Date.now(), tables: [], server: "x", user: null }) });
  }
}

const heard: Record<string, () => void> = {};
let lines: Line[] = [];
let socket: Socket;

beforeEach(() => {
  vi.useFakeTimers();
  Wire.all = [];
  lines = [];
  vi.stubGlobal("WebSocket", Wire);
  vi.stubGlobal("window", globalThis);
  vi.stubGlobal("addEventListener", (name: string, run: () => void) => (heard[name] = run));
  vi.stubGlobal("document", {
    visibilityState: "visible",
    addEventListener: (name: string, run: () => void) => (heard[name] = run),
  });
  const events = { line: (state: Line) => void lines.push(state), welcome: () => undefined, message: () => undefined };
  socket = new Socket(events, () => "en", "ws://hall/ws");
  socket.start();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("a line that died in the phone's sleep is made anew within two seconds", () => {
  Wire.all[0]!.greets();
  vi.advanceTimersByTime(5_000);
  Wire.all[0]!.onmessage({ data: JSON.stringify({ t: "pong", n: 1, now: Date.now() }) });
  heard.visibilitychange!();
  expect(Wire.all[0]!.sent.at(-1)).toContain("ping");
  vi.advanceTimersByTime(1_500);
  expect(Wire.all).toHaveLength(2);
  expect(Wire.all[0]!.closed).toBe(true);
  Wire.all[1]!.greets();
  expect(lines.at(-1)).toBe("up");
});

test("a line that answers stays", () => {
  Wire.all[0]!.greets();
  heard.visibilitychange!();
  const ping = JSON.parse(Wire.all[0]!.sent.at(-1)!) as { n: number };
  Wire.all[0]!.onmessage({ data: JSON.stringify({ t: "pong", n: ping.n, now: Date.now() }) });
  vi.advanceTimersByTime(7_000);
  expect(Wire.all).toHaveLength(1);
  expect(lines.at(-1)).toBe("up");
});

test("who waits to try again tries at once when the page is seen or the network is back", () => {
  for (const name of ["visibilitychange", "online"]) {
    for (let n = 0; n < 6; n++) {
      Wire.all.at(-1)!.onclose?.({ code: 1006 });
      vi.advanceTimersByTime(9_000);
    }
    const before = Wire.all.length;
    Wire.all.at(-1)!.onclose?.({ code: 1006 });
    expect(lines.at(-1)).toBe("down");
    heard[name]!();
    expect(Wire.all).toHaveLength(before + 1);
    expect(lines.at(-1)).toBe("connecting");
  }
});

test("a line that fell asleep on its way is begun anew", () => {
  heard.visibilitychange!();
  expect(Wire.all).toHaveLength(2);
  expect(Wire.all[0]!.closed).toBe(true);
});

test("a line that another node goes on with is made anew at once, without a word", () => {
  Wire.all[0]!.greets();
  const said = lines.length;
  Wire.all[0]!.onclose?.({ code: 1012 });
  vi.advanceTimersByTime(250);
  expect(Wire.all).toHaveLength(2);
  Wire.all[1]!.greets();
  expect(new Set(lines.slice(said))).toEqual(new Set(["connecting", "up"]));
  Wire.all[1]!.onclose?.({ code: 1012 });
  vi.advanceTimersByTime(250);
  Wire.all[2]!.onclose?.({ code: 1006 });
  expect(lines.at(-1)).toBe("down");
});

test("who plays notices within ten seconds that nobody answers any more; who looks around is not in a hurry", () => {
  const pong = () => {
    const ping = JSON.parse(Wire.all.at(-1)!.sent.findLast((one) => one.includes("ping"))!) as { n: number };
    Wire.all.at(-1)!.onmessage({ data: JSON.stringify({ t: "pong", n: ping.n, now: Date.now() }) });
  };
  Wire.all[0]!.greets();
  vi.advanceTimersByTime(100);
  pong();
  vi.advanceTimersByTime(14_000);
  expect(Wire.all[0]!.sent.filter((one) => one.includes("ping"))).toHaveLength(1);
  socket.join(7);
  vi.advanceTimersByTime(10_000);
  expect(Wire.all.length).toBe(2);
  Wire.all[1]!.greets(); // a slow line has time
  vi.advanceTimersByTime(4_000);
  pong();
  vi.advanceTimersByTime(7_500);
  expect(Wire.all).toHaveLength(2);
});

test("a line that nobody opens is tried anew", () => {
  vi.advanceTimersByTime(9_000);
  expect(Wire.all.length).toBe(2);
  expect(Wire.all[0]!.closed).toBe(true);
});
