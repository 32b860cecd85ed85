// A time that is written in a form is one of the reader's zone, whatever the browser's is (P-5).
import { afterEach, expect, test } from "vitest";
import { momentOf } from "../src/shell/moments";
import { prefs } from "../src/shell/prefs.svelte";

const utc = (at: number | null): string => (at === null ? "none" : new Date(at).toISOString().slice(0, 16));
afterEach(() => (prefs.all.zone = ""));

test.each([
  ["2026-01-15T20:00", "Asia/Shanghai", "2026-01-15T12:00"],
  ["2026-07-15T20:00", "Europe/Berlin", "2026-07-15T18:00"],
  ["2026-01-15T20:00", "Europe/Berlin", "2026-01-15T19:00"],
  ["2026-01-01T00:30", "America/St_Johns", "2026-01-01T04:00"],
  ["2026-01-15T20:00", "Asia/Kathmandu", "2026-01-15T14:15"],
  ["2026-01-15T20:00:30", "UTC", "2026-01-15T20:00"],
])("%s in %s", (written, zone, at) => {
  expect(utc(momentOf(written, zone))).toBe(at);
});

test("where clocks are set back the earlier of two is meant, where they are set forward nobody misses it", () => {
  expect(utc(momentOf("2026-10-25T02:30", "Europe/Berlin"))).toBe("2026-10-25T00:30");
  expect(utc(momentOf("2026-10-25T01:59", "Europe/Berlin"))).toBe("2026-10-24T23:59");
  expect(utc(momentOf("2026-10-25T03:00", "Europe/Berlin"))).toBe("2026-10-25T02:00");
  expect(utc(momentOf("2026-03-29T02:30", "Europe/Berlin"))).toBe("2026-03-29T01:30");
  expect(utc(momentOf("2026-03-29T01:59", "Europe/Berlin"))).toBe("2026-03-29T00:59");
  expect(utc(momentOf("2026-03-29T03:00", "Europe/Berlin"))).toBe("2026-03-29T01:00");
  expect(utc(momentOf("2026-11-01T01:30", "America/New_York"))).toBe("2026-11-01T05:30");
  expect(utc(momentOf("2026-04-05T01:45", "Australia/Lord_Howe"))).toBe("2026-04-04T14:45");
});

test("the zone is that of the settings", () => {
  prefs.all.zone = "Asia/Tokyo";
  expect(utc(momentOf("2026-01-15T20:00"))).toBe("2026-01-15T11:00");
});

test.each(["", "soon", "2026-01-15", "2026-13-15T20:00"])("%o is no time", (written) => {
  expect(momentOf(written)).toBeNull();
});
