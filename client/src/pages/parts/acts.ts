// What moderators and administrators have done, in words: a line of the audit (section 11).
import { has, say } from "../../lang.svelte";
import { catalog } from "../../net/catalog.svelte";
import type { Json } from "../../net/protocol";
import type { ActRow } from "../../net/protocol.gen";
import { boardName } from "./boards";
import { day, number, signed } from "./words";

/** links: address and words; changes: what, before, after. */
export interface Act {
  words: string;
  reason: string;
  links: [string, string][];
  changes: [string, string, string][];
}

const plain = (value: Json): string =>
  typeof value === "boolean"
    ? value
      ? "✓"
      : "—"
    : value === null || value === ""
      ? "—"
      : typeof value === "object"
        ? JSON.stringify(value)
        : String(value);
/** Several things in one phrase, as the language lists them. */
const list = (parts: (string | false)[]): string => parts.filter(Boolean).join(say("ui.list_and"));

/** Which sentence an act has, and its facts. */
function sentence({ type, data }: ActRow): [string, Record<string, Json>] {
  switch (type) {
    case "moderation.acted": {
      const here = data.room && (data.what === "mute" || data.what === "unmute") ? "_room" : "";
      return [data.what + here, { level: data.level ?? "", until: data.until ? say("ui.order.until", { day: day(data.until) }) : "" }];
    }
    case "moderation.address":
      return [
        data.until ? "address" : "address_lifted",
        { address: data.address, until: data.until ? say("ui.order.until", { day: day(data.until) }) : "" },
      ];
    case "moderation.dismissed":
      return ["dismissed", { n: data.report }];
    case "moderation.reversed": {
      const back = data.rows[0] ?? {};
      return [
        "reversed",
        {
          what:
            list(
              (["score", "credibility", "coins"] as const).map((one) => back[one] && say(`ui.price_${one}`, { n: signed(back[one]) })),
            ) || "—",
        },
      ];
    }
    case "editor.named":
      return [data.on ? "editor" : "editor_ended", {}];
    case "role.given":
      return [data.role === "user" ? "role_ended" : "role", { role: say(`role.${data.role}`) }];
    case "wallet.granted":
      return [data.amount < 0 ? "taken" : "granted", { n: number(Math.abs(data.amount)), what: say(`ui.ledger.${data.currency}`) }];
    case "code.made": {
      const gives = [
        ["coins", "ui.ledger.coins"],
        ["hearts", "ui.ledger.hearts"],
        ["member_days", "ui.shop.member_days"],
      ] as const;
      return [
        "code",
        {
          code: data.code,
          uses: data.uses,
          what: list(gives.map(([one, word]) => Boolean(data[one]) && `${say(word)} ${number(data[one])}`)),
          until: data.expires ? say("ui.order.until", { day: day(data.expires) }) : "",
        },
      ];
    }
    default:
      return [type.replace(".", "_"), {}];
  }
}

export function actWords(row: ActRow): Act {
  const data = row.data as Record<string, Json>;
  const [name, facts] = sentence(row);
  const key = `ui.order.act_${name}`;
  const thread = row.type === "moderation.thread";
  const shown = (what: string, value: Json): string => (what === "board" ? boardName(String(value)) : plain(value));
  const changes = Object.entries((data.changed ?? {}) as Record<string, [Json, Json]>).map(
    ([what, [before, after]]): [string, string, string] =>
      thread ? [say(`ui.boards.${what}`), shown(what, before), shown(what, after)] : [what, plain(before), plain(after)],
  );
  const links: [string, string][] = [];
  if (data.report && row.type === "moderation.acted") links.push(["/moderation?state=done", say("ui.order.report_n", { n: data.report })]);
  const ref = row.type === "wallet.granted" ? "" : String(data.ref ?? "");
  if (thread) links.push([`/threads/${ref.replace("thread:", "")}`, say("ui.order.act_thread")]);
  else if (/^(table:)?\d+$/.test(ref))
    links.push([`/tables/${ref.replace("table:", "")}`, say("ui.order.act_table", { n: ref.replace("table:", "") })]);
  else if (/^[a-z0-9]{6,}$/.test(ref)) links.push([`/g/${ref}`, say("ui.order.around_game")]);
  return {
    // An act of a later version has no sentence yet: then what stands in the log.
    words: has(key)
      ? say(key, { name: row.user?.name ?? "—", room: data.room ? catalog.roomName(data.room) : "", ...facts })
      : `${row.type} ${JSON.stringify(data)}`,
    reason: String((row.type === "wallet.granted" ? data.ref : (data.reason ?? data.note)) ?? ""),
    links,
    changes,
  };
}
