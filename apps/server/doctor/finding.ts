import type { Db } from "@farthing/db/client.ts";
import type { UnreachableServerError } from "@farthing/db/embedded.ts";
import type { Config } from "../env.ts";

/** `ok`: nothing to do; `look`: advice, or something that a person should look at; `wrong`: the installation is not sound. */
export type Level = "ok" | "look" | "wrong";

/** What a check found, for operators. It holds no secret, no name of a member and no text of another program. */
export interface Finding {
  level: Level;
  /** One sentence. */
  says: string;
  /** What to do; null where there is nothing to do. */
  remedy: string | null;
}

export const ok = (says: string): Finding => ({ level: "ok", says, remedy: null });
export const look = (says: string, remedy: string): Finding => ({ level: "look", says, remedy });
export const wrong = (says: string, remedy: string): Finding => ({ level: "wrong", says, remedy });

/** Returns `1 host` or `2 hosts`. */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;

/** The names, the first five of many. */
export function listed(names: readonly string[]): string {
  const more = names.length - 5;
  return names.slice(0, 5).join(", ") + (more > 0 ? ` and ${more} more` : "");
}

/** Returns `2026-11-20 12:00 UTC`. */
export function dayAndTime(at: Date): string {
  return `${at.toISOString().slice(0, 16).replace("T", " ")} UTC`;
}

/** A database that answers. */
export interface FoundDatabase {
  db: Db;
  url: string;
  /** The folder of the embedded server; null: DATABASE_URL names another. */
  embeddedFolder: string | null;
}

/** What checks look at. */
export interface DoctorParts {
  /** As they are set, empty ones left out. */
  variables: Readonly<Record<string, string>>;
  /** Null: the settings can't be read. */
  config: Config | null;
  /** Null: no database answers. */
  database: FoundDatabase | null;
  /** Why the embedded database, which runs, can't be reached; absent: it can, or does not run. */
  unreachable?: Pick<UnreachableServerError, "says" | "remedy">;
  now(): Date;
}
