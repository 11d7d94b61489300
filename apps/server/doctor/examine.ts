import { checks, type Check } from "./checks.ts";
import { type DoctorParts, type Finding, look, wrong } from "./finding.ts";
import { valuesToHide } from "./look-at-settings.ts";

/** A finding with the name of its check. */
export interface NamedFinding extends Finding {
  check: string;
}

export interface ExamineOptions {
  /** The time that each check has, in ms. */
  limitMs?: number;
  among?: readonly Check[];
  /** Rejects or resolves when a check has had its time; tests end it themselves. */
  wait?: (ms: number) => { late: Promise<"late">; stop(): void };
}

/** The time that each check has, in ms. */
export const LIMIT_MS = 5_000;

/**
 * Runs every check and returns what they found, in their order (P6). A check that fails or takes longer than the limit is a finding
 * itself. No finding holds a secret of the settings.
 */
export async function examine(
  parts: DoctorParts,
  { limitMs = LIMIT_MS, among = checks, wait = waitFor }: ExamineOptions = {},
): Promise<NamedFinding[]> {
  const hide = hiding(parts.variables);
  // At once: together they take no longer than the slowest.
  const found = await Promise.all(
    among.map(async (check) => {
      const findings = await lookWithin(check, parts, { limitMs, wait });
      return findings.map(({ level, says, remedy }): NamedFinding => ({
        check: check.name,
        level,
        says: hide(says),
        remedy: remedy === null ? null : hide(remedy),
      }));
    }),
  );
  return found.flat();
}

async function lookWithin(
  { needs, look: lookAt }: Check,
  parts: DoctorParts,
  { limitMs, wait }: { limitMs: number; wait: NonNullable<ExamineOptions["wait"]> },
): Promise<Finding[]> {
  const { config, database } = parts;
  if (needs !== "nothing" && !config)
    return [look("Not looked at, because the settings can’t be read.", "Correct the settings first.")];
  if (needs === "database" && !database)
    return [look("Not looked at, because the database does not answer.", "Mend that first.")];
  const { late, stop } = wait(limitMs);
  try {
    // What a check needs is there, so that no check asks again.
    const looked = Promise.resolve().then(() => lookAt(parts, { config: config!, database: database! }));
    looked.catch(() => undefined); // one that fails after its time was reported already
    const findings = await Promise.race([looked, late]);
    return findings === "late"
      ? [
          wrong(
            `This took longer than ${Math.ceil(limitMs / 1000)} seconds.`,
            "Run it again; if it lasts, what it looks at hangs.",
          ),
        ]
      : findings;
  } catch (error) {
    return [
      wrong(`This could not be looked at${reasonOf(error)}.`, "Mend what the lines above it say, and run it again."),
    ];
  } finally {
    stop();
  }
}

/** The code alone: messages of databases and servers can hold rows and passwords. */
function reasonOf(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === "string" && /^[A-Z0-9_]{2,40}$/.test(code) ? ` (${code})` : "";
}

function waitFor(ms: number): { late: Promise<"late">; stop(): void } {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<"late">((resolve) => {
    timer = setTimeout(() => resolve("late"), ms);
  });
  return { late, stop: () => clearTimeout(timer) };
}

/** Returns what replaces each secret of the settings in a text: the last guard, because no check writes one. */
function hiding(variables: DoctorParts["variables"]): (text: string) => string {
  // Shorter values are words that stand in sentences by chance.
  const values = valuesToHide(variables).filter(({ length }) => length >= 6);
  return (text) => values.reduce((shown, value) => shown.replaceAll(value, "…"), text);
}
