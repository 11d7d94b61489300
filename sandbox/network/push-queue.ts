import type { State } from "../state/state.ts";
import { readSwitches } from "./switches.ts";

export interface PushRow {
  id: number;
  transaction_id: number | null;
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

export interface PushQueueOptions {
  state: State;
  /** Where pushes go. Without one they are kept and marked failed, with that reason. */
  url: string | undefined;
  now: () => number;
  /** Waits between tries in milliseconds; one more try than waits. */
  retryWaits?: readonly number[];
}

const answerTimeout = 10_000;

/**
 * Sends pushes one after the other, in the order they are due, in the background. They are rows first: what was not sent when
 * the process ended is sent after the next start.
 */
export class PushQueue {
  readonly #options: PushQueueOptions;
  readonly #waits: readonly number[];
  #timer: NodeJS.Timeout | undefined;
  #working: Promise<void> | undefined;
  #closed = false;

  constructor(options: PushQueueOptions) {
    this.#options = options;
    this.#waits = options.retryWaits ?? [1000, 4000, 16_000, 60_000];
    this.#wake();
  }

  /** Puts a push in line, held or delayed or doubled as the switches say. `body` is the JSON of the form field. */
  add(kind: string, body: string, transactionId: number | null): void {
    const { state, now } = this.#options;
    const switches = readSwitches(state);
    const copies = switches.sendTwice ? [kind, `${kind}, again`] : [kind];
    for (const name of copies) {
      state.run(
        "insert into pushes (transaction_id, kind, body, status, due_at, created_at) values (?, ?, ?, ?, ?, ?)",
        transactionId,
        name,
        body,
        switches.holdPushes ? "held" : "waiting",
        now() + switches.delaySeconds * 1000,
        now(),
      );
    }
    this.#wake();
  }

  /** Lets the held pushes go, oldest or newest first; gives how many there were. */
  release(order: "oldest first" | "newest first"): number {
    const { state, now } = this.#options;
    const held = state.all<{ id: number }>(
      `select id from pushes where status = 'held' order by id ${order === "newest first" ? "desc" : "asc"}`,
    );
    // A millisecond apart, because due time is what decides the order.
    held.forEach(({ id }, index) =>
      state.run("update pushes set status = 'waiting', due_at = ? where id = ?", now() - held.length + index, id),
    );
    this.#wake();
    return held.length;
  }

  /** Resolves when nothing that is due is left to send. */
  async settled(): Promise<void> {
    for (this.#wake(); this.#working || this.#due(); await this.#working) this.#wake();
  }

  /** The newest first. */
  latest(limit: number): PushRow[] {
    return this.#options.state.all<PushRow>("select * from pushes order by id desc limit ?", limit);
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    await this.#working;
  }

  #due(): PushRow | undefined {
    if (this.#closed) return undefined;
    return this.#options.state.one<PushRow>(
      "select * from pushes where status = 'waiting' and due_at <= ? order by due_at, id limit 1",
      this.#options.now(),
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
    const next = this.#options.state.one<{ due_at: number }>(
      "select due_at from pushes where status = 'waiting' order by due_at limit 1",
    );
    if (!next) return;
    this.#timer = setTimeout(() => this.#wake(), Math.max(next.due_at - this.#options.now(), 1));
    this.#timer.unref();
  }

  async #sendAllDue(): Promise<void> {
    // Not in the caller's turn: it may stand inside a transaction that is not written yet.
    await Promise.resolve();
    for (let push = this.#due(); push; push = this.#due()) await this.#send(push);
  }

  async #send(push: PushRow): Promise<void> {
    const { state, now } = this.#options;
    const answer = await this.#post(push.body);
    const attempts = push.attempts + 1;
    const wait = this.#waits[push.attempts];
    const again = !answer.ok && wait !== undefined && readSwitches(state).retryFailed;
    state.run(
      "update pushes set status = ?, due_at = ?, attempts = ?, http_status = ?, outcome = ?, finished_at = ? where id = ?",
      answer.ok ? "delivered" : again ? "waiting" : "failed",
      again ? now() + wait : push.due_at,
      attempts,
      answer.status,
      answer.text,
      now(),
      push.id,
    );
  }

  async #post(body: string): Promise<{ ok: boolean; status: number | null; text: string }> {
    const { url } = this.#options;
    if (!url) return { ok: false, status: null, text: "No address to push to is configured." };
    try {
      const response = await fetch(url, {
        method: "POST",
        redirect: "manual",
        body: new URLSearchParams({ AwinTransactionPush: body }),
        signal: AbortSignal.timeout(answerTimeout),
      });
      return { ok: response.ok, status: response.status, text: (await response.text()).slice(0, 300) };
    } catch (error) {
      const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error);
      return { ok: false, status: null, text: cause };
    }
  }
}
