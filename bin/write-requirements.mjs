// npm run requirements: updates the links to tests in docs/requirements.md from the names of the tests.
import { writeFileSync } from "node:fs";
import { requirementsFile, requirementsWithTests } from "./requirements.mjs";
import { command, tell } from "./step.mjs";

await command(async () => {
  writeFileSync(requirementsFile, requirementsWithTests());
  tell(`Updated ${requirementsFile}`);
  return 0;
});
