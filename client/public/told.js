// The hall's messages to this device (P-76): shown by the system while no page of the hall is looked at. Registered by
// the settings (pages/parts/Reach.svelte), only where somebody wants it.
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
