import { sql } from "kysely";
import type { Db, Trx } from "@farthing/db/client.ts";
import { findTroubles, planTroubleNotices } from "../gift-cards/wallet-notices.server.ts";
import { lockImports } from "./import-lock.server.ts";
import type { ImportRun } from "./import-runs.server.ts";
import { importEditorial } from "./import-editorial.server.ts";
import { ProblemList } from "./import-problem.ts";
import { recordImports } from "./record-imports.server.ts";
import { importProgrammes } from "./import-programmes.server.ts";
import { importPromotions } from "./import-promotions.server.ts";
import type { FileReport, ImportResult, Network } from "./import-report.ts";
import type { ImportSource } from "./import-source.server.ts";
import { preferJoined } from "./prefer-joined.server.ts";
import type { FeedAdapter } from "./provider.ts";
import type { ImportProgress } from "./read-records.server.ts";

export interface ImportRequest {
  /** Slug of the network whose ids the files use. */
  network: string;
  /** How the programmes and promotions read; null where there are none. */
  feed: FeedAdapter | null;
  programmes?: ImportSource | undefined;
  promotions?: ImportSource | undefined;
  editorial?: ImportSource | undefined;
  /** Decides which offers have ended: those are never withdrawn. Notices that the import makes due are due now. */
  now: Date;
  /** The promotions file is the network's whole list: live offers that it lacks are withdrawn. */
  full?: boolean;
  /** The number of withdrawals that somebody has confirmed: a full file that withdraws more than a few, and not this many, is refused. */
  withdraw?: number | undefined;
  /** Report what would change and write nothing. */
  dryRun?: boolean;
  progress?: ImportProgress;
  /** Where operators see the import and can stop it. */
  run?: ImportRun;
}

/**
 * Imports any of a network's programmes, its promotions and the club's editorial file, in that order and in one transaction: all of it or
 * nothing. Rows are upserted by the network's own ids; unchanged rows are not rewritten. Concurrent imports take turns (advisory lock).
 * @throws TypeError when there are programmes or promotions and no `feed` to read them.
 * @throws ImportStoppedError when somebody has stopped its `run`.
 */
export async function importCatalogue(db: Db, request: ImportRequest): Promise<ImportResult> {
  const problems = new ProblemList();
  const files: FileReport[] = [];
  try {
    await inTransaction(db, request.run, async (trx) => {
      await lockImports(trx);
      const network = await findNetwork(trx, request.network);
      if (network === null) {
        problems.add({
          source: "network",
          line: null,
          index: null,
          id: null,
          field: "",
          message: `There is no network "${request.network}". Known: ${await networkSlugs(trx)}.`,
        });
        throw new RolledBack();
      }
      const before = await findTroubles(trx, sql<boolean>`product.retailer_id is not null`);
      await importFiles(trx, network, request, problems, files);
      if (request.dryRun || problems.count > 0) throw new RolledBack();
      await recordImports(trx, network.id, files);
      await planTroubleNotices(trx, { before, now: request.now });
    });
  } catch (error) {
    if (!(error instanceof RolledBack)) throw error;
  }
  if (problems.count > 0) return { outcome: "refused", files, problems: problems.kept, problemCount: problems.count };
  if (request.dryRun) return { outcome: "checked", files };
  // Refreshes the planner's statistics at once: autovacuum would do it at some later time.
  if (files.some((file) => file.created + file.updated > 0)) await sql.raw(`analyze ${CHANGED_TABLES}`).execute(db);
  return { outcome: "imported", files };
}

function inTransaction(db: Db, run: ImportRun | undefined, work: (trx: Trx) => Promise<void>): Promise<void> {
  return db.transaction().execute((trx) => (run ? run.inTransaction(trx, () => work(trx)) : work(trx)));
}

const CHANGED_TABLES =
  "categories, retailers, retailer_categories, programmes, rate_tiers, boosts, offers, offer_categories, offer_variants, offer_codes, offer_brands, brand_retailers";

/** Rolls a transaction back without an error: a dry run, or a refused file. */
class RolledBack extends Error {}

async function importFiles(
  trx: Trx,
  network: Network,
  request: ImportRequest,
  problems: ProblemList,
  files: FileReport[],
): Promise<void> {
  const progress: ImportProgress = (state) => {
    request.progress?.(state);
    request.run?.progress(state);
  };
  // Programmes first: promotions name them, and the editorial file names both. A file is read only if all before it were accepted.
  if (request.programmes !== undefined) {
    files.push(
      await importProgrammes(trx, network, feedOf(request).programmes, {
        source: request.programmes,
        problems,
        progress,
      }),
    );
  }
  if (request.promotions !== undefined && problems.count === 0) {
    files.push(
      await importPromotions(
        trx,
        network,
        feedOf(request),
        { source: request.promotions, problems, progress },
        {
          full: request.full ?? false,
          now: request.now,
          withdraw: request.withdraw ?? null,
          dryRun: request.dryRun ?? false,
        },
      ),
    );
  }
  if (request.editorial !== undefined && problems.count === 0) {
    files.push(await importEditorial(trx, network, { source: request.editorial, problems, progress }));
  }
  if (problems.count === 0) await preferJoined(trx);
}

function feedOf({ feed, network }: ImportRequest): FeedAdapter {
  if (feed === null) throw new TypeError(`Programmes and promotions of ${network} need a feed adapter.`);
  return feed;
}

async function findNetwork(trx: Trx, slug: string): Promise<Network | null> {
  const row = await trx
    .selectFrom("networks")
    .select(["id", "slug", "member_share_bp"])
    .where("slug", "=", slug)
    .executeTakeFirst();
  return row === undefined ? null : { id: row.id, slug: row.slug, memberShareBp: row.member_share_bp };
}

async function networkSlugs(trx: Trx): Promise<string> {
  const rows = await trx.selectFrom("networks").select("slug").orderBy("slug").execute();
  return (
    rows.map((row) => row.slug).join(", ") || "none; start the server once, or import without --dry-run, to add them"
  );
}
