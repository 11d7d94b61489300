import type { State } from "../state/state.ts";

/** A message to the receiver, with its outcome. */
export interface DeliveryRow {
  id: number;
  channel: string;
  subject: string | null;
  kind: string;
  body: string;
  status: "held" | "waiting" | "delivered" | "failed";
  due_at: number;
  attempts: number;
  http_status: number | null;
  outcome: string | null;
  created_at: number;
  finished_at: number | null;
}

/** The receiver's response. */
export interface DeliveryAnswer {
  ok: boolean;
  status: number | null;
  text: string;
}

/** The current behaviour of deliveries. */
export interface DeliveryHabits {
  hold: boolean;
  twice: boolean;
  retry: boolean;
  delaySeconds: number;
}

export interface DeliveryQueueOptions {
  state: State;
  /** The vendor whose deliveries these are: each has its own queue. */
  channel: string;
  now: () => number;
  send: (delivery: DeliveryRow) => Promise<DeliveryAnswer>;
  habits: () => DeliveryHabits;
  /** Waits between attempts in milliseconds. There is one more attempt than waits. */
  retryWaits: readonly number[];
}

const ANSWER_TIMEOUT_MS = 10_000;

/**
 * Delivers messages in the background, one after the other, in the order they are due. Deliveries are stored as rows first: what was not sent when
 * the process ended is sent after the next start.
 */
export class DeliveryQueue {
  readonly #options: DeliveryQueueOptions;
  #timer: NodeJS.Timeout | undefined;
  #working: Promise<void> | undefined;
  #closed = false;

  constructor(options: DeliveryQueueOptions) {
    this.#options = options;
    this.#wake();
  }

  /** Queues a message, held, delayed or doubled according to the habits. `subject` is its topic. */
  add(kind: string, body: string, subject: string | null): void {
    const { state, now, channel, habits } = this.#options;
    const { hold, twice, delaySeconds } = habits();
    for (const name of twice ? [kind, `${kind}, again`] : [kind]) {
      state.run(
        "insert into deliveries (channel, subject, kind, body, status, due_at, created_at) values (?, ?, ?, ?, ?, ?, ?)",
        channel,
        subject,
        name,
        body,
        hold ? "held" : "waiting",
        now() + delaySeconds * 1000,
        now(),
      );
    }
    this.#wake();
  }

  /** Releases held messages, oldest or newest first. Returns their number. */
  release(order: "oldest first" | "newest first"): number {
    const { state, now, channel } = this.#options;
    const held = state.all<{ id: number }>(
      `select id from deliveries where channel = ? and status = 'held' order by id ${order === "newest first" ? "desc" : "asc"}`,
      channel,
    );
    // One millisecond apart, because the due time decides the order.
    held.forEach(({ id }, index) =>
      state.run("update deliveries set status = 'waiting', due_at = ? where id = ?", now() - held.length + index, id),
    );
    this.#wake();
    return held.length;
  }

  /** Resolves when every due message has been sent. */
  async settled(): Promise<void> {
    for (this.#wake(); this.#working || this.#due(); await this.#working) this.#wake();
  }

  /** Returns the newest messages first. */
  latest(limit: number): DeliveryRow[] {
    const { state, channel } = this.#options;
    return state.all<DeliveryRow>(
      "select * from deliveries where channel = ? order by id desc limit ?",
      channel,
      limit,
    );
  }

  heldCount(): number {
    const { state, channel } = this.#options;
    return (
      state.one<{ count: number }>(
        "select count(*) as count from deliveries where channel = ? and status = 'held'",
        channel,
      )?.count ?? 0
    );
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    await this.#working;
  }

  #due(): DeliveryRow | undefined {
    if (this.#closed) return undefined;
    const { state, channel, now } = this.#options;
    return state.one<DeliveryRow>(
      "select * from deliveries where channel = ? and status = 'waiting' and due_at <= ? order by due_at, id limit 1",
      channel,
      now(),
    );
  }

  #wake(): void {
    if (this.#working || this.#closed) return;
    clearTimeout(this.#timer);
    this.#working = this.#sendAllDue().finally(() => {
      this.#working = undefined;
      this.#sleepUntilNext();
    });
  }

  #sleepUntilNext(): void {
    if (this.#closed) return;
    const { state, channel, now } = this.#options;
    const next = state.one<{ due_at: number }>(
      "select due_at from deliveries where channel = ? and status = 'waiting' order by due_at limit 1",
      channel,
    );
    if (!next) return;
    // A timer can wait at most 24 days.
    this.#timer = setTimeout(() => this.#wake(), Math.min(Math.max(next.due_at - now(), 1), 2 ** 31 - 1));
    this.#timer.unref();
  }

  async #sendAllDue(): Promise<void> {
    // Deferred, because the caller may be inside a transaction that is not committed yet.
    await Promise.resolve();
    for (let delivery = this.#due(); delivery; delivery = this.#due()) await this.#send(delivery);
  }

  async #send(delivery: DeliveryRow): Promise<void> {
    const { state, now, send, habits, retryWaits } = this.#options;
    const answer = await send(delivery);
    const wait = retryWaits[delivery.attempts];
    const again = !answer.ok && wait !== undefined && habits().retry;
    state.run(
      "update deliveries set status = ?, due_at = ?, attempts = ?, http_status = ?, outcome = ?, finished_at = ? where id = ?",
      answer.ok ? "delivered" : again ? "waiting" : "failed",
      again ? now() + wait : delivery.due_at,
      delivery.attempts + 1,
      answer.status,
      answer.text,
      now(),
      delivery.id,
    );
  }
}

/** Posts a message and returns the outcome; an unreachable address is an outcome too. Does not follow redirects. */
export async function postTo(
  url: string | undefined,
  body: string | URLSearchParams,
  headers: Record<string, string> = {},
): Promise<DeliveryAnswer> {
  return answerOf(url, { method: "POST", body, headers });
}

/** Sends a message as the query of a GET and returns the outcome, as postTo. */
export async function getFrom(url: string | undefined, query: URLSearchParams): Promise<DeliveryAnswer> {
  return answerOf(url === undefined ? undefined : `${url}?${query}`, { method: "GET" });
}

async function answerOf(url: string | undefined, init: RequestInit): Promise<DeliveryAnswer> {
  if (!url) return { ok: false, status: null, text: "No address to send to is configured." };
  try {
    const response = await fetch(url, {
      ...init,
      redirect: "manual",
      signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
    });
    return { ok: response.ok, status: response.status, text: (await response.text()).slice(0, 300) };
  } catch (error) {
    return {
      ok: false,
      status: null,
      text: error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error),
    };
  }
}
