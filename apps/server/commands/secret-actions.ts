import { commandLine } from "../command-line.ts";
import { keepEarlierKeys, type KeptPurpose } from "@farthing/core/secrets/kept-keys.server.ts";
import { countKeys, type SealedColumn, type SealPurpose } from "@farthing/core/secrets/rotation.ts";
import { sealedColumns } from "@farthing/core/rotation/sealed-columns.server.ts";
import type { SecretKeys } from "@farthing/core/secrets/sealed-secret.ts";
import type { Db } from "@farthing/db/client.ts";

export const SECRET_USAGE = `${commandLine("secrets <action>")}

  status  counts what is encrypted with FARTHING_SECRET, with each of FARTHING_OLD_SECRETS, and with neither
  rotate  encrypts all of it with FARTHING_SECRET, while Farthing runs; may be repeated and interrupted
  adopt   lets Farthing start with a FARTHING_SECRET that the database does not know, because the earlier one is lost

docs/operations/secrets.md says in which order secrets are changed. Exits with 1 where something can't be read, or is left to do after "rotate".`;

/** An error that the person at the command line can fix; printed without a stack. */
export class SecretActionError extends Error {}

export interface SecretActionParts {
  db: Db;
  /** Returns the keys of a purpose, the current one first, then those of the old secrets in their order. */
  keysFor(purpose: SealPurpose): SecretKeys;
  /** Records FARTHING_SECRET as one of this database, and returns its fingerprint. */
  adopt(): Promise<string>;
  /** Prints how far an action is. */
  report(line: string): void;
  now(): Date;
}

const actions = { status, rotate, adopt } as const;

/**
 * Runs one action of `npm run secrets` from its typed words. Returns the lines to print.
 * @throws SecretActionError that says what to do
 */
export async function runSecretAction(parts: SecretActionParts, words: readonly string[]): Promise<string[]> {
  const [name, ...more] = words;
  if (more.length > 0 || name === undefined || !isAction(name)) throw new SecretActionError(SECRET_USAGE);
  return await actions[name](parts);
}

function isAction(name: string): name is keyof typeof actions {
  return Object.hasOwn(actions, name);
}

async function adopt(parts: SecretActionParts): Promise<string[]> {
  const { lines, unreadable } = await countSecrets(parts);
  return [
    `Farthing starts with the secret of the fingerprint ${await parts.adopt()} from now on.`,
    ...(unreadable === 0 ? ["It reads everything that is encrypted."] : [...lines, UNREADABLE]),
  ];
}

async function status(parts: SecretActionParts): Promise<string[]> {
  const { lines, unreadable, old } = await countSecrets(parts);
  if (unreadable > 0) throw new SecretActionError([...lines, `${UNREADABLE} Drop no old secret.`].join("\n"));
  return [
    ...lines,
    old === 0
      ? "Nothing is encrypted with an old secret."
      : `${commandLine("secrets rotate")} encrypts it with FARTHING_SECRET.`,
  ];
}

const UNREADABLE =
  "What can't be read was encrypted with a secret that is not set here, or was changed: add the secret to FARTHING_OLD_SECRETS.";

/** Counts what is encrypted with which secret. Returns a line for each column, and the sums. */
export async function countSecrets({
  db,
  keysFor,
}: Pick<SecretActionParts, "db" | "keysFor">): Promise<{ lines: string[]; unreadable: number; old: number }> {
  const lines: string[] = [];
  let [unreadableRows, oldRows] = [0, 0];
  for (const column of sealedColumns) {
    const { byKey, unreadable } = await countKeys(db, column, keysFor(column.purpose));
    const [current = 0, ...old] = byKey;
    lines.push(
      [
        `${column.what} (${column.name}): ${current} with FARTHING_SECRET`,
        ...old.map((count, index) => `${count} with old secret ${index + 1}`),
        ...(unreadable.length > 0 ? [`${unreadable.length} can't be read: ${named(unreadable)}`] : []),
      ].join(", "),
    );
    unreadableRows += unreadable.length;
    oldRows += old.reduce((sum, count) => sum + count, 0);
  }
  return { lines, unreadable: unreadableRows, old: oldRows };
}

const MAX_NAMED = 20;

function named(ids: readonly string[]): string {
  const more = ids.length - MAX_NAMED;
  return ids.slice(0, MAX_NAMED).join(", ") + (more > 0 ? ` and ${more} more` : "");
}

const KEPT: Readonly<Record<KeptPurpose, string>> = {
  "member-secrets": "members'",
  "operator-secrets": "operators'",
};

async function rotate(parts: SecretActionParts): Promise<string[]> {
  const { db, keysFor, now } = parts;
  const lines: string[] = [];
  for (const [purpose, whose] of Object.entries(KEPT) as [KeptPurpose, string][]) {
    const codes = await keepEarlierKeys(db, { purpose, keys: keysFor(purpose), now: now() });
    if (codes > 0)
      lines.push(
        `${codes} unused ${whose} recovery codes are hashed with an earlier key, which is kept, encrypted, until they are used or renewed.`,
      );
  }
  let [unreadable, left] = [0, 0];
  for (const column of sealedColumns) {
    const rotation = await rotateColumn(column, parts);
    lines.push(...rotation.lines);
    unreadable += rotation.unreadable;
    left += rotation.left;
  }
  if (unreadable > 0) throw new SecretActionError([...lines, `${UNREADABLE} Drop no old secret.`].join("\n"));
  // No process need have started with it, and once the old one is removed it is the only one that the database could know.
  await parts.adopt();
  if (left > 0)
    throw new SecretActionError(
      [...lines, "Some rows were in use: run this again. Drop no old secret yet."].join("\n"),
    );
  return [
    ...lines,
    "Nothing is encrypted with an old secret. docs/operations/secrets.md says when old ones can be removed from FARTHING_OLD_SECRETS.",
    "Keep them beside the backups that were made until now.",
  ];
}

async function rotateColumn(
  { name, what, purpose, rotate: run }: SealedColumn,
  { db, keysFor, report }: SecretActionParts,
): Promise<{ lines: string[]; unreadable: number; left: number }> {
  const { current, left, unreadable } = await run(db, {
    keys: keysFor(purpose),
    onBatch: ({ rotated, of }) => report(`${what}: ${rotated} of ${of} encrypted again`),
  });
  const lines = [`${what} (${name}): ${current} with FARTHING_SECRET${left > 0 ? `, ${left} left` : ""}`];
  for (const [id, why] of [...unreadable].slice(0, MAX_NAMED)) lines.push(`  ${id}: ${why}`);
  if (unreadable.size > MAX_NAMED) lines.push(`  and ${unreadable.size - MAX_NAMED} more`);
  return { lines, unreadable: unreadable.size, left };
}
