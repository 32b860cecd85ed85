// Calls under /api/v1 (platform 13.2). A refusal is thrown as `Refused`; everything else is the answer.
import type { Facts, Json, Refusal } from "./protocol";

export class Refused extends Error implements Refusal {
  constructor(
    readonly code: string,
    readonly facts: Facts,
    readonly status: number,
  ) {
    super(code);
  }
}

async function call(method: string, path: string, body?: Json): Promise<Json> {
  let answer: Response;
  try {
    answer = await fetch(`/api/v1${path}`, {
      method,
      credentials: "same-origin",
      headers: body === undefined ? {} : { "content-type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch {
    throw new Refused("ui.offline", {}, 0);
  }
  const text = await answer.text();
  let data: Json = null;
  try {
    data = text ? JSON.parse(text) : null;
  } catch {
    // Not the hall that spoke: a proxy's page, say.
  }
  // A game in the world's own notation comes as plain text.
  if (answer.ok) return answer.headers.get("content-type")?.includes("json") ? data : text;
  throw new Refused(data?.error?.code ?? "ui.offline", data?.error?.facts ?? {}, answer.status);
}

export const get = <T = Json>(path: string): Promise<T> => call("GET", path);
export const post = <T = Json>(path: string, body: Json = {}): Promise<T> => call("POST", path, body);
export const del = <T = Json>(path: string, body: Json = {}): Promise<T> => call("DELETE", path, body);
export const patch = <T = Json>(path: string, body: Json): Promise<T> => call("PATCH", path, body);

/** Fetch a file and let the browser keep it, under the name that the hall gives it. */
export async function fetchFile(path: string, otherwise: string): Promise<void> {
  let answer: Response;
  try {
    answer = await fetch(`/api/v1${path}`, { credentials: "same-origin" });
  } catch {
    throw new Refused("ui.offline", {}, 0);
  }
  if (!answer.ok) {
    const data = await answer.json().catch(() => null);
    throw new Refused(data?.error?.code ?? "ui.offline", data?.error?.facts ?? {}, answer.status);
  }
  const name = /filename\*=utf-8''([^;]+)/.exec(answer.headers.get("content-disposition") ?? "")?.[1];
  const link = document.createElement("a");
  link.href = URL.createObjectURL(await answer.blob());
  link.download = name ? decodeURIComponent(name) : otherwise;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** The refusal that a failed call stands for. */
export function asRefusal(wrong: unknown): Refusal {
  if (wrong instanceof Refused) return { code: wrong.code, facts: wrong.facts };
  throw wrong;
}
