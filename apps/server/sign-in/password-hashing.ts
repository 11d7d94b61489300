import { randomBytes } from "node:crypto";
import { hash, verify } from "@node-rs/argon2";

/** OWASP's first choice: argon2id (2; the package's enum has no value at run time), 19 MiB, two passes, one lane. */
const cost = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Thrown where so many hashes are waiting that a person would wait too long; tell them to come back in a moment. */
export class HashingBusy extends Error {
  readonly retryAfterSeconds = 5;
  constructor() {
    super("Too many passwords are being checked at the moment");
    this.name = "HashingBusy";
  }
}

// Of a password that nobody has: what a try is compared with where there is no account. Made when the first asks, by whom one login waits a little longer.
let nobodysHash: Promise<string> | undefined;

/**
 * Hashes and checks passwords with argon2id, a few at a time: a hash takes 10 ms of a core and 19 MiB, so a flood of logins would otherwise
 * take the machine away from everyone else. Beyond `mostWaiting` callers are turned away at once.
 */
export class PasswordHashing {
  #running = 0;
  readonly #waiting: (() => void)[] = [];
  readonly #most: { running: number; waiting: number };

  constructor(most: { running: number; waiting: number } = { running: 2, waiting: 40 }) {
    this.#most = most;
  }

  /** @throws HashingBusy */
  hash(password: string): Promise<string> {
    return this.#inTurn(() => hash(normalised(password), cost));
  }

  /** Without a stored hash the very same work is done, and the answer is no. @throws HashingBusy */
  async verify(storedHash: string | null, password: string): Promise<boolean> {
    nobodysHash ??= hash(randomBytes(32), cost);
    const compared = storedHash ?? (await nobodysHash);
    const isRight = await this.#inTurn(() => verify(compared, normalised(password)));
    return isRight && storedHash !== null;
  }

  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running >= this.#most.running) {
      if (this.#waiting.length >= this.#most.waiting) throw new HashingBusy();
      // Whoever ends hands its place over, so the count stays as it is.
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    } else {
      this.#running += 1;
    }
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running -= 1;
    }
  }
}

/** One spelling for the same characters typed on different keyboards (NIST SP 800-63B, 5.1.1.2). */
function normalised(password: string): string {
  return password.normalize("NFKC");
}
