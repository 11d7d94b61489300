import { StartError } from "../process/start-error.ts";
import { within } from "./within.ts";

export interface ReadinessReport {
  ready: boolean;
  checks: { accepting: boolean; database: boolean };
  /** Sentences for the operator: what is missing, or why the database can't be used. Absent if there are none. */
  notes?: string[];
}

/**
 * Whether a load balancer should send requests here (/readyz): the process has started, is not shutting down, and the
 * database answers. Liveness (/healthz) is separate: an unavailable database must not get the process restarted.
 */
export class Readiness {
  #accepting = false;
  readonly #database: () => Promise<readonly string[] | void>;
  readonly #timeoutMs: number;

  /**
   * `database` resolves with notes for the operator if the database can be used; the message of a StartError becomes a
   * note too.
   */
  constructor(database: () => Promise<readonly string[] | void>, { timeoutMs = 2_000 } = {}) {
    this.#database = database;
    this.#timeoutMs = timeoutMs;
  }

  get accepting(): boolean {
    return this.#accepting;
  }

  open(): void {
    this.#accepting = true;
  }

  close(): void {
    this.#accepting = false;
  }

  async report(): Promise<ReadinessReport> {
    const { fit, notes } = await this.#askDatabase();
    const checks = { accepting: this.#accepting, database: fit };
    return { ready: this.#accepting && fit, checks, ...(notes.length > 0 ? { notes: [...notes] } : {}) };
  }

  async #askDatabase(): Promise<{ fit: boolean; notes: readonly string[] }> {
    const answer = this.#database().then(
      (notes) => ({ fit: true, notes: notes ?? [] }),
      // This report is where the failure is told.
      (error: unknown) => ({ fit: false, notes: error instanceof StartError ? [error.message] : [] }),
    );
    return (await within(this.#timeoutMs, answer)) ?? { fit: false, notes: [] };
  }
}
