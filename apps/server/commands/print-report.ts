// npm run report -- <report> [--brand …] [--from …] [--to …] [--csv]
import { readConfig } from "../env.ts";
import { runCommand, withDatabase } from "../process/run-command.ts";
import { openSink } from "../telemetry/open-sink.ts";
import { REPORT_USAGE, ReportActionError, runReport } from "./report-actions.ts";

await runCommand(run, ReportActionError);

async function run(words: string[]): Promise<void> {
  if (words.length === 0 || words[0] === "--help") return console.log(REPORT_USAGE);
  const config = readConfig();
  await withDatabase(config, async ({ db }, closing) => {
    const clickhouse = openSink(config.telemetry.clickhouseUrl, closing);
    process.stdout.write(await runReport({ db, clickhouse, now: () => new Date() }, words));
  });
}
