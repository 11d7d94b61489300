import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { checkPackage, Package } from "@arethetypeswrong/core";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { root } from "./build-entries.ts";

/**
 * Builds the package into a folder of its own and checks what npm would publish: publint reads the files and package.json, "Are the types wrong?"
 * resolves every entry as each kind of TypeScript project does. Prints what they find; anything at all is a failure.
 */
const folder = mkdtempSync(`${tmpdir()}/widget-package-`);
try {
  execFileSync(process.execPath, [`${root}build.ts`, folder], { stdio: "inherit" });
  const findings = [...(await lintPackage(folder)), ...(await checkTypes(folder))];
  for (const finding of findings) console.error(finding);
  if (findings.length > 0) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true });
}

/** Returns the files that npm publishes: those of `files`, and three that it always adds. */
function publishedFiles(pkgDir: string): Map<string, string> {
  const { files } = JSON.parse(readFileSync(`${pkgDir}/package.json`, "utf8")) as { files: string[] };
  const names = [...files, "package.json", "README.md", "LICENSE"];
  return new Map(names.map((name) => [name, readFileSync(`${pkgDir}/${name}`, "utf8")]));
}

async function lintPackage(pkgDir: string): Promise<string[]> {
  const { messages, pkg } = await publint({ pkgDir, pack: false, strict: true });
  return messages.map((message) => `publint: ${formatMessage(message, pkg!, { color: false }) ?? message.code}`);
}

async function checkTypes(pkgDir: string): Promise<string[]> {
  const name = "@farthing/widget";
  const files = [...publishedFiles(pkgDir)].map(([file, text]) => [`/node_modules/${name}/${file}`, text]);
  const { version } = JSON.parse(readFileSync(`${pkgDir}/package.json`, "utf8")) as { version: string };
  // The stylesheet and the manifest of custom elements have no types.
  const result = await checkPackage(new Package(Object.fromEntries(files) as Record<string, string>, name, version), {
    excludeEntrypoints: [/\.(css|json)$/],
  });
  if (!result.types) return ["attw: the package has no types"];
  return result.problems.map((problem) => `attw: ${JSON.stringify(problem)}`);
}
