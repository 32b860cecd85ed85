import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { announce, live, silence } from "../src/shell/live.svelte";

describe("my turn, for those who listen", () => {
  beforeEach(() => {
    vi.useFakeTimers();
    vi.stubGlobal("document", { documentElement: { lang: "en" } });
    silence();
  });
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.useRealTimers();
  });

  it("is said at once, with the moves that it would cut off before it", () => {
    announce("Yan passes");
    announce("Shitou plays three nines.");
    announce("Your turn, 14 seconds", "turn");
    vi.advanceTimersByTime(100);
    expect(live.urgent).toBe("Yan passes. Shitou plays three nines. Your turn, 14 seconds");
  });

  it("is said alone once the moves before it have been heard", () => {
    announce("Yan passes");
    announce("Shitou plays three nines");
    vi.advanceTimersByTime(4000);
    announce("Your turn", "turn");
    vi.advanceTimersByTime(100);
    expect(live.urgent).toBe("Your turn");
  });

  it("is said again when it comes again, and a refusal says nothing else", () => {
    announce("Your turn", "turn");
    vi.advanceTimersByTime(3000);
    announce("Yan passes");
    announce("Too low", true);
    expect(live.urgent).toBe("");
    vi.advanceTimersByTime(100);
    expect(live.urgent).toBe("Too low");
  });
});
