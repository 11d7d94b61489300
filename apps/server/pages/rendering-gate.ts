import { countedAddress } from "@farthing/core/sign-in/counted-address.ts";
import { type Allowances, createAllowances } from "./allowances.ts";

export interface RenderingGateOptions {
  /**
   * Maximum number of renderings for strangers at a time. Rendering is bound by the processor: more at a time slow down
   * each other and members' pages.
   */
  concurrent?: number;
  /** Maximum number of renderings that wait, of all addresses. */
  waiting?: number;
  /** Maximum number of renderings that wait, of one address. */
  waitingEach?: number;
  /** A rendering that has waited this long is refused. */
  maxWaitMs?: number;
  /** Members' pages go first, but delay a stranger's by no more than this. */
  membersFirstMs?: number;
  /** Renderings that one address may start at once, and how many are added each second. */
  burst?: number;
  perSecond?: number;
  /** Monotonic, in milliseconds. */
  now?: () => number;
  onRefused?(reason: RefusedReason): void;
}

export type RefusedReason = "address" | "queue";

/**
 * A page is not rendered for a stranger now. `address`: too many requests from their address (429); `queue`: too many
 * renderings are waiting (503).
 */
export class RenderingRefusedError extends Error {
  readonly reason: RefusedReason;
  readonly retryAfterSeconds: number;

  constructor(reason: RefusedReason, retryAfterSeconds: number) {
    super(
      reason === "address" ? "This address requests too many pages." : "Too many pages are waiting to be rendered.",
    );
    this.name = "RenderingRefusedError";
    this.reason = reason;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

interface Waiting {
  start(): void;
  since: number;
}

/**
 * Schedules renderings for strangers, that is visitors without a session. A request costs them nothing and the server
 * milliseconds of its one thread: without a bound a few dozen requests a second for uncached addresses would take the
 * site from its members. Each address has an allowance and a queue of its own, and the queues take turns.
 */
export class RenderingGate {
  readonly #options: Required<RenderingGateOptions>;
  readonly #allowances: Allowances;
  /** Queues by address, in the order of their turns; none is empty. */
  readonly #queues = new Map<string, Waiting[]>();
  #waiting = 0;
  #running = 0;
  #members = 0;
  #timer: NodeJS.Timeout | null = null;

  constructor(options: RenderingGateOptions = {}) {
    this.#options = {
      concurrent: 2,
      waiting: 128,
      waitingEach: 16,
      maxWaitMs: 10_000,
      membersFirstMs: 250,
      burst: 60,
      perSecond: 10,
      now: () => performance.now(),
      onRefused: () => {},
      ...options,
    };
    this.#allowances = createAllowances(this.#options);
  }

  /** Renderings running and waiting: at most the two bounds together. */
  get size(): number {
    return this.#running + this.#waiting;
  }

  /** Takes one rendering from an address's allowance. Returns false if it is spent. */
  spend(address: string): boolean {
    return this.#allowances.take(address) === 0;
  }

  /** Takes one rendering from an address's allowance. @throws RenderingRefusedError if it is spent. */
  charge(address: string): void {
    const seconds = this.#allowances.take(address);
    if (seconds > 0) throw this.#refusal("address", seconds);
  }

  /**
   * Renders when its turn comes. Does not charge the allowance: the caller decides who pays for a rendering that
   * many share.
   * @throws RenderingRefusedError if the queue is full, or its turn does not come in time.
   */
  async run<Result>(address: string, render: () => Promise<Result>): Promise<Result> {
    await this.#turn(countedAddress(address));
    try {
      return await render();
    } finally {
      this.#running -= 1;
      this.#next();
    }
  }

  /** Renders at once, for a member; strangers' renderings that have not started wait for it. */
  async runFirst<Result>(render: () => Promise<Result>): Promise<Result> {
    this.#members += 1;
    try {
      return await render();
    } finally {
      this.#members -= 1;
      this.#next();
    }
  }

  #refusal(reason: RefusedReason, seconds: number): RenderingRefusedError {
    this.#options.onRefused(reason);
    return new RenderingRefusedError(reason, seconds);
  }

  #turn(address: string): Promise<void> {
    const { waiting, waitingEach, now } = this.#options;
    if (this.#waiting === 0 && this.#isFree(now())) {
      this.#running += 1;
      return Promise.resolve();
    }
    const queue = this.#queues.get(address) ?? [];
    if (this.#waiting >= waiting || queue.length >= waitingEach) return Promise.reject(this.#refusal("queue", 2));
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const since = now();
    const entry: Waiting = {
      since,
      start: () => {
        clearTimeout(timer);
        this.#running += 1;
        resolve();
      },
    };
    const timer = setTimeout(() => {
      this.#leave(address, entry);
      reject(this.#refusal("queue", 5));
    }, this.#options.maxWaitMs);
    this.#queues.set(address, [...queue, entry]);
    this.#waiting += 1;
    this.#next();
    return promise;
  }

  #isFree(waitingSince: number): boolean {
    const { concurrent, membersFirstMs, now } = this.#options;
    return this.#running < concurrent && (this.#members === 0 || now() - waitingSince >= membersFirstMs);
  }

  /**
   * Starts what may start: the oldest rendering of the address whose turn it is, which then moves to the end of
   * the line.
   */
  #next(): void {
    for (const [address, [oldest]] of this.#queues) {
      if (!oldest || !this.#isFree(oldest.since)) break;
      const others = this.#queues.get(address)!.slice(1);
      this.#queues.delete(address);
      if (others.length > 0) this.#queues.set(address, others);
      this.#waiting -= 1;
      oldest.start();
    }
    // Members keep coming: check again when the strangers have waited long enough.
    if (this.#waiting === 0 || this.#members === 0 || this.#timer) return;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.#next();
    }, this.#options.membersFirstMs);
    this.#timer.unref();
  }

  #leave(address: string, entry: Waiting): void {
    const others = (this.#queues.get(address) ?? []).filter((one) => one !== entry);
    if (others.length > 0) this.#queues.set(address, others);
    else this.#queues.delete(address);
    this.#waiting -= 1;
  }
}
