// npm run catalogue:import -- --network awin [--programmes f.json] [--promotions f.json] [--editorial f.json]
// [--full [--withdraw n]] [--dry-run]
import { commandLine } from "../command-line.ts";
import { existsSync } from "node:fs";
import { parseArgs } from "node:util";
import { importCatalogue, type ImportRequest } from "@farthing/core/catalogue-imports/import-catalogue.server.ts";
import { describeProblem } from "@farthing/core/catalogue-imports/import-problem.ts";
import { manyWithdrawn, type FileReport, type ImportResult } from "@farthing/core/catalogue-imports/import-report.ts";
import { withImportRun, type StoppedImport } from "@farthing/core/catalogue-imports/import-runs.server.ts";
import { seedNetworks } from "@farthing/core/catalogue-imports/seed-networks.server.ts";
import { fileSource } from "@farthing/core/catalogue-imports/import-source.server.ts";
import { joinTransaction } from "@farthing/core/audit/join-transaction.server.ts";
import type { Db } from "@farthing/db/client.ts";
import { indexCatalogue } from "@farthing/core/search/index-catalogue.server.ts";
import { allNetworks } from "@farthing/providers/affiliates/all-networks.ts";
import { readConfig, typedBy } from "../env.ts";
import { recorded } from "./recorded.ts";
import { runCommand, withDatabase } from "../process/run-command.ts";

const formats = allNetworks.filter(({ feed }) => feed !== null).map(({ slug }) => slug);

const USAGE = `${commandLine("catalogue:import --network awin [--programmes f.json] [--promotions f.json] [--editorial f.json] [--full [--withdraw n]] [--dry-run]")}

  --network     slug of the network whose ids the files use
  --format      whose file format programmes and promotions have, where it is not the network's own: ${formats.join(", ")}
  --programmes  the network's programmes with their commission groups
  --promotions  the network's promotions
  --editorial   the club's own file about these retailers
  --full        the promotions file is the network's whole list: offers it lacks are withdrawn
  --withdraw    how many offers --full withdraws, where they are more than 5 and more than one in ten
  --dry-run     report what would change and write nothing`;

class UsageError extends Error {}

await runCommand(run, UsageError);

async function run(): Promise<number> {
  const request = readArguments();
  return withDatabase(
    readConfig(),
    async ({ db }) => {
      // Only the networks, whose ids the files use: brands are the operator's own.
      if (!request.dryRun) await seedNetworks(db, { adapters: allNetworks });
      const started = performance.now();
      const result = await withImportRun(db, { source: namesOf(request), by: "command: catalogue:import" }, (run) =>
        importAs(typedBy(), { db, request: { ...request, progress: reportProgress(), run } }),
      );
      printResult(result);
      if (result.outcome === "refused" || result.outcome === "stopped") return 1;
      if (result.outcome === "imported") await indexCatalogue(db, { now: request.now });
      console.log(
        `${result.outcome === "checked" ? "Dry run: nothing was written" : "Done"}, ${Math.round((performance.now() - started) / 100) / 10} s`,
      );
      return 0;
    },
    console.log,
  );
}

/** Imports the files, with an entry in the log for each that changes something, as the admin writes it. A dry run writes none. */
async function importAs(by: string, { db, request }: { db: Db; request: ImportRequest }): Promise<ImportResult> {
  if (request.dryRun) return importCatalogue(db, request);
  const parts = { db, by, now: () => request.now };
  const what = (hash: string) =>
    ({
      permission: "catalogue.change",
      action: "catalogue-import.apply",
      subject: { type: "catalogue-import", idOf: () => hash },
    }) as const;
  const hasChanged = ({ created, updated, withdrawn }: FileReport) => created + updated + withdrawn > 0;
  return db.transaction().execute(async (trx) => {
    const joined = joinTransaction(trx);
    const result = await importCatalogue(joined, request);
    if (result.outcome !== "imported") return result;
    for (const { hash } of result.files.filter(hasChanged))
      await recorded({ ...parts, db: joined }, what(hash), async () => true);
    return result;
  });
}

