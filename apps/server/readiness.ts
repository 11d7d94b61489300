export interface ReadinessReport {
  ready: boolean;
  checks: { accepting: boolean; database: boolean };
}

/**
 * Whether a load balancer should send requests here (/readyz): started up, not shutting down, and the database answers. Whether the process
 * lives (/healthz) is another question: a database that is away must not get it restarted.
 */
export class Readiness {
  #accepting = false;
  readonly #database: () => Promise<unknown>;
  readonly #patienceMs: number;

  /** `database` resolves if the database answers a trivial query. */
  constructor(database: () => Promise<unknown>, { patienceMs = 2_000 } = {}) {
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
    const database = await this.#databaseAnswers();
    return { ready: this.#accepting && database, checks: { accepting: this.#accepting, database } };
  }

  async #databaseAnswers(): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise<boolean>((resolve) => {
      timer = setTimeout(() => resolve(false), this.#patienceMs);
    });
    const answer = this.#database().then(
      () => true,
      () => false, // the report is the place where this failure is told
    );
    return Promise.race([answer, patience]).finally(() => clearTimeout(timer));
  }
}
