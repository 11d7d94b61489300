import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findNode } from "./find-node.mjs";
import { inRoot } from "./root.mjs";
import { mustRunTool } from "./run-tool.mjs";
import { hashSources } from "./site-build.mjs";
import { step } from "./step.mjs";

const WIDGET = inRoot("packages/widget");
/** Inside the build, so that deleting or rebuilding it deletes the stamp too. */
const STAMP = join(WIDGET, "dist/.sources");

/** The sources of the built widget. A deployment's own environments are another source. */
const SOURCES = ["packages/widget", "package-lock.json", "tsconfig.base.json"];
const ENVIRONMENTS = "FARTHING_WIDGET_ENVIRONMENTS";

/** Builds the widget that the server serves to partners' pages, unless the build matches the sources. */
export async function ensureWidgetBuilt() {
  const file = process.env[ENVIRONMENTS];
  const wanted = hashSources(SOURCES) + (file ? readFileSync(file, "utf8") : "");
  if (existsSync(STAMP) && readFileSync(STAMP, "utf8") === wanted) return;
  await step("Building the widget", async () => {
    await mustRunTool("The widget could not be built", findNode(), ["build.ts"], { cwd: WIDGET });
    writeFileSync(STAMP, wanted);
  });
}
