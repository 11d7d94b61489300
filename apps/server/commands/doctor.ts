// npm run doctor [-- --json]
import { commandLine } from "../command-line.ts";
import { parseArgs } from "node:util";
import { describeFindings, findingsAsJson, hasFault } from "../doctor/describe-findings.ts";
import { examine } from "../doctor/examine.ts";
import { openDoctor } from "../doctor/open-doctor.ts";
import { readVariables } from "../env.ts";

const USAGE = `${commandLine("doctor [--json]")}

Looks at the running installation with its own settings, and says what to do (docs/operations/doctor.md). It changes and sends nothing.
Exits with 0 where nothing is wrong, with 1 where something is, with 2 for an unknown option.

  --json  prints the findings as JSON; npm prints lines of its own before it unless it is told --silent`;

// A connection that hangs must not keep the process.
process.exit(await run());

async function run(): Promise<number> {
  const options = readOptions();
  if (!options || options.help) {
    (options ? console.log : console.error)(USAGE);
    return options ? 0 : 2;
  }
  const { parts, close } = await openDoctor(readVariables(), { now: () => new Date() });
  const findings = await examine(parts);
  await close();
  const lines = options.json ? [findingsAsJson(findings)] : describeFindings(findings);
  // Written before the process ends, also into a pipe.
  await new Promise((resolve) => process.stdout.write(`${lines.join("\n")}\n`, resolve));
  return hasFault(findings) ? 1 : 0;
}

function readOptions(): { json: boolean; help: boolean } | null {
  try {
    const { values } = parseArgs({
      options: { json: { type: "boolean", default: false }, help: { type: "boolean", default: false } },
    });
    return values;
  } catch {
    return null; // an unknown option; the usage lists the known ones
  }
}
