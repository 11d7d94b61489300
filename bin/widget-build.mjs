import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findNode } from "./find-node.mjs";
import { inRoot } from "./root.mjs";
import { mustRunTool } from "./run-tool.mjs";
import { hashSources } from "./site-build.mjs";
import { step } from "./step.mjs";

const WIDGET = inRoot("packages/widget");
/** Lies inside the build, so that whoever deletes the build deletes the stamp with it; building does. */
const STAMP = join(WIDGET, "dist/.sources");

/** What the built widget is made of; besides, the addresses of a deployment that has its own. */
const SOURCES = ["packages/widget", "package-lock.json", "tsconfig.base.json"];
const ENVIRONMENTS = "FARTHING_WIDGET_ENVIRONMENTS";

/** Builds the widget that the server hands to partners' pages, unless the build that is there comes from these very sources. */
export async function ensureWidgetBuilt() {
  const file = process.env[ENVIRONMENTS];
  const wanted = hashSources(SOURCES) + (file ? readFileSync(file, "utf8") : "");
  if (existsSync(STAMP) && readFileSync(STAMP, "utf8") === wanted) return;
  await step("Building the widget", async () => {
    await mustRunTool("The widget could not be built", findNode(), ["build.ts"], { cwd: WIDGET });
    writeFileSync(STAMP, wanted);
  });
}
