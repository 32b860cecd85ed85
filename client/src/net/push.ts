// Messages to this device by the push service of its browser (P-76).
import { lang } from "../lang.svelte";
import { del, post } from "./http";
import type { Reach } from "./protocol.gen";
import { registered } from "./worker";

/** Can this browser be told at all? Only pages of https (or of this machine) may ask. */
export const canPush = (): boolean => "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;

const bytesOf = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (char) => char.charCodeAt(0));
const textOf = (bytes: ArrayBuffer | null): string =>
  btoa(String.fromCharCode(...new Uint8Array(bytes ?? new ArrayBuffer(0))))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");

/** What this device is called in the list: its browser and system, roughly. */
function nameOf(agent: string): string {
  const browser = /Firefox|Edg|OPR|Chrome|Safari/.exec(agent)?.[0] ?? "";
  const system = /Android|iPhone|iPad|Windows|Mac OS|Linux/.exec(agent)?.[0] ?? "";
  return [{ Edg: "Edge", OPR: "Opera" }[browser] ?? browser, system].filter(Boolean).join(" · ");
}

/** Have this device told; null: its owner does not allow it. */
export async function pushHere(key: string): Promise<Reach | null> {
  if ((await Notification.requestPermission()) !== "granted") return null;
  await registered();
  const worker = await navigator.serviceWorker.ready;
  await (await worker.pushManager.getSubscription())?.unsubscribe(); // of another hall's key, or of before
  const one = await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: bytesOf(key) });
  return post<Reach>("/me/push", {
    endpoint: one.endpoint,
    public: textOf(one.getKey("p256dh")),
    secret: textOf(one.getKey("auth")),
    name: nameOf(navigator.userAgent),
    lang: lang.now,
  });
}

/** Have a device told nothing more; here: it is this one. */
export async function pushNoMore(id: number, here: boolean): Promise<void> {
  if (here && canPush()) {
    const worker = await navigator.serviceWorker.getRegistration("/");
    await (await worker?.pushManager.getSubscription())?.unsubscribe();
  }
  await del(`/me/push/${id}`);
}