function readArguments(): ImportRequest {
  const { values } = parsed();
  const source = (name: "programmes" | "promotions" | "editorial") => {
    const file = values[name];
    if (file === undefined) return undefined;
    if (!existsSync(file)) throw new UsageError(`There is no file ${file} (--${name}). Check the path.`);
    return fileSource(file);
  };
  const sources = {
    programmes: source("programmes"),
    promotions: source("promotions"),
    editorial: source("editorial"),
  };
  if (Object.values(sources).every((one) => one === undefined))
    throw new UsageError(`Name at least one file to import.\n\nUsage: ${USAGE}`);
  if (values.full && sources.promotions === undefined)
    throw new UsageError("--full needs a promotions file; name one with --promotions.");
  if (values.withdraw !== undefined && (!values.full || !/^\d{1,9}$/.test(values.withdraw)))
    throw new UsageError("--withdraw takes the number of offers that --full withdraws, such as --full --withdraw 812.");
  const feed = allNetworks.find(({ slug }) => slug === (values.format ?? values.network))?.feed ?? null;
  if (
    feed === null &&
    (values.format !== undefined || sources.programmes !== undefined || sources.promotions !== undefined)
  )
    throw new UsageError(
      `There is no file format "${values.format ?? values.network}". Name the files' format with --format: ${formats.join(", ")}. docs/adding-a-network.md says how to add one.`,
    );
  return {
    network: values.network,
    feed,
    now: new Date(),
    full: values.full,
    withdraw: values.withdraw === undefined ? undefined : Number(values.withdraw),
    dryRun: values["dry-run"],
    ...sources,
  };
}

function namesOf({ programmes, promotions, editorial }: ImportRequest): string {
  return [programmes, promotions, editorial].flatMap((source) => source?.name ?? []).join(", ");
}

function parsed() {
  try {
    return parseArgs({
      options: {
        network: { type: "string", default: "awin" },
        format: { type: "string" },
        programmes: { type: "string" },
        promotions: { type: "string" },
        editorial: { type: "string" },
        full: { type: "boolean", default: false },
        withdraw: { type: "string" },
        "dry-run": { type: "boolean", default: false },
      },
    });
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : String(error)}\n\nUsage: ${USAGE}`);
  }
}

/** Returns a reporter that prints at most a line a second while a long file is read. */
function reportProgress(): NonNullable<ImportRequest["progress"]> {
  let last = performance.now();
  return ({ source, stage, rows }) => {
    if (stage === "reading" && performance.now() - last < 1000) return;
    last = performance.now();
    console.log(stage === "reading" ? `  ${source}: ${rows} records read` : `  ${source}: ${rows} records, storing`);
  };
}

function printResult(result: ImportResult | StoppedImport): void {
  if (result.outcome === "stopped") {
    console.error(`Nothing was imported: ${result.by} stopped it in the admin.`);
    return;
  }
  if (result.outcome === "refused") {
    console.error(
      `Nothing was imported: ${result.problemCount} ${result.problemCount === 1 ? "problem" : "problems"}.`,
    );
    for (const problem of result.problems) console.error(`  ${describeProblem(problem)}`);
    if (result.problemCount > result.problems.length)
      console.error(`  … and ${result.problemCount - result.problems.length} more`);
    for (const { withdrawn, lacks } of result.files)
      if (lacks?.isUnconfirmed) console.error(`  ${toConfirm(withdrawn)}`);
    return;
  }
  for (const file of result.files) printFile(file, result.outcome === "checked");
}

function printFile(file: FileReport, isDryRun: boolean): void {
  const will = isDryRun ? "would be " : "";
  const unchanged = Math.max(0, file.read - file.created - file.updated);
  const withdrawn = file.withdrawn === 0 ? "" : `, ${file.withdrawn} ${will}withdrawn`;
  console.log(
    `${file.source}: ${file.read} records: ${file.created} ${will}created, ${file.updated} ${will}updated, ${unchanged} unchanged${withdrawn}`,
  );
  for (const warning of file.warnings.slice(0, 20)) console.log(`  note: ${warning}`);
  if (file.lacks?.isUnconfirmed)
    console.log(`  note: ${manyWithdrawn(file.withdrawn, file.lacks.live)}. ${toConfirm(file.withdrawn)}`);
}

function toConfirm(withdrawn: number): string {
  return `Is the file one page, or cut short? If it is the whole list, confirm the number with --withdraw ${withdrawn}; otherwise import it without --full.`;
}
