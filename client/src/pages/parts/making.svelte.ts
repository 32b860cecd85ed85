// The form of a new contest while it is filled in and sent: whether it is on its way, what was refused, and at which field.
import { tick as drawnAnew } from "svelte";
import { asRefusal, post } from "../../net/http";
import type { Json, Refusal } from "../../net/protocol";
import { router } from "../../router.svelte";

/** A whole number as one writes it; NaN where it is none. */
export const whole = (text: string): number => (/^\d{1,9}$/.test(text.trim()) ? Number(text) : NaN);

interface How {
  id: string;
  /** The page of all such contests, to which the form is sent: "/ponds". */
  path: string;
  /** At which field of the form a field that was refused is, null: at none. */
  at: (field: string) => string | null;
  /** What is said at a field. */
  words: (field: string) => string;
  /** Lets be seen where a field that was refused is. */
  opens?: (field: string) => void;
}

export class Making {
  readonly how: How;
  busy = $state(false);
  refusal: Refusal | null = $state.raw(null);

  constructor(how: How) {
    this.how = how;
  }

  /** The field that the refusal is about. */
  get field(): string | null {
    return this.refusal?.code === "BAD_OPTION" ? this.how.at(String(this.refusal.facts.field)) : null;
  }

  /** What joins a label and an input. */
  id(which: string): string {
    return `${this.how.id}-${which}`;
  }

  /** Where it is said what is wrong with an input. */
  said(which: string): string | undefined {
    return this.field === which ? this.id("no") : undefined;
  }

  async refused(no: Refusal): Promise<void> {
    this.refusal = no;
    if (no.code === "BAD_OPTION") this.how.opens?.(String(no.facts.field));
    await drawnAnew();
    document.getElementById(`${this.how.id}-no`)?.scrollIntoView({ block: "center" });
  }

  /** Make it, and go to its page. unfit: a field that no form can have so; the hall is not asked then. */
  async send(form: Json, unfit: string | null): Promise<void> {
    if (this.busy) return;
    if (unfit !== null) return this.refused({ code: "BAD_OPTION", facts: { field: unfit } });
    this.busy = true;
    try {
      const { number } = await post<{ number: number }>(this.how.path, { form });
      router.go(`${this.how.path}/${number}`);
    } catch (wrong) {
      void this.refused(asRefusal(wrong));
    } finally {
      this.busy = false;
    }
  }
}
