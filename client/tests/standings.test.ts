// What the first column of a tournament's table counts (P-68, P-94).
import { expect, test } from "vitest";
import { columns } from "../src/pages/parts/tournaments";

const word = (form: object): string | undefined =>
  columns({ form: { terms: { game: "doudizhu" }, ...form } } as never, { ties: [] } as never)[0]?.word;

test("at tables of many it is the points, and of a duplicate the difference from the average", () => {
  expect(word({ format: "sections", seats: 3 })).toBe("ui.standings.points");
  expect(word({ format: "sections", seats: 3, duplicate: true })).toBe("ui.standings.difference");
  expect(word({ format: "swiss", seats: 2, duplicate: true })).toBe("ui.standings.score");
  expect(word({ format: "arena", seats: 2 })).toBe("ui.standings.arena");
});
