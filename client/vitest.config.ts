import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";

// The pure modules, in Node: what needs a page is tested in real browsers (tests/e2e).
export default defineConfig({
  plugins: [svelte()],
  test: { include: ["tests/**/*.test.ts"], setupFiles: ["tests/setup.ts"], environment: "node" },
});
