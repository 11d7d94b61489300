import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { manifest, root as widget } from "./build-entries.ts";
import {
  compareVersions,
  differingFiles,
  keepRelease,
  newestInChangelog,
  RELEASES,
  releasedVersions,
  writeVersion,
} from "./releases.ts";

const root = join(widget, "../..");
const folder = mkdtempSync(`${tmpdir()}/widget-releases-`);
afterAll(() => rmSync(folder, { recursive: true }));
const readJson = (path: string) => JSON.parse(readFileSync(path, "utf8")) as Record<string, unknown>;

describe("W1 the widget's releases", () => {
  test("W1 the package's version is unreleased and newer than every release, or its released files are the build's, byte for byte", () => {
    const released = releasedVersions(root);
    const isReleased = released.includes(manifest.version);
    const newest = [...released, manifest.version].toSorted(compareVersions).at(-1);
    expect(newest).toBe(manifest.version);
    if (isReleased) {
      const build = join(folder, "build");
      const { FARTHING_WIDGET_ENVIRONMENTS: _, ...env } = process.env;
      execFileSync(process.execPath, [`${widget}build.ts`, build], { env });
      const differing = differingFiles(join(root, RELEASES, manifest.version), build);
      expect(
        differing,
        "released files never change: put the next version at the top of CHANGELOG.md, and release it",
      ).toEqual([]);
    }
  });

  test("W1 every release has the hash and the version that it says", () => {
    for (const version of releasedVersions(root)) {
      const files = join(root, RELEASES, version);
      const script = readFileSync(join(files, "farthing-widget.js"));
      const integrity = `sha384-${createHash("sha384").update(script).digest("base64")}`;
      expect(readJson(join(files, "integrity.json"))).toMatchObject({ version, integrity });
    }
  });

  test("W1 the changelog has the package's version", () => {
    const changelog = readFileSync(`${widget}CHANGELOG.md`, "utf8");
    expect(compareVersions(manifest.version, newestInChangelog(changelog))).toBeLessThanOrEqual(0);
  });
});

describe("W1 npm run widget:release", () => {
  test("W1 takes the version at the top of the changelog, and refuses a changelog without one", () => {
    expect(newestInChangelog("# Changes\n\n## 1.10.0\n\n- x\n\n## 1.9.0\n")).toBe("1.10.0");
    expect(() => newestInChangelog("# Changes\n\n## Unreleased\n")).toThrow("needs a heading");
  });

  test("W1 sorts versions by number", () => {
    expect(["1.10.0", "2.0.0", "1.9.3", "1.9.10"].toSorted(compareVersions)).toEqual([
      "1.9.3",
      "1.9.10",
      "1.10.0",
      "2.0.0",
    ]);
  });

  test("W1 writes the version into the package, its dependants and the lock file, and touches nothing else", () => {
    const checkout = join(folder, "checkout");
    const files = {
      "widget/package.json": { name: "@farthing/widget", version: "0.1.0" },
      "site/package.json": {
        name: "@farthing/site",
        version: "0.1.0",
        dependencies: { "@farthing/widget": "0.1.0", hono: "1.0.0" },
      },
      "package-lock.json": {
        version: "0.1.0",
        packages: {
          "": { version: "0.1.0" },
          widget: { name: "@farthing/widget", version: "0.1.0" },
          site: { name: "@farthing/site", version: "0.1.0", dependencies: { "@farthing/widget": "0.1.0" } },
          "node_modules/@farthing/widget": { resolved: "widget", link: true },
          "node_modules/hono": { version: "0.1.0" },
        },
      },
    };
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(join(checkout, path, ".."), { recursive: true });
      writeFileSync(join(checkout, path), JSON.stringify(content));
    }
    writeVersion(checkout, "1.0.0", ["widget", "site"]);
    expect(readJson(join(checkout, "widget/package.json"))["version"]).toBe("1.0.0");
    expect(readJson(join(checkout, "site/package.json"))).toEqual({
      ...files["site/package.json"],
      dependencies: { "@farthing/widget": "1.0.0", hono: "1.0.0" },
    });
    const { packages } = readJson(join(checkout, "package-lock.json")) as { packages: Record<string, unknown> };
    expect(packages).toEqual({
      ...files["package-lock.json"].packages,
      widget: { name: "@farthing/widget", version: "1.0.0" },
      site: { name: "@farthing/site", version: "0.1.0", dependencies: { "@farthing/widget": "1.0.0" } },
    });
  });

  test("W1 keeps what is served and no more; a release that exists is never changed", () => {
    const checkout = join(folder, "keep");
    const build = join(folder, "keep-build");
    mkdirSync(join(build, "cjs"), { recursive: true });
    for (const name of [
      "farthing-widget.js",
      "react.js",
      "farthing-widget.css",
      "integrity.json",
      "react.d.ts",
      "README.md",
      "package.json",
      "cjs/react.js",
    ]) {
      writeFileSync(join(build, name), name);
    }
    expect(keepRelease(checkout, { version: "1.0.0", build })).toBe("kept");
    expect(releasedVersions(checkout)).toEqual(["1.0.0"]);
    const release = join(checkout, RELEASES, "1.0.0");
    expect(execFileSync("ls", [release], { encoding: "utf8" }).trim().split("\n").toSorted()).toEqual([
      "farthing-widget.css",
      "farthing-widget.js",
      "integrity.json",
      "react.js",
    ]);
    expect(keepRelease(checkout, { version: "1.0.0", build })).toBe("the same");

    writeFileSync(join(build, "react.js"), "one byte more");
    expect(() => keepRelease(checkout, { version: "1.0.0", build })).toThrow(
      /1\.0\.0 was released with other files \(react\.js\)/,
    );
    expect(readFileSync(join(release, "react.js"), "utf8")).toBe("react.js");
    writeFileSync(join(build, "extra.js"), "");
    expect(differingFiles(release, build)).toEqual(["react.js", "extra.js"]);
  });
});
