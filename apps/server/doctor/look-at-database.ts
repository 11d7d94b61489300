import { compareMigrations } from "@farthing/db/migrate.ts";
import { sql } from "kysely";
import { MAX_LISTENERS } from "../process/open-database.ts";
import { type DoctorParts, type Finding, type FoundDatabase, counted, listed, look, ok, wrong } from "./finding.ts";

/** Says whether the database answers, in words without its password. */
export function lookAtReach({ config, database, unreachable }: DoctorParts): Finding[] {
  if (unreachable) return [wrong(unreachable.says, unreachable.remedy)];
  if (database?.embeddedFolder != null) {
    const says = "The embedded database answers.";
    return config?.environment === "production"
      ? [look(says, "Production wants a server of its own: set DATABASE_URL (docs/operations/running.md).")]
      : [ok(says)];
  }
  if (database) return [ok("The database answers.")];
  return [
    config?.databaseUrl === null
      ? wrong("The embedded database does not run.", "Start Farthing, then run this again: it starts nothing itself.")
      : wrong(
          `The database at ${new URL(config?.databaseUrl ?? "").host} does not answer, or refuses the user.`,
          "Start the server, or correct DATABASE_URL.",
        ),
  ];
}

/** Skew in ms that NTP never leaves. */
export const MAX_SKEW_MS = 2_000;
/** Skew in ms from which codes from phones are refused (docs/operations/running.md). */
export const REFUSING_SKEW_MS = 30_000;

/** Compares this machine's clock with the database's, at the middle of the question. */
export async function lookAtClock({ db }: FoundDatabase, now: () => Date): Promise<Finding[]> {
  const asked = now().getTime();
  const { rows } = await sql<{ at: Date }>`select clock_timestamp() as at`.execute(db);
  const answered = now().getTime();
  const skewMs = Math.abs((asked + answered) / 2 - (rows[0]?.at.getTime() ?? 0));
  return [clockFinding({ skewMs, waitedMs: answered - asked })];
}

/** Returns what a difference of clocks means; a slow answer leaves half its time unknown. Pure. */
export function clockFinding({ skewMs, waitedMs }: { skewMs: number; waitedMs: number }): Finding {
  const certainMs = skewMs - waitedMs / 2;
  const remedy = "Set both by NTP: links, offers and codes go by them.";
  const says = `This machine’s clock and the database’s differ by ${Math.round(skewMs / 1000)} seconds.`;
  if (certainMs >= REFUSING_SKEW_MS) return wrong(says, remedy);
  if (certainMs > MAX_SKEW_MS) return look(says, remedy);
  return ok("This machine’s clock and the database’s agree.");
}

/** What PostgreSQL says of itself. */
export interface DatabaseSettings {
  versionNumber: number;
  fsync: string;
  fullPageWrites: string;
  synchronousCommit: string;
  maxConnections: number;
  reservedConnections: number;
  usedConnections: number;
  encoding: string;
  timeZone: string;
  isSuperuser: boolean;
  /** Milliseconds; 0: none. */
  statementTimeout: number;
  idleTimeout: number;
}

/** Reads and judges the settings of the database. */
export async function lookAtDatabaseSettings(
  { db, embeddedFolder }: FoundDatabase,
  poolSize: number,
): Promise<Finding[]> {
  const { rows } = await sql<DatabaseSettings>`
    select current_setting('server_version_num')::int as "versionNumber", current_setting('fsync') as fsync,
      current_setting('full_page_writes') as "fullPageWrites", current_setting('synchronous_commit') as "synchronousCommit",
      current_setting('max_connections')::int as "maxConnections",
      current_setting('superuser_reserved_connections')::int as "reservedConnections",
      (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as "usedConnections",
      current_setting('server_encoding') as encoding, current_setting('TimeZone') as "timeZone",
      (select rolsuper from pg_roles where rolname = current_user) as "isSuperuser",
      (select setting::int from pg_settings where name = 'statement_timeout') as "statementTimeout",
      (select setting::int from pg_settings where name = 'idle_in_transaction_session_timeout') as "idleTimeout"`.execute(
    db,
  );
  return rows[0] ? databaseSettingsFindings(rows[0], { poolSize, isEmbedded: embeddedFolder !== null }) : [];
}

