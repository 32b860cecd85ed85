import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";
import { worker } from "./vite.worker";

// QIPAI_HALL: where `npm run dev` finds a running hall (`qipai serve` prints the address).
const hall = process.env.QIPAI_HALL ?? "http://127.0.0.1:8000";

export default defineConfig({
  plugins: [svelte(), worker()],
  build: {
    outDir: "../src/qipai/web/client",
    emptyOutDir: true,
    target: "es2022",
    // Nothing inline: the pages run under a content security policy without 'unsafe-inline'.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: true,
    // One file for the parts of all forms of contests: each file of a page makes the first visit heavier.
    rolldownOptions: {
      output: {
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [
            // What every page begins with: one file instead of a dozen that wait for each other.
            { name: "main", tags: ["$initial"] },
            { name: "making", test: /parts\/(Making|making|ContestList|prizes\.ts)|shell\/moments/ },
            // What every game hears comes with the table.
            { name: "sound", test: /shell\/sound\.ts|table\/aloud\.ts/ },
            // Small parts of every table with cards weigh less together.
            { name: "cards", test: /kit\/(Run|Card)\.svelte|kit\/cards\.ts|table\/cards\/words/ },
          ],
        },
      },
    },
  },
  server: {
    proxy: {
      "/api": { target: hall, changeOrigin: true },
      "/ws": { target: hall, ws: true, changeOrigin: true },
    },
  },
});
