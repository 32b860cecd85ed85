import { expect, test } from "vitest";
import { offered, pick, suited } from "../src/languages";
import type { Tag } from "../src/languages.gen";

const tags = ["zh-CN", "en", "ru", "pt-BR"] as unknown as Tag[];
const ru = "ru" as unknown as Tag;

test("the languages of a hall are those that its sentences name", () => {
  const words = {
    ROOM_FULL: "…",
    "languages.zh-CN.name": "中文",
    "languages.zh-CN.short": "中文",
    "languages.zh-CN.switch": "切换到中文",
    "languages.ru.name": "Русский",
  };
  expect(offered(words)).toEqual([
    { tag: "zh-CN", name: "中文", short: "中文", switch: "切换到中文" },
    { tag: "ru", name: "Русский", short: "Русский", switch: "Русский" },
  ]);
  expect(offered({})).toEqual([]);
});

test.each<[string[], string]>([
  [["zh-TW"], "zh-Hant"],
  [["zh-HK", "en"], "zh-Hant"],
  [["en-US", "zh-MO"], "zh-Hant"],
  [["zh-Hant-CN"], "zh-Hant"],
  [["zh-SG"], "zh-CN"],
  [["zh"], "zh-CN"],
])("of two kinds of Chinese the script decides: %s", (wanted, tag) => {
  expect(suited(["zh-CN", "en", "zh-Hant"] as unknown as Tag[], wanted)).toBe(tag);
});

test.each<[string, string[], string]>([
  ["who reads Chinese", ["zh-CN"], "zh-CN"],
  ["who reads it elsewhere", ["zh-Hant-TW"], "zh-CN"],
  ["who reads English", ["en-GB", "en"], "en"],
  ["who reads English first, and Chinese", ["en-US", "zh"], "zh-CN"],
  ["who reads English first, and Russian", ["en", "ru"], "en"],
  ["who reads Russian", ["ru-RU", "en"], "ru"],
  ["who reads another Portuguese", ["pt-PT", "en"], "pt-BR"],
  ["who reads none first, and Russian", ["tlh", "en", "ru"], "ru"],
  ["who reads none", ["tlh"], "zh-CN"],
  ["who does not say", [], "zh-CN"],
])("%s", (_, wanted, tag) => {
  expect(suited(tags, wanted)).toBe(tag);
});

test("what is said in several languages is picked by tag, by its first part, then in English, then in Chinese", () => {
  expect(pick({ "zh-CN": "甲", en: "a" }, "zh-CN")).toBe("甲");
  expect(pick({ zh: "炮", en: "C" }, "zh-CN")).toBe("炮");
  expect(pick({ "zh-CN": "甲", en: "a" }, ru)).toBe("a");
  expect(pick({ "zh-CN": "甲" }, ru)).toBe("甲");
  expect(pick({ zh: "炮", en: "C" }, "zh-Hant" as Tag)).toBe("炮");
  expect(pick({}, ru)).toBe("");
  expect(pick(undefined, "en")).toBe("");
});