/** Statements of imports, migrations and the check of the books may take so long, in ms. */
const LONG_STATEMENT_MS = 600_000;
const LONG_TRANSACTION_MS = 60_000;

/** Returns what the database's settings mean. Pure. */
export function databaseSettingsFindings(
  settings: DatabaseSettings,
  { poolSize, isEmbedded }: { poolSize: number; isEmbedded: boolean },
): Finding[] {
  const findings: Finding[] = [];
  const major = Math.floor(settings.versionNumber / 10_000);
  if (major < 15) findings.push(wrong(`PostgreSQL ${major} is too old.`, "Upgrade the server to PostgreSQL 15 to 18."));
  if (major > 18)
    findings.push(look(`PostgreSQL ${major} is newer than what Farthing is tested with.`, "Use PostgreSQL 15 to 18."));
  const loses = "Turn it on: after a power cut, acknowledged clicks and money would be missing or the data broken.";
  if (settings.fsync !== "on") findings.push(wrong("The database’s fsync is off.", loses));
  if (settings.fullPageWrites !== "on") findings.push(wrong("The database’s full_page_writes is off.", loses));
  if (settings.synchronousCommit === "off") findings.push(wrong("The database’s synchronous_commit is off.", loses));
  findings.push(...connectionFindings(settings, poolSize));
  if (settings.encoding !== "UTF8")
    findings.push(
      wrong(
        `The database’s encoding is ${settings.encoding}.`,
        "Dump it, create one with encoding UTF8, and restore: names with other letters can’t be stored.",
      ),
    );
  if (!/^(UTC|GMT|Etc\/(UTC|GMT|UCT|Zulu)|Europe\/London)$/i.test(settings.timeZone))
    findings.push(
      look(
        `The database’s time zone is ${settings.timeZone}.`,
        "Set timezone to UTC: Farthing works with any, but what people read in psql and dumps is another day.",
      ),
    );
  if (settings.isSuperuser && !isEmbedded)
    findings.push(
      look(
        "The role in DATABASE_URL is a superuser.",
        "Make it the owner of the database without superuser: a fault in Farthing must not reach the whole server.",
      ),
    );
  if (settings.statementTimeout > 0 && settings.statementTimeout < LONG_STATEMENT_MS)
    findings.push(
      look(
        `The database ends statements after ${counted(Math.ceil(settings.statementTimeout / 1000), "second")}.`,
        "Set statement_timeout of this role to 0 or at least 10 minutes: imports, migrations and the check of the books need it.",
      ),
    );
  if (settings.idleTimeout > 0 && settings.idleTimeout < LONG_TRANSACTION_MS)
    findings.push(
      look(
        `The database ends idle transactions after ${counted(Math.ceil(settings.idleTimeout / 1000), "second")}.`,
        "Set idle_in_transaction_session_timeout of this role to 0 or at least a minute.",
      ),
    );
  return findings.length > 0 ? findings : [ok(`PostgreSQL ${major} is set up as Farthing needs it.`)];
}

function connectionFindings(
  { maxConnections, reservedConnections, usedConnections }: DatabaseSettings,
  poolSize: number,
): Finding[] {
  const usable = maxConnections - reservedConnections;
  // More than the pool: those that listen. That of the migrations is closed before they are opened.
  const processes = Math.floor(usable / (poolSize + MAX_LISTENERS));
  if (processes < 2)
    return [
      wrong(
        `The database’s ${counted(usable, "connection")} are not enough for two processes with DATABASE_POOL_SIZE ${poolSize}.`,
        "Raise max_connections or lower DATABASE_POOL_SIZE: a rolling restart needs two processes.",
      ),
    ];
  if (usedConnections * 10 >= usable * 8)
    return [
      look(
        `${usedConnections} of the database’s ${counted(usable, "connection")} are in use.`,
        "Raise max_connections, lower DATABASE_POOL_SIZE, or stop processes that nobody needs.",
      ),
    ];
  return [];
}

