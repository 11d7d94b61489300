import { StartError } from "../process/start-error.ts";

export interface ReadinessReport {
  ready: boolean;
  checks: { accepting: boolean; database: boolean };
  /** Sentences for the operator: what is missing, or why the database can't be worked with. Left out where there is nothing to say. */
  notes?: string[];
}

/**
 * Whether a load balancer should send requests here (/readyz): started up, not shutting down, and the database answers. Whether the process
 * lives (/healthz) is another question: a database that is away must not get it restarted.
 */
export class Readiness {
  #accepting = false;
  readonly #database: () => Promise<readonly string[] | void>;
  readonly #patienceMs: number;

  /** `database` resolves with notes for the operator if the database can be worked with; the message of a StartError is one too. */
  constructor(database: () => Promise<readonly string[] | void>, { patienceMs = 2_000 } = {}) {
    this.#database = database;
    this.#patienceMs = patienceMs;
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
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise<{ fit: boolean; notes: readonly string[] }>((resolve) => {
      timer = setTimeout(() => resolve({ fit: false, notes: [] }), this.#patienceMs);
    });
    const answer = this.#database().then(
      (notes) => ({ fit: true, notes: notes ?? [] }),
      // The report is the place where this failure is told.
      (error: unknown) => ({ fit: false, notes: error instanceof StartError ? [error.message] : [] }),
    );
    return Promise.race([answer, patience]).finally(() => clearTimeout(timer));
  }
}
