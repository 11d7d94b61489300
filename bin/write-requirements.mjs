// npm run requirements: writes the lines of tests in docs/requirements.md from the names of the tests.
import { writeFileSync } from "node:fs";
import { requirementsFile, requirementsWithTests } from "./requirements.mjs";
import { command, tell } from "./step.mjs";

await command(async () => {
  writeFileSync(requirementsFile, requirementsWithTests());
  tell(`Written: ${requirementsFile}`);
  return 0;
});
