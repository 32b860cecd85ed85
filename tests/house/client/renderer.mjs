// Says and draws what the client says and draws, without a browser: `node renderer.mjs <client>`, scenes on stdin as JSON,
// what came of them on stdout. `tests/house/client/renderer.py` writes the one and reads the other.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const root = process.argv[2];
const { words, scenes, told, analysed } = JSON.parse(readFileSync(0, "utf-8"));

// What the client's modules touch while they are loaded.
const nothing = () => undefined;
const element = () => ({ dataset: {}, style: { setProperty: nothing }, setAttribute: nothing, addEventListener: nothing, append: nothing });
const store = () => ({ getItem: () => null, setItem: nothing, removeItem: nothing });
Object.assign(globalThis, {
  window: globalThis,
  document: { documentElement: element(), head: element(), body: element(), hidden: false, addEventListener: nothing, createElement: element, querySelectorAll: () => [] },
  location: { protocol: "http:", host: "hall", pathname: "/", search: "", hash: "" },
  localStorage: store(), sessionStorage: store(),
  addEventListener: nothing, matchMedia: () => ({ matches: false, addEventListener: nothing }),
  innerWidth: 1280, innerHeight: 800, requestAnimationFrame: nothing,
});
Object.defineProperty(globalThis, "navigator", { value: { languages: [], language: "en", onLine: true }, configurable: true });

const vite = await import(pathToFileURL(createRequire(`${root}/package.json`).resolve("vite")));
const server = await vite.createServer({
  root, logLevel: "error", appType: "custom", optimizeDeps: { noDiscovery: true },
  server: { middlewareMode: true, hmr: false, ws: false, watch: null },
});
const load = (path) => server.ssrLoadModule(path);
const { render } = await load("svelte/server");
const { lang, say, why } = await load("/src/lang.svelte.ts");
const { LiveTableView } = await load("/src/table/tableView.svelte.ts");
const { session } = await load("/src/net/session.svelte.ts");
const { notes } = await load("/src/net/notes.ts");
const { toasts } = await load("/src/shell/toasts.svelte.ts");
const { default: ResultSheet } = await load("/src/table/ResultSheet.svelte");

const found = [];
for (const { module: name, game, seat, seats, frames, refusals } of scenes) {
  const module = name && (await load(`/src/games/${name}/index.ts`)).default;
  for (const [tongue, all] of Object.entries(words)) {
    lang.words = all;
    lang.now = tongue;
    session.user = seat === null ? null : (seats[seat]?.user ?? null);
    const sat = seats.map((one, at) => ({ ...one, user: one.user && { ...one.user, name: tongue === "en" ? `Ann${at}` : `阿${"甲乙丙丁戊己庚辛"[at]}` } }));
    const table = { hear: () => nothing, close: nothing, id: 1, you: { seat, owner: false }, seats: sat, offers: [], clocks: null, late: null, stood: null, ...game };
    const tableView = new LiveTableView(table);
    tableView.module = module;
    const put = (what, text) => text && found.push({ game: game.info.game, tongue, seat, what, text });
    for (const frame of frames) {
      Object.assign(table, frame.table);
      for (const told of frame.told ?? []) put(`told ${told.e}`, tableView.sentence(told));
      if (!table.result) continue;
      put("outcome", module.outcome?.(table.result, tableView) ?? "");
      const settled = module.settle?.(tableView, table.result);
      if (settled) found.push({ game: game.info.game, tongue, seat, what: "settled", settled, points: table.result.points, view: table.view });
      put("sheet", render(ResultSheet, { props: { tableView, result: table.result, onclose: nothing, onleave: nothing } }).body);
    }
    for (const one of refusals ?? []) {
      if (one.view !== undefined) table.view = one.view;
      put(`refused ${one.code}`, module ? tableView.whyNot(one) : why(one));
    }
  }
}
// Why a bot chose so, a sentence each.
const { reasons } = await load("/src/pages/replay/reasons.ts");
const { spoken } = await load("/src/pages/replay/spoken.ts");
for (const { game, analysis, acts } of analysed) {
  const module = (await load(`/src/games/${game}/index.ts`)).default;
  for (const [tongue, all] of Object.entries(words)) {
    lang.words = all;
    lang.now = tongue;
    for (const [n, act] of Object.entries(acts)) {
      const bot = { name: tongue === "en" ? "Ann1" : "阿乙", level: "strong" };
      const said = reasons(analysis, Number(n), game, bot, (one) => spoken(game, one, module));
      const row = analysis.rows.findLast((one) => one.n === Number(n)) ?? null;
      found.push({ game, tongue, seat: null, what: "reasons", n: Number(n), act, said, row });
    }
  }
}
// The rules' pages: the pieces of every chapter, and the names of the glossary.
const { blocks } = await load("/src/pages/rules/markup.ts");
const { chapters, glossary } = await load("/src/pages/rules/rules.ts");
for (const [tongue, all] of Object.entries(words)) {
  lang.words = all;
  lang.now = tongue;
  for (const game of new Set(scenes.map((one) => one.module))) {
    for (const chapter of chapters(game)) {
      const text = all[`${game}.rules.${chapter}.text`];
      if (text) found.push({ game, tongue, seat: null, what: "chapter", chapter, pieces: blocks(text).flatMap((one) => one.items ?? [one.text]), source: text });
    }
    found.push({ game, tongue, seat: null, what: "glossary", names: glossary(game).map((one) => one.name) });
  }
}

// What the hall tells somebody wherever he is.
let hear = nothing;
session.listen = (hearer) => ((hear = hearer), nothing);
notes();
for (const [tongue, all] of Object.entries(words)) {
  lang.words = all;
  lang.now = tongue;
  toasts.add = (text) => found.push({ game: "", tongue, seat: null, what: "note", text });
  for (const note of told) hear({ t: "note", ...note });
}
found.push({ what: "missing", text: document.documentElement.dataset.missing ?? "" });
process.stdout.write(JSON.stringify(found), () => process.exit(0)); // the client's timers would keep it running
