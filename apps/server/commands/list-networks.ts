// npm run networks
import { commandLine } from "../command-line.ts";
import { ConfigurationError, readConfig } from "../env.ts";
import { openServerDatabase } from "../process/open-database.ts";
import type { Closing } from "../process/shutdown.ts";
import { describeNetworks } from "./describe-networks.ts";

const usage = `${commandLine("networks")}

Lists each affiliate network: how far its report was read, what members' browsers were found to do before clicks, and sales credited to nobody.`;

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
    for (const line of await describeNetworks(db, { now: new Date() })) console.log(line);
  } finally {
    for (const part of closing.reverse()) await part.close();
  }
}
