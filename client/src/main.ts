import { mount } from "svelte";
import App from "./App.svelte";
import { lang } from "./lang.svelte";
import { again } from "./net/patience";
import { session } from "./net/session.svelte";
import { prefs } from "./shell/prefs.svelte";
import "./shell/tokens.css";
import "./shell/base.css";

prefs.apply();
// Nothing can be said before the words are here.
const wait = document.getElementById("wait");
await lang.begin().catch(() => {
  if (wait) wait.hidden = false;
  return again(() => lang.begin());
});
wait?.remove();
session.begin();
const target = document.getElementById("app");
if (target) mount(App, { target });