/** Replicas as the primary sees them. */
export interface Replication {
  isStandby: boolean;
  /** Seconds that each standby is behind; null: the role may not see it. */
  lagSeconds: (number | null)[];
  /** Slots that keep write-ahead log for nobody. */
  idleSlots: number;
}

/** Reads and judges the database's standbys. */
export async function lookAtReplication({ db, embeddedFolder }: FoundDatabase): Promise<Finding[]> {
  if (embeddedFolder !== null) return [ok("The embedded database has no standby.")];
  const { rows } = await sql<Replication>`
    select pg_is_in_recovery() as "isStandby",
      (select count(*)::int from pg_replication_slots where not active) as "idleSlots",
      array(select case when state is not null then coalesce(extract(epoch from replay_lag), 0)::float8 end
        from pg_stat_replication where coalesce(state, '') <> 'backup') as "lagSeconds"`.execute(db);
  return rows[0] ? replicationFindings(rows[0]) : [];
}

const LATE_SECONDS = 30;
const LOST_SECONDS = 300;

/** Returns what replication means. Pure. */
export function replicationFindings({ isStandby, lagSeconds, idleSlots }: Replication): Finding[] {
  if (isStandby)
    return [
      wrong("DATABASE_URL names a standby, which can’t be written to.", "Name the primary, or promote this server."),
    ];
  const findings: Finding[] = [];
  if (idleSlots > 0)
    findings.push(
      look(
        `${counted(idleSlots, "replication slot")} without a reader ${idleSlots === 1 ? "keeps" : "keep"} write-ahead log until the disk is full.`,
        "Start its standby again, or drop the slot.",
      ),
    );
  const known = lagSeconds.filter((lag) => lag !== null);
  const worst = Math.max(0, ...known);
  const says = `A standby is ${Math.round(worst)} seconds behind.`;
  if (lagSeconds.length === 0)
    findings.push(
      look(
        "The database has no standby.",
        "Set one up, so that the loss of a machine is minutes of work and not a day.",
      ),
    );
  else if (known.length < lagSeconds.length)
    findings.push(
      look(
        "The role in DATABASE_URL may not see how far the standbys are.",
        "Grant it pg_monitor, or watch them elsewhere.",
      ),
    );
  else if (worst >= LOST_SECONDS) findings.push(wrong(says, "Look at its log and at the network between."));
  else if (worst >= LATE_SECONDS) findings.push(look(says, "Look at its log if this lasts."));
  else
    findings.push(
      ok(
        `${lagSeconds.length === 1 ? "The standby is" : `All ${lagSeconds.length} standbys are`} within ${LATE_SECONDS} seconds.`,
      ),
    );
  return findings;
}

/** Compares the migrations of the database with those of this version. */
export async function lookAtMigrations({ url }: FoundDatabase, compare = compareMigrations): Promise<Finding[]> {
  const state = await compare(url).catch((error: unknown) => {
    // Its words are about files of ours. Errors of the connection have a code.
    if (error instanceof Error && !("code" in error)) return error.message;
    throw error;
  });
  if (typeof state === "string")
    return [wrong(state, "A process of this version does not start on this database (docs/operations/upgrading.md).")];
  const { pending, newer, filling } = state;
  const findings: Finding[] = [];
  if (pending.length > 0)
    findings.push(
      look(`Not applied yet, of this version: ${listed(pending)}.`, "The next start of a process applies them."),
    );
  if (newer.length > 0)
    findings.push(
      look(
        `A newer version has migrated this database: ${listed(newer)}.`,
        "Finish the upgrade: this version runs on it too.",
      ),
    );
  for (const { name, rowsSeen } of filling)
    findings.push(
      look(
        `The backfill ${name} is not finished: ${counted(rowsSeen, "row")} so far.`,
        "Keep a process with the role worker running: it fills in the rest.",
      ),
    );
  return findings.length > 0 ? findings : [ok("Every migration of this version is applied.")];
}
