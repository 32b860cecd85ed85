// The worker of the site knows every file of its build: their names are written into it when they are known.
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "vite";

/** Files of `public/` that a page without a line needs. */
const PUBLIC = ["early.js", "manifest.webmanifest", "seal.svg", "icon-192.png"];

export function worker(): Plugin {
  let to = "";
  let names: string[] = [];
  let page = "";
  return {
    name: "qipai-worker",
    apply: "build",
    writeBundle(options, bundle) {
      to = options.dir ?? "";
      // Calls are for the few who want them: they come with the line, not with the page.
      const kept = Object.keys(bundle).filter((name) => name.startsWith("assets/") && !name.endsWith(".ogg"));
      names = [...kept, ...PUBLIC].sort();
      page = readFileSync(join(to, "index.html"), "utf8");
    },
    closeBundle() {
      const file = join(to, "worker.js");
      const source = readFileSync(file, "utf8");
      const stamp = createHash("sha256").update(source).update(page);
      for (const name of PUBLIC) stamp.update(readFileSync(join(to, name)));
      const build = stamp.update(names.join("\n")).digest("hex").slice(0, 16);
      const files = JSON.stringify(names.map((name) => `/${name}`));
      const filled = source
        .replace('const BUILD = "";', `const BUILD = "${build}";`)
        .replace("const FILES = [];", `const FILES = ${files};`);
      if (!filled.includes(build) || !filled.includes(files)) throw new Error("worker.js has no place for its build");
      writeFileSync(file, filled);
    },
  };
}
