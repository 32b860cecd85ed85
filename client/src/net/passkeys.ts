// Passkeys: what the hall asks is put to the browser, what the browser answers goes to the hall (WebAuthn).
import { get, post, Refused } from "./http";
import type { PasskeyAsked, PasskeyRow, SignedIn, Ways } from "./protocol.gen";

/** Can this browser do it here at all: newer ones, over TLS or on this machine, and by a name? */
const able = (): boolean =>
  isSecureContext &&
  typeof PublicKeyCredential === "function" &&
  "parseCreationOptionsFromJSON" in PublicKeyCredential &&
  !/^[\d.]+$|:|^\[/.test(location.hostname);

/** How one gets into this hall, beside name and password. */
export const ways = (): Promise<Ways> => get<Ways>("/ways");

/** Can one use passkeys in this hall, with this browser? */
export async function offered(): Promise<boolean> {
  return able() && (await ways()).passkeys;
}

/** What the browser gives; that it gives nothing, or that one calls it off, is a refusal in words. */
async function given(ask: () => Promise<Credential | null>): Promise<unknown> {
  let found: Credential | null = null;
  try {
    found = await ask();
  } catch {
    // Called off, too late, or a device that has this hall's passkey already.
  }
  if (!(found instanceof PublicKeyCredential)) throw new Refused("ui.passkey.none_came", {}, 0);
  return found.toJSON();
}

export async function signIn(): Promise<SignedIn> {
  const { options } = await post<PasskeyAsked>("/login/passkey/ask");
  const answer = await given(() => navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) }));
  return post<SignedIn>("/login/passkey", { answer });
}

/** Make a passkey; the password, and a code where a second step is on, show who asks. */
export async function add(name: string, proof: { password: string; code?: string }): Promise<PasskeyRow> {
  const { options } = await post<PasskeyAsked>("/me/passkeys/ask", proof);
  const answer = await given(() => navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) }));
  return post<PasskeyRow>("/me/passkeys", { name, answer });
}
