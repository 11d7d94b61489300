// npm run networks
import { commandLine } from "../command-line.ts";
import { readConfig } from "../env.ts";
import { runCommand, withDatabase } from "../process/run-command.ts";
import { describeNetworks } from "./describe-networks.ts";

const usage = `${commandLine("networks")}

Lists each affiliate network: how far its report was read, what members' browsers were found to do before clicks, and sales credited to nobody.`;

await runCommand(run);

async function run(words: string[]): Promise<void> {
  if (words.length > 0) return console.log(usage);
  await withDatabase(readConfig(), async ({ db }) => {
    for (const line of await describeNetworks(db, { now: new Date() })) console.log(line);
  });
}
