// The second half of a first run: a process with the settings that were written, as the account that the server runs as. Its input is the club as JSON.
import { json } from "node:stream/consumers";
import { brandStatement } from "@farthing/core/brands/schema.ts";
import { newOperatorSchema } from "@farthing/core/operators/schema.ts";
import { z } from "zod";
import { readConfig, typedBy } from "../env.ts";
import { openServerDatabase } from "../process/open-database.ts";
import type { Closing } from "../process/shutdown.ts";
import { StartError } from "../process/start-error.ts";
import { recordSecret } from "../secrets/database-secret.ts";
import { setUpClub } from "./set-up-club.ts";

const { brand, operator } = z
  .object({ brand: brandStatement, operator: newOperatorSchema })
  .parse(await json(process.stdin));
try {
  await run();
} catch (error) {
  if (!(error instanceof StartError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

async function run(): Promise<void> {
  const closing: Closing[] = [];
  try {
    const config = readConfig();
    console.log("Bringing the database up to date ...");
    const { db } = await openServerDatabase(config, (line) => console.log(`  ${line}`), closing);
    await recordSecret(db, config);
    console.log("Making the first brand and the first operator ...");
    const made = await setUpClub(db, { brand, operator, by: typedBy(), now: new Date() });
    if (made.outcome === "refused") throw new StartError(made.problems.join("\n"));
    const origin = `${config.publicScheme}://${brand.hosts?.[0] ?? ""}`;
    const say = made.brand === "created" ? "is made, for" : "was there already, for";
    console.log(`  The brand ${brand.slug} ${say} ${origin}/`);
    if (made.operator.outcome === "known") {
      console.log(`  ${operator.email} has been an operator (${made.operator.role}) and stays as they are.`);
      return;
    }
    console.log(
      [
        `  ${operator.email} is an owner. This link to choose a password and set up codes works once, for three days:`,
        "",
        `    ${origin}${made.operator.path}`,
        "",
        "  It is mailed too, once the server runs. Whoever has it can take the account: do not pass it on.",
      ].join("\n"),
    );
  } finally {
    for (const part of closing.reverse()) await part.close();
  }
}
