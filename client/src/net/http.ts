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
export const del = <T = Json>(path: string): Promise<T> => call("DELETE", path, {});
export const patch = <T = Json>(path: string, body: Json): Promise<T> => call("PATCH", path, body);

/** The refusal that a failed call stands for. */
export function asRefusal(wrong: unknown): Refusal {
  if (wrong instanceof Refused) return { code: wrong.code, facts: wrong.facts };
  throw wrong;
}
