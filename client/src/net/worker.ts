// The site's worker (public/worker.js): registered for who stays, or has the hall on their device as an app. It lets the
// client open without a line.
import { lang, say } from "../lang.svelte";
import { toasts } from "../shell/toasts.svelte";
import { stayAwake } from "./awake.svelte";
import { get } from "./http";
import type { GameInfo } from "./catalog.svelte";

const WORKER = "/worker.js";
const KEPT = "qipai-kept";
const STAYS_MS = 30_000; // who only looks in is spared the whole client

export const canKeep = (): boolean => "serviceWorker" in navigator && "caches" in window;

/** Does this window run as an app of its own? */
export const installed = (): boolean =>
  matchMedia("(display-mode: standalone)").matches || (navigator as { standalone?: boolean }).standalone === true;

let known: Promise<ServiceWorkerRegistration> | null = null;

/** Register the worker, once; a new version is told of quietly and used from the next visit on. */
export function registered(): Promise<ServiceWorkerRegistration> {
  known ??= navigator.serviceWorker.register(WORKER).then((one) => {
    one.addEventListener("updatefound", () => {
      const fresh = one.installing;
      fresh?.addEventListener("statechange", () => {
        if (fresh.state === "installed" && navigator.serviceWorker.controller) toasts.add(say("ui.kept.renewed"));
      });
    });
    return one;
  });
  known.catch(() => (known = null));
  return known;
}

/** What a device does for who stays: the screen stays on at a table; the worker is registered, at once where it is known. */
export async function begin(): Promise<void> {
  stayAwake();
  if (!canKeep()) return;
  if (installed() || (await navigator.serviceWorker.getRegistration("/"))) {
    await registered()
      .then(() => (installed() ? keepAll() : undefined))
      .catch(() => undefined);
  } else setTimeout(() => void registered().catch(() => undefined), STAYS_MS);
}

/** Fetch what can be read without a line, in the language in use, for the worker to keep. told: how much is here. */
export async function keepAll(told: (n: number, of: number) => void = () => undefined): Promise<void> {
  await registered();
  await navigator.serviceWorker.ready;
  const tongue = lang.now;
  const games = await get<{ rows: GameInfo[] }>("/games").then((found) => found.rows.map((one) => one.game));
  const paths = [`/lang/${tongue}`, "/rooms?limit=200", "/learn"];
  for (const game of games) {
    for (const kind of ["rulings", "glossary"]) paths.push(`/games/${game}/${kind}?lang=${tongue}`);
    paths.push(`/learn/${game}?lang=${tongue}`);
  }
  const cache = await caches.open(KEPT);
  let n = 0;
  for (const path of ["/games", ...paths]) {
    const answer = await fetch(`/api/v1${path}`, { credentials: "same-origin" });
    // A game without a lesson has none to keep. A page that the worker does not serve yet keeps for itself.
    if (answer.ok) await cache.put(`/api/v1${path}`, answer);
    told(++n, paths.length + 1);
  }
}

/** The paths of what is kept. */
export async function kept(): Promise<Set<string>> {
  if (!canKeep()) return new Set();
  const cache = await caches.open(KEPT);
  return new Set((await cache.keys()).map((one) => new URL(one.url).pathname.replace("/api/v1", "")));
}

/** The answer that is kept of a path. */
export async function keptOf<T>(path: string): Promise<T | null> {
  const cache = await caches.open(KEPT);
  const found = await cache.match(`/api/v1${path}`, { ignoreVary: true });
  return found ? ((await found.json()) as T) : null;
}

/** Is the whole client on this device? */
export const clientKept = async (): Promise<boolean> =>
  canKeep() && (await caches.keys()).some((name) => name.startsWith("qipai-client-")) && Boolean(await caches.match("/"));
