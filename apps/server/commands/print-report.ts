// npm run report -- <report> [--brand …] [--from …] [--to …] [--csv]
import { ConfigurationError, readConfig } from "../env.ts";
import { openServerDatabase } from "../process/open-database.ts";
import type { Closing } from "../process/shutdown.ts";
import { openSink } from "../telemetry/open-sink.ts";
import { REPORT_USAGE, ReportActionError, runReport } from "./report-actions.ts";

try {
  await run(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof ConfigurationError || error instanceof ReportActionError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

async function run(words: string[]): Promise<void> {
  if (words.length === 0 || words[0] === "--help") return console.log(REPORT_USAGE);
  const config = readConfig();
  const closing: Closing[] = [];
  const { db } = await openServerDatabase(config, (line) => console.error(line), closing);
  try {
    const clickhouse = openSink(config.telemetry.clickhouseUrl, closing);
    process.stdout.write(await runReport({ db, clickhouse, now: () => new Date() }, words));
  } finally {
    for (const part of closing.reverse()) await part.close();
  }
}
