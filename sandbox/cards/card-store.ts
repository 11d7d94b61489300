import { randomBytes } from "node:crypto";
import type { State } from "../state/state.ts";

/** Any object with an id of the provider. */
interface Identified {
  id: string;
  object: string;
}

interface Row {
  id: string;
  body: string;
  hidden: string;
}

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** Returns random letters and digits, as in the provider's ids and secrets. */
export function randomText(length: number): string {
  return [...randomBytes(length)].map((byte) => ALPHABET[byte % ALPHABET.length]).join("");
}

/** The provider's objects, each a row of JSON. Data that is never sent (a card's number) is in a hidden column. */
export class CardStore {
  readonly #state: State;

  constructor(state: State) {
    this.#state = state;
  }

  /** Stores a new object or the new state of an existing one. Links and hidden data are kept unless given. */
  put<T extends Identified>(
    object: T,
    links: { customer?: string | null; intent?: string | null } = {},
    hidden?: object,
  ): T {
    this.#state.run(
      `insert into card_objects (id, object, customer, intent, body, hidden) values (?, ?, ?, ?, ?, ?)
       on conflict (id) do update set body = excluded.body,
         customer = case when ? then excluded.customer else customer end,
         intent = case when ? then excluded.intent else intent end,
         hidden = case when ? then excluded.hidden else hidden end`,
      object.id,
      object.object,
      links.customer ?? null,
      links.intent ?? null,
      JSON.stringify(object),
      JSON.stringify(hidden ?? {}),
      links.customer === undefined ? 0 : 1,
      links.intent === undefined ? 0 : 1,
      hidden ? 1 : 0,
    );
    return object;
  }

  find<T extends Identified>(object: T["object"], id: string): T | undefined {
    const row = this.#state.one<Row>(
      "select id, body, hidden from card_objects where id = ? and object = ?",
      id,
      object,
    );
    return row ? (JSON.parse(row.body) as T) : undefined;
  }

  hiddenOf<T extends object>(id: string): Partial<T> {
    const row = this.#state.one<Row>("select id, body, hidden from card_objects where id = ?", id);
    return row ? (JSON.parse(row.hidden) as Partial<T>) : {};
  }

  /** Returns the newest objects first. */
  list<T extends Identified>(
    object: T["object"],
    where: { customer?: string | undefined; intent?: string | undefined } = {},
    limit = 1000,
  ): T[] {
    const rows = this.#state.all<Row>(
      `select id, body, hidden from card_objects where object = ? and (? is null or customer = ?) and (? is null or intent = ?)
       order by rowid desc limit ?`,
      object,
      where.customer ?? null,
      where.customer ?? null,
      where.intent ?? null,
      where.intent ?? null,
      limit,
    );
    return rows.map((row) => JSON.parse(row.body) as T);
  }

  remove(id: string): void {
    this.#state.run("delete from card_objects where id = ?", id);
  }

  /** Runs `work` in a transaction. */
  atOnce<T>(work: () => T): T {
    return this.#state.transaction(work);
  }

  forgetEverything(): void {
    this.#state.run("delete from card_objects");
    this.#state.run("delete from card_requests");
    this.#state.run("delete from deliveries where channel = 'cards'");
  }
}
