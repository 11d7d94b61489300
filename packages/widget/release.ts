import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { resolve } from "node:path";
import { keepRelease, newestInChangelog, RELEASES, writeVersion } from "./releases.ts";

// npm run widget:release: releases the version at the top of packages/widget/CHANGELOG.md. Writes that version wherever it is named, builds the
// package without a deployment's environments, and keeps the files that the server serves in packages/widget/releases/<version>/. Commit the
// result. Running it again changes nothing; a version that was released with other files is refused.

const root = resolve(import.meta.dirname, "../..");
const version = newestInChangelog(readFileSync(`${import.meta.dirname}/CHANGELOG.md`, "utf8"));
const { packages } = JSON.parse(readFileSync(`${root}/package-lock.json`, "utf8")) as {
  packages: Record<string, { resolved?: string; link?: boolean }>;
};
const workspaces = Object.values(packages).flatMap(({ link, resolved }) => (link && resolved ? [resolved] : []));
writeVersion(root, version, workspaces);

const build = mkdtempSync(`${tmpdir()}/widget-release-`);
try {
  const { FARTHING_WIDGET_ENVIRONMENTS: _, ...env } = process.env;
  execFileSync(process.execPath, [`${import.meta.dirname}/build.ts`, build], { stdio: "inherit", env });
  const kept = keepRelease(root, { version, build });
  const folder = `${RELEASES}/${version}`;
  console.log(
    kept === "kept"
      ? `Released ${version}: commit ${folder} and the changed versions.`
      : `${folder} is the same as this build.`,
  );
} finally {
  rmSync(build, { recursive: true });
}
