// npm run due-work
import { commandLine } from "../command-line.ts";
import { readConfig } from "../env.ts";
import { runCommand, withDatabase } from "../process/run-command.ts";
import { describeDueWork } from "./describe-due-work.ts";

const usage = `${commandLine("due-work")}

Lists each queue of background work: how much is to be done, and the work that was given up, with its last error.`;

await runCommand(run);

async function run(words: string[]): Promise<void> {
  if (words.length > 0) return console.log(usage);
  await withDatabase(readConfig(), async ({ db }) => {
    for (const line of await describeDueWork(db)) console.log(line);
  });
}
