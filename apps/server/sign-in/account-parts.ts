import type { Db } from "@farthing/db/client.ts";
import type { deviceCookie } from "./device-cookie.ts";
import type { PasswordHashing } from "./password-hashing.ts";
import type { SessionCookie } from "./session-cookie.ts";

/** What the parts of the accounts share. */
export interface AccountParts {
  db: Db;
  /** Signs cookies and challenges, keys the counts of tries. */
  key: string;
  /** Encrypt what has to be read again (secrets of second factors): the first for new ones, the others for old ones. */
  secretKeys: readonly [string, ...string[]];
  cookie: SessionCookie;
  device: ReturnType<typeof deviceCookie>;
  hashing: PasswordHashing;
  now(): Date;
}
