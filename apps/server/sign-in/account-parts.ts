import type { Db } from "@farthing/db/client.ts";
import type { deviceCookie } from "./device-cookie.ts";
import type { PasswordHashing } from "./password-hashing.ts";
import type { SessionCookie } from "./session-cookie.ts";

/** The dependencies of every account flow. */
export interface AccountParts {
  db: Db;
  /** Signs cookies and challenges, and hashes the keys of attempt counters. */
  key: string;
  /**
   * Encrypt what has to be read again (secrets of second factors). The first one encrypts; the others only decrypt
   * older values.
   */
  secretKeys: readonly [string, ...string[]];
  cookie: SessionCookie;
  device: ReturnType<typeof deviceCookie>;
  hashing: PasswordHashing;
  now(): Date;
}
