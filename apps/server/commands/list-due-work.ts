// npm run due-work
import { commandLine } from "../command-line.ts";
import { ConfigurationError, readConfig } from "../env.ts";
import { openServerDatabase } from "../process/open-database.ts";
import type { Closing } from "../process/shutdown.ts";
import { describeDueWork } from "./describe-due-work.ts";

const usage = `${commandLine("due-work")}

Lists each queue of background work: how much is to be done, and the work that was given up, with its last error.`;

try {
  await run(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof ConfigurationError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

async function run(words: string[]): Promise<void> {
  if (words.length > 0) return console.log(usage);
  const closing: Closing[] = [];
  const { db } = await openServerDatabase(readConfig(), (line) => console.error(line), closing);
  try {
    for (const line of await describeDueWork(db)) console.log(line);
  } finally {
    for (const part of closing.reverse()) await part.close();
  }
}
