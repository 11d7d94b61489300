import { execFileSync } from "node:child_process";
import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { dirname, isAbsolute } from "node:path";
import { brandStatement, type BrandStatement } from "@farthing/core/brands/schema.ts";
import { themeNames } from "@farthing/core/brands/theme-colours.server.ts";
import { firstMemberTypes } from "@farthing/core/member-types/reference-data/seed-member-types.server.ts";
import { newOperatorSchema, type NewOperator } from "@farthing/core/operators/schema.ts";
import { openDatabase } from "@farthing/db/client.ts";
import { sql } from "kysely";
import { lookAtMail } from "../doctor/look-at-mail.ts";
import { ConfigurationError, readConfig, type Config } from "../env.ts";
import { databaseFault } from "../process/open-database.ts";
import { findSecretFault } from "../secrets/database-secret.ts";
import type { SetupOptions } from "./setup-options.ts";
import { type Settings, unwritable } from "./settings-file.ts";

/** The first major version of PostgreSQL that the migrations fit. */
const FIRST_VERSION = 15;
const ANSWER_MS = 5_000;

/** The account that owns the file and runs the server; null: the one of this process. */
export type Account = { uid: number; gid: number } | null;

/** Returns the account to work as, or a sentence. @param typed of `--user`; null where it was left out */
export function findAccount(typed: string | null, isRoot: boolean): { account: Account } | { problem: string } {
  const name = typed ?? (isRoot ? "farthing" : null);
  if (name === null) return { account: null };
  const id = (what: string) => Number(execFileSync("id", [what, "--", name], { encoding: "utf8", stdio: "pipe" }));
  try {
    const account = { uid: id("-u"), gid: id("-g") };
    if (!isRoot && account.uid !== process.getuid?.())
      return { problem: `--user ${name}: only root can set up for another account.` };
    return { account: isRoot ? account : null };
  } catch {
    return {
      problem: `There is no account "${name}" on this machine. Make it with: useradd --system --home-dir /var/lib/farthing --create-home --shell /usr/sbin/nologin ${name}`,
    };
  }
}

/** Returns the settings as the server reads them at its start, or every problem as a sentence (P3). */
export function readSettings(settings: Settings): { config: Config } | { problems: readonly string[] } {
  const problems = unwritable(settings);
  try {
    const config = readConfig({ ...settings });
    return problems.length > 0 ? { problems } : { config };
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return { problems: [...error.problems, ...problems] };
  }
}

/** Returns why files with bank details can't be in a folder, as a sentence; null: they can. Commands run in any folder. */
export function payoutsDirFault(folder: string): string | null {
  return isAbsolute(folder)
    ? null
    : "PAYOUTS_DIR is not a whole path, such as /var/lib/farthing/payouts: commands would write wherever they are typed.";
}

/** Returns whether the file can be written by this process, as sentences. */
export async function fileProblems(file: string): Promise<string[]> {
  const folder = dirname(file);
  try {
    await access(folder, constants.W_OK);
    return [];
  } catch {
    const exists = await stat(folder).then(
      (found) => found.isDirectory(),
      () => false,
    );
    return [
      exists
        ? `${file} can't be written by this account. Run the command as root, or name another file with --env.`
        : `The folder ${folder} does not exist. Make it, or name another file with --env.`,
    ];
  }
}

/** Connects to the database and greets the mail server, as the server would, and returns what is wrong as sentences. */
export async function reachProblems(config: Config): Promise<string[]> {
  const [database, mail] = await Promise.all([
    config.databaseUrl === null ? [] : databaseProblems(config.databaseUrl, config),
    lookAtMail(config),
  ]);
  const ofMail = mail.filter(({ level }) => level === "wrong").map(({ says, remedy }) => `${says} ${remedy}`);
  return [...database, ...ofMail];
}

async function databaseProblems(url: string, secrets: Pick<Config, "secret" | "oldSecrets">): Promise<string[]> {
  const database = openDatabase({ url, max: 1, acquireTimeoutMs: ANSWER_MS });
  try {
    const { rows } = await sql<{ version: number; creates: boolean }>`
      select current_setting('server_version_num')::int / 10000 as version,
        has_database_privilege(current_database(), 'create') and has_schema_privilege('public', 'create') as creates
      `.execute(database.db);
    const { version = 0, creates = false } = rows[0] ?? {};
    if (version < FIRST_VERSION)
      return [`DATABASE_URL names a PostgreSQL ${version}. Farthing needs ${FIRST_VERSION} or later.`];
    if (!creates)
      return [
        "The user of DATABASE_URL can't create tables. Make it the owner of the database: alter database … owner to …",
      ];
    const fault = await findSecretFault(database.db, secrets);
    return fault === null ? [] : [fault];
  } catch (error) {
    return [databaseFault(rootCause(error), { databaseUrl: url, databaseDirectUrl: null })];
  } finally {
    await database.close();
  }
}

/** A lost connection is wrapped; what the driver says is the cause. */
function rootCause(error: unknown): unknown {
  return error instanceof Error && error.cause !== undefined ? rootCause(error.cause) : error;
}

const optionOf: Partial<Record<keyof BrandStatement, string>> = {
  slug: "--brand",
  name: "--brand-name",
  audience: "--audience",
  theme: "--theme",
  supportEmail: "--support",
  hosts: "--domain",
  memberTypes: "--member-type",
};
const NEEDED = ["name", "audience", "hosts", "memberTypes"] as const;

/** Returns the statement of the first brand, with defaults, or every problem as a sentence. */
export function readBrand(
  stated: SetupOptions["brand"],
  mailFrom: string | undefined,
): { statement: BrandStatement } | { problems: string[] } {
  const filled = {
    ...stated,
    slug: stated.slug ?? slugOf(stated.name ?? ""),
    theme: stated.theme ?? themeNames[0],
    supportEmail: stated.supportEmail ?? mailFrom ?? "",
  };
  const problems = NEEDED.filter((field) => (stated[field]?.length ?? 0) === 0).map(
    (field) => `${optionOf[field]} is missing, and the first brand needs it.`,
  );
  const unknown = (stated.memberTypes ?? []).filter((type) => !firstMemberTypes.includes(type));
  for (const type of unknown)
    problems.push(`--member-type "${type}" does not exist. There are ${firstMemberTypes.join(", ")}.`);
  if (filled.theme !== undefined && !themeNames.includes(filled.theme))
    problems.push(`--theme "${filled.theme}" does not exist. There are ${themeNames.join(", ")}.`);
  const checked = brandStatement.safeParse(filled);
  if (checked.success && problems.length === 0) return { statement: checked.data };
  for (const { path, message } of checked.error?.issues ?? []) {
    const field = path[0] as keyof BrandStatement;
    const isMissing = NEEDED.some((needed) => needed === field && (stated[needed]?.length ?? 0) === 0);
    const isMade = field === "slug" && stated.slug === undefined && (stated.name ?? "") === "";
    if (!isMissing && !isMade) problems.push(`${optionOf[field] ?? field} ${message}`);
  }
  return { problems };
}

/** Returns a short name made of a name: "Village Club" → village-club. */
function slugOf(name: string): string {
  return name
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^[^a-z]+|-+$/g, "")
    .slice(0, 40);
}

/** Returns the first operator, or every problem as a sentence. */
export function readOperator(stated: SetupOptions["operator"]): { operator: NewOperator } | { problems: string[] } {
  const checked = newOperatorSchema.safeParse({ email: "", name: "", ...stated, role: "owner" });
  if (checked.success) return { operator: checked.data };
  return { problems: checked.error.issues.map(({ path, message }) => `--operator-${String(path[0])}: ${message}`) };
}
