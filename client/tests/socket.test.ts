import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type Line, Socket } from "../src/net/socket";

class Wire {
  static all: Wire[] = [];
  onopen: () => void = () => undefined;
  onmessage: (event: { data: string }) => void = () => undefined;
  onclose: ((event: { code: number }) => void) | null = null;
  sent: string[] = [];
  closed = false;
  readyState = 0;
  constructor() {
    Wire.all.push(this);
  }
  send(text: string): void {
    this.sent.push(text);
  }
  close(): void {
    this.closed = true;
  }
  opens(): void {
    this.readyState = 1;
    this.onopen();
  }
  greets(): void {
    this.opens();
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
  vi.advanceTimersByTime(300);
  Wire.all[0]!.onmessage({ data: JSON.stringify({ t: "pong", n: 1, now: Date.now() }) });
  vi.advanceTimersByTime(5_000);
  heard.visibilitychange!();
  expect(Wire.all[0]!.sent.at(-1)).toContain("ping");
  vi.advanceTimersByTime(1_500);
  expect(Wire.all[0]!.closed).toBe(false);
  Wire.all[1]!.greets();
  expect(Wire.all[0]!.closed).toBe(true);
  expect(lines).toEqual(["connecting", "up", "up"]);
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
    const lost = () => Wire.all.forEach((wire) => wire.onclose?.({ code: 1006 }));
    for (let n = 0; n < 6; n++) {
      lost();
      vi.advanceTimersByTime(9_000);
    }
    lost();
    const before = Wire.all.length;
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

test("what the hall could not say while its database was away is asked for again", () => {
  const wire = Wire.all[0]!;
  wire.greets();
  socket.join(7);
  socket.join(8);
  const asked = (what: string) => wire.sent.filter((one) => one === what).length;
  const busy = (more: object) => wire.onmessage({ data: JSON.stringify({ t: "err", code: "BUSY", facts: {}, ...more }) });
  const join = (table: number) => JSON.stringify({ t: "join", table });
  for (let times = 2; times < 5; times++) {
    busy({ cid: null, re: "join", table: 7 });
    busy({ cid: null, re: "join", table: 7 });
    vi.advanceTimersByTime(1_500);
    expect(asked(join(7))).toBe(times);
  }
  busy({ cid: "one", re: "ready", table: 7 }); // whose own it is shows it
  vi.advanceTimersByTime(1_500);
  socket.leave(7);
  busy({ cid: null, re: "join", table: 7 });
  vi.advanceTimersByTime(1_500);
  expect([asked(join(7)), asked(join(8))]).toEqual([4, 1]);
});

const pong = (wire: Wire) => {
  const ping = JSON.parse(wire.sent.findLast((one) => one.includes("ping"))!) as { n: number };
  wire.onmessage({ data: JSON.stringify({ t: "pong", n: ping.n, now: Date.now() }) });
};
const pings = (wire: Wire) => wire.sent.filter((one) => one.includes("ping")).length;

/** At a table where something has just happened, on a line whose round trip takes so many ms. */
const plays = (trip = 100) => {
  Wire.all[0]!.greets();
  vi.advanceTimersByTime(trip);
  pong(Wire.all[0]!);
  socket.join(7);
  Wire.all[0]!.onmessage({ data: JSON.stringify({ t: "snapshot", table: 7 }) });
};

test("who plays notices in two seconds that a node stands still, and goes on at another one", () => {
  plays();
  void socket.command({ t: "ready", table: 7, on: true } as never);
  vi.advanceTimersByTime(2_150);
  expect(Wire.all).toHaveLength(2);
  vi.advanceTimersByTime(600); // that one comes to the same node, and gives way
  expect(Wire.all.map((wire) => wire.closed)).toEqual([false, true, false]);
  Wire.all[2]!.opens();
  vi.advanceTimersByTime(600);
  expect(Wire.all).toHaveLength(3); // this one is open, so that it is waited for
  Wire.all[2]!.greets();
  pong(Wire.all[2]!);
  expect(Wire.all.map((wire) => wire.closed)).toEqual([true, true, false]);
  expect(lines).toEqual(["connecting", "up", "up"]); // nobody saw anything
  expect(Wire.all[2]!.sent.some((one) => one.includes('"join"'))).toBe(true);
  expect(Wire.all[2]!.sent.filter((one) => one.includes('"ready"'))).toHaveLength(1); // it had no answer
  Wire.all[0]!.onmessage({ data: JSON.stringify({ t: "bye", why: "restart" }) }); // it wakes up: too late
  Wire.all[0]!.onclose?.({ code: 1012 });
  vi.advanceTimersByTime(1_000);
  expect(Wire.all).toHaveLength(3);
  expect(lines.at(-1)).toBe("up");
});

test("the first few lines are begun soon after each other, then they have more and more time to open", () => {
  plays(20);
  const times: number[] = [];
  for (let ms = 0; ms < 8_000; ms += 50) {
    const before = Wire.all.length;
    vi.advanceTimersByTime(50);
    if (Wire.all.length > before && lines.at(-1) === "up") times.push(ms);
    expect(Wire.all.filter((wire) => !wire.closed).length).toBeLessThanOrEqual(2);
  }
  const apart = times.slice(1).map((time, i) => time - times[i]!);
  expect(apart.slice(0, 10).every((each) => each >= 200 && each <= 250)).toBe(true);
  expect(apart.slice(10)).toEqual([400, 800]);
  expect(lines).toContain("down"); // in the end it is given up
});

test("a node that knows that nobody leads says so, and its line is kept", () => {
  plays();
  for (let n = 0; n < 4; n++) {
    vi.advanceTimersByTime(1_500 + 300);
    Wire.all[0]!.onmessage({ data: JSON.stringify({ t: "wait" }) });
  }
  expect(pings(Wire.all[0]!)).toBe(5);
  expect(Wire.all).toHaveLength(1);
});

test("a line that speaks again is kept, and the one beside it closed", () => {
  plays();
  vi.advanceTimersByTime(2_300);
  Wire.all[1]!.opens();
  pong(Wire.all[0]!);
  expect(Wire.all.map((wire) => wire.closed)).toEqual([false, true]);
  Wire.all[1]!.greets(); // was on its way
  expect(Wire.all.map((wire) => wire.closed)).toEqual([false, true]);
  vi.advanceTimersByTime(3_900); // it takes 800 ms now, so that it has more time
  expect(Wire.all).toHaveLength(2);
});

test("who looks around is not in a hurry, and a table at which nothing happens is asked after more and more seldom", () => {
  Wire.all[0]!.greets();
  vi.advanceTimersByTime(100);
  pong(Wire.all[0]!);
  vi.advanceTimersByTime(14_000);
  expect(pings(Wire.all[0]!)).toBe(1);
  socket.join(7);
  Wire.all[0]!.onmessage({ data: JSON.stringify({ t: "snapshot", table: 7 }) });
  const times: number[] = [];
  for (let ms = 0; ms < 20_000; ms += 100) {
    const before = pings(Wire.all[0]!);
    vi.advanceTimersByTime(100);
    if (pings(Wire.all[0]!) > before) {
      times.push(ms + 100);
      pong(Wire.all[0]!);
    }
  }
  expect(times.length).toBeGreaterThan(3);
  expect(times[0]).toBeLessThanOrEqual(1_500);
  expect(times.length).toBeLessThanOrEqual(8);
  expect(Wire.all).toHaveLength(1);
});

test("a line that ends while another one is on its way leaves the place to it", () => {
  plays();
  vi.advanceTimersByTime(2_300);
  Wire.all[0]!.onclose?.({ code: 1012 });
  expect(lines).toEqual(["connecting", "up", "connecting"]);
  expect(Wire.all[1]!.closed).toBe(false);
  Wire.all[1]!.greets();
  expect(lines.at(-1)).toBe("up");
  vi.advanceTimersByTime(400);
  expect(Wire.all).toHaveLength(2);
});

test("while no line comes up, others are begun less and less often: everybody may be waiting for a node that leads", () => {
  Wire.all[0]!.greets();
  vi.advanceTimersByTime(100);
  pong(Wire.all[0]!);
  Wire.all[0]!.onclose?.({ code: 1006 });
  vi.advanceTimersByTime(250);
  expect(Wire.all).toHaveLength(2);
  const times: number[] = [];
  for (let ms = 0; ms < 7_000; ms += 50) {
    const before = Wire.all.length;
    vi.advanceTimersByTime(50);
    if (Wire.all.length > before) times.push(ms);
  }
  expect(times.length).toBe(3);
  expect(times[1]! - times[0]!).toBeGreaterThanOrEqual(1_450);
  expect(times[2]! - times[1]!).toBeGreaterThanOrEqual(2_950);
  expect(Wire.all.filter((wire) => !wire.closed).length).toBe(2); // the first, which has ended, and the last
});

test("a line that is silent for good is given up", () => {
  Wire.all[0]!.greets();
  vi.advanceTimersByTime(100);
  pong(Wire.all[0]!);
  vi.advanceTimersByTime(15_000 + 8_000);
  expect(lines).toContain("down");
  expect(Wire.all.slice(0, 3).every((wire) => wire.closed)).toBe(true);
});

test("a line that nobody opens is tried anew", () => {
  vi.advanceTimersByTime(4_000);
  expect(Wire.all).toHaveLength(2); // beside it
  vi.advanceTimersByTime(5_000);
  expect(lines.at(-1)).toBe("connecting");
  expect(Wire.all.slice(0, -1).every((wire) => wire.closed)).toBe(true);
  expect(Wire.all.at(-1)!.closed).toBe(false);
});
