// The one worker of this site: it keeps the client for when there is no line (P-98), and shows the hall's messages to this
// device (P-76). The build fills in the next two lines; without them, as in development, nothing is kept.
const BUILD = "";
const FILES = [];

const CLIENT = `qipai-client-${BUILD}`; // one build, whole: a page and its parts never come from two
const KEPT = "qipai-kept"; // answers of the hall: words, rules, lessons, the replays that somebody has opened
const WAIT_MS = 6000; // a line that says nothing for so long is none
const MOST_REPLAYS = 60;
const API = "/api/v1";
// What may be read without a line. Nothing here is about who asks, but for replays: those go when somebody signs out.
const READ =
  /^\/api\/v1\/(lang\/[\w-]+|games|games\/\w+|games\/\w+\/(rulings|glossary)|learn(\/\w+)?|rooms|g\/[\w-]+(\/steps)?|help|faq|links|support|contact)$/;
const REPLAY = new RegExp(`^${API}/g/`);

self.addEventListener("install", (event) => {
  if (BUILD) event.waitUntil(keepClient());
});

self.addEventListener("activate", (event) => {
  const tidy = async () => {
    for (const name of await caches.keys()) if (name.startsWith("qipai-client-") && name !== CLIENT) await caches.delete(name);
    await self.clients.claim();
  };
  event.waitUntil(tidy());
});

/** Keep every file of this build; those whose name has not changed come from the build before. */
async function keepClient() {
  const cache = await caches.open(CLIENT);
  const rest = [...FILES];
  const next = async () => {
    for (let path = rest.pop(); path; path = rest.pop()) {
      const before = path.startsWith("/assets/") ? await caches.match(path) : undefined;
      const answer = before ?? (await fetch(path, { cache: path.startsWith("/assets/") ? "default" : "reload" }));
      if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
      await cache.put(path, answer);
    }
  };
  await Promise.all([next(), next(), next(), next()]);
  // The page is the hall's of this moment. Is it another build's, the hall has just been renewed: then not now.
  const page = await fetch("/", { cache: "reload" });
  const text = await page.clone().text();
  if (!page.ok || !FILES.some((path) => text.includes(`src="${path}"`) && path.startsWith("/assets/"))) {
    await caches.delete(CLIENT);
    throw new Error("another build");
  }
  await cache.put("/", page);
}

const within = (promise) =>
  Promise.race([promise, new Promise((_, fail) => setTimeout(() => fail(new Error("no answer")), WAIT_MS))]);

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  // Somebody signs out: what only they may have seen goes.
  if (url.pathname === `${API}/logout`) event.waitUntil(caches.open(KEPT).then((cache) => drop(cache, 0)));
  if (!BUILD || request.method !== "GET" || url.origin !== self.location.origin) return;
  if (request.mode === "navigate") {
    if (!url.pathname.startsWith("/api/") && !/\.\w+$/.test(url.pathname)) event.respondWith(page(request));
  } else if (FILES.includes(url.pathname)) event.respondWith(file(request, url.pathname));
  else if (READ.test(url.pathname)) event.respondWith(read(request, url.pathname));
});

/** The hall's own page, so that no old client meets a new hall; without a line the one that is kept. */
async function page(request) {
  try {
    return await within(fetch(request));
  } catch (wrong) {
    const kept = await caches.match("/", { cacheName: CLIENT });
    if (kept) return kept;
    throw wrong;
  }
}

async function file(request, path) {
  // Of files whose names do not change with their content, too, this build's: they are what its page was made with.
  return (await caches.match(path, { cacheName: CLIENT })) ?? fetch(request);
}

/** What the hall says now; without a line what it said last. */
async function read(request, path) {
  const cache = await caches.open(KEPT);
  try {
    const answer = await within(fetch(request));
    if (answer.ok) {
      await cache.put(request, answer.clone());
      if (REPLAY.test(path)) await drop(cache, MOST_REPLAYS);
    }
    return answer;
  } catch (wrong) {
    const kept = await cache.match(request, { ignoreVary: true });
    if (kept) return kept;
    throw wrong;
  }
}

/** Keep so many replays, the last ones. Each is two answers. */
async function drop(cache, most) {
  const all = (await cache.keys()).filter((one) => REPLAY.test(new URL(one.url).pathname));
  for (const one of all.slice(0, Math.max(0, all.length - 2 * most))) await cache.delete(one);
}

self.addEventListener("push", (event) => {
  const show = async () => {
    let told = {};
    try {
      told = event.data.json();
    } catch {
      return; // nothing of the hall's
    }
    const windows = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
    if (windows.some((one) => one.focused)) return; // the page says it
    await self.registration.showNotification(String(told.title ?? ""), {
      body: String(told.body ?? ""),
      lang: String(told.lang ?? ""),
      tag: String(told.topic ?? ""),
      icon: "/icon-192.png",
      dir: "auto",
      data: { path: String(told.path ?? "/") },
    });
  };
  event.waitUntil(show());
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const open = async () => {
    const to = new URL(event.notification.data.path, self.location.origin);
    if (to.origin !== self.location.origin) return;
    const windows = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
    const one = windows.find((each) => new URL(each.url).pathname === to.pathname);
    if (one) await one.focus();
    else await self.clients.openWindow(to.href);
  };
  event.waitUntil(open());
});
