// Written by `qipai schema` from the heads of src/qipai/lang/*.toml; do not edit.

/** The languages that the client was built with. A hall may have more: `languages.…` among its sentences names all. */
export const LANGUAGES = ["zh-CN", "en", "zh-Hant"] as const;
export type Tag = (typeof LANGUAGES)[number];

/** Where nobody has said which. */
export const DEFAULT: Tag = "zh-CN";

/** Says what another language does not say. */
export const FALLBACK: Tag = "en";
