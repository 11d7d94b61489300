import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { isInstalled } from "./install.mjs";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "farthing-install-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(path: string, content: unknown): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), JSON.stringify(content));
}

const pg = { version: "8.23.1", integrity: "sha512-one" };
const lock = (packages: object) => ({
  packages: { "": { name: "farthing" }, "packages/db": { version: "0.1.0" }, ...packages },
});

test("P1 a fresh clone has nothing installed", () => {
  write("package-lock.json", lock({ "node_modules/pg": pg }));
  expect(isInstalled(folder)).toBe(false);
});

test("P1 a second run installs nothing", () => {
  write(
    "package-lock.json",
    lock({ "node_modules/pg": pg, "node_modules/for-another-platform": { ...pg, optional: true } }),
  );
  write("node_modules/.package-lock.json", lock({ "node_modules/pg": pg }));
  write("node_modules/pg/package.json", {});
  expect(isInstalled(folder)).toBe(true);
});

test("P1 a changed lock file installs again: another version, another content, an additional package", () => {
  write("node_modules/.package-lock.json", lock({ "node_modules/pg": pg }));
  write("node_modules/pg/package.json", {});
  for (const packages of [
    { "node_modules/pg": { ...pg, version: "9.0.0" } },
    { "node_modules/pg": { ...pg, integrity: "sha512-two" } },
    { "node_modules/pg": pg, "node_modules/zod": pg },
  ]) {
    write("package-lock.json", lock(packages));
    expect(isInstalled(folder)).toBe(false);
  }
});

test("P1 an install without development packages (NODE_ENV=production) is completed", () => {
  write("package-lock.json", lock({ "node_modules/pg": pg, "node_modules/vite": { ...pg, dev: true } }));
  write("node_modules/.package-lock.json", lock({ "node_modules/pg": pg }));
  write("node_modules/pg/package.json", {});
  expect(isInstalled(folder)).toBe(false);
});
