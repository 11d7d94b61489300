import { randomBytes } from "node:crypto";
import { hash, verify } from "@node-rs/argon2";

/**
 * OWASP's first choice: argon2id (2, because the package's enum has no value at run time), 19 MiB, two passes,
 * one lane.
 */
const cost = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Thrown when too many hashes wait already. Ask the person to try again after `retryAfterSeconds`. */
export class HashingBusy extends Error {
  readonly retryAfterSeconds = 5;
  constructor() {
    super("Too many passwords are being checked at the moment. Try again in a few seconds.");
    this.name = "HashingBusy";
  }
}

// The hash of a random password, which attempts on unknown accounts are compared with. The first such attempt computes
// it and takes twice as long.
let decoyHash: Promise<string> | undefined;

/**
 * Hashes and verifies passwords with argon2id, a few at a time: a hash takes 10 ms of a core and 19 MiB, so a flood of
 * logins would otherwise take the machine from everyone else. Rejects at once when `max.waiting` callers wait.
 */
export class PasswordHashing {
  #running = 0;
  readonly #waiting: (() => void)[] = [];
  readonly #max: { running: number; waiting: number };

  constructor(max: { running: number; waiting: number } = { running: 2, waiting: 40 }) {
    this.#max = max;
  }

  /** @throws HashingBusy */
  hash(password: string): Promise<string> {
    return this.#inTurn(() => hash(normalised(password), cost));
  }

  /** Without a stored hash, does the same work and returns false. @throws HashingBusy */
  async verify(storedHash: string | null, password: string): Promise<boolean> {
    decoyHash ??= hash(randomBytes(32), cost);
    const compared = storedHash ?? (await decoyHash);
    const isRight = await this.#inTurn(() => verify(compared, normalised(password)));
    return isRight && storedHash !== null;
  }

  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running >= this.#max.running) {
      if (this.#waiting.length >= this.#max.waiting) throw new HashingBusy();
      // The one that finishes passes its place on, so the count does not change.
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

/** Different keyboards encode the same characters differently (NIST SP 800-63B, 5.1.1.2). */
function normalised(password: string): string {
  return password.normalize("NFKC");
}
