import { mount } from "svelte";
import App from "./App.svelte";
import { firstTongue, lang } from "./lang.svelte";
import { session } from "./net/session.svelte";
import { prefs } from "./shell/prefs.svelte";
import "./shell/tokens.css";
import "./shell/base.css";

prefs.apply();
await lang.use(firstTongue()).catch(() => undefined);
session.begin();
const target = document.getElementById("app");
if (target) mount(App, { target });
