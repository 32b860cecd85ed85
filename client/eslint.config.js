import js from "@eslint/js";
import svelte from "eslint-plugin-svelte";
import globals from "globals";
import ts from "typescript-eslint";
import svelteConfig from "./svelte.config.js";

// What prettier lays out and what svelte-check proves is not asked again; here stands what neither sees.
export default ts.config(
  { ignores: ["node_modules/", "public/", "**/*.gen.ts"] },
  js.configs.recommended,
  ts.configs.recommended,
  svelte.configs.recommended,
  svelte.configs.prettier,
  {
    languageOptions: { globals: { ...globals.browser, ...globals.node } },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      eqeqeq: ["error", "always", { null: "ignore" }],
      "max-len": ["error", { code: 140, tabWidth: 2 }],
      "no-var": "error",
      "prefer-const": "off", // Svelte's own rule knows about $props
      "svelte/prefer-const": "off",
      // TypeScript proves names, and svelte-check reports what is not used.
      "no-undef": "off",
      // prettier keeps `{" "}` where a blank counts; a Set that lives for one computation need not be reactive.
      "svelte/no-useless-mustaches": "off",
      "svelte/no-unused-svelte-ignore": "off", // svelte-check tells
      "svelte/prefer-svelte-reactivity": "off",
      "@typescript-eslint/no-unused-vars": "off",
      // A record of a game that this page knows nothing about is `any` by design.
      "@typescript-eslint/no-explicit-any": "off",
      "@typescript-eslint/no-non-null-assertion": "off",
    },
  },
  {
    files: ["**/*.svelte", "**/*.svelte.ts"],
    languageOptions: { parserOptions: { parser: ts.parser, svelteConfig } },
  },
);
