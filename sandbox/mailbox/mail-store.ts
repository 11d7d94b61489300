import PostalMime from "postal-mime";
import type { State } from "../state/state.ts";

/** A received message. */
export interface MessageRow {
  id: number;
  sender: string;
  recipients: string;
  subject: string;
  plain_text: string | null;
  html: string | null;
  headers: string;
  raw: Uint8Array;
  received_at: number;
}

/** Parses and stores a received message, with the envelope's recipients. Returns its id. */
export async function storeMessage(
  state: State,
  raw: Uint8Array,
  envelope: { from: string; to: readonly string[] },
): Promise<number> {
  const mail = await PostalMime.parse(raw);
  const headers = mail.headers.map(({ key, value }) => [key, value]);
  return state.run(
    "insert into messages (sender, recipients, subject, plain_text, html, headers, raw, received_at) values (?, ?, ?, ?, ?, ?, ?, ?)",
    mail.from?.address ?? envelope.from,
    JSON.stringify(envelope.to.map((address) => address.toLowerCase())),
    mail.subject ?? "",
    mail.text ?? null,
    mail.html ?? null,
    JSON.stringify(headers),
    raw,
    Date.now(),
  ).lastId;
}

/** Returns the newest messages first, optionally of one recipient. */
export function findMessages(state: State, to: string | undefined, limit: number): MessageRow[] {
  if (!to) return state.all<MessageRow>("select * from messages order by id desc limit ?", limit);
  return state.all<MessageRow>(
    "select * from messages where exists (select 1 from json_each(recipients) where value = ?) order by id desc limit ?",
    to.toLowerCase(),
    limit,
  );
}

export function findMessage(state: State, id: number): MessageRow | undefined {
  return state.one<MessageRow>("select * from messages where id = ?", id);
}

/** Returns the distinct web addresses in a message, in order: from its text, otherwise from its HTML's links. */
export function linksIn(message: MessageRow): string[] {
  const source =
    message.plain_text ??
    [...(message.html ?? "").matchAll(/href="([^"]+)"/g)].map((match) => match[1]?.replaceAll("&amp;", "&")).join(" ");
  return [...new Set(source.match(/https?:\/\/[^\s<>"')\]]+/g)?.map((link) => link.replace(/[.,;:!?]+$/, "")) ?? [])];
}
