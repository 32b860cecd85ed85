// What the modules under test ask of a page: its address, its root and a place to keep things.
import { beforeEach } from "vitest";

class Kept {
  #all = new Map<string, string>();
  getItem = (key: string): string | null => this.#all.get(key) ?? null;
  setItem = (key: string, value: string): void => void this.#all.set(key, value);
  removeItem = (key: string): void => void this.#all.delete(key);
  clear = (): void => this.#all.clear();
}

Object.assign(globalThis, {
  localStorage: new Kept(),
  sessionStorage: new Kept(),
  location: { pathname: "/", search: "", hash: "", origin: "http://hall" },
  addEventListener: () => undefined,
  document: { documentElement: { dataset: {}, lang: "" }, querySelectorAll: () => [] },
  matchMedia: () => ({ matches: false }),
});

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
});
