import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { installArguments, inTurn, isHeld, isInstalled } from "./install.mjs";

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

const vitest = { ...pg, dev: true };

test("P1 what serves is enough to start, and not enough to test: the tools are added beside it, and nothing is deleted first", () => {
  write("package-lock.json", lock({ "node_modules/pg": pg, "node_modules/vitest": vitest }));
  write("node_modules/.package-lock.json", lock({ "node_modules/pg": pg }));
  write("node_modules/pg/package.json", {});
  expect(isInstalled(folder, { tools: false })).toBe(true);
  expect(isInstalled(folder)).toBe(false);
  expect(installArguments(folder, {})).toEqual(["install", "--no-save", "--include=dev"]);
});

test("P1 the first start installs what serves, the first test everything", () => {
  write("package-lock.json", lock({ "node_modules/pg": pg, "node_modules/vitest": vitest }));
  expect(installArguments(folder, { tools: false })).toEqual(["ci", "--omit=dev"]);
  expect(installArguments(folder, {})).toEqual(["ci", "--include=dev"]);
});

test("P1 a start after a changed lock file keeps the tools", () => {
  write("package-lock.json", lock({ "node_modules/pg": { ...pg, version: "9.0.0" }, "node_modules/vitest": vitest }));
  write("node_modules/.package-lock.json", lock({ "node_modules/pg": pg, "node_modules/vitest": vitest }));
  for (const name of ["pg", "vitest"]) write(`node_modules/${name}/package.json`, {});
  expect(isInstalled(folder, { tools: false })).toBe(false);
  expect(installArguments(folder, { tools: false })).toEqual(["ci", "--include=dev"]);
});

test("P1 two installs at once take turns, and one that was killed holds up nobody", async () => {
  const file = join(folder, "cache", "installing");
  const order: string[] = [];
  const install = (name: string) =>
    inTurn(file, async () => {
      order.push(`${name} begins`);
      await new Promise((resolve) => setImmediate(resolve));
      order.push(`${name} ends`);
    });
  await Promise.all([install("one"), install("two")]);
  expect(order).toEqual(["one begins", "one ends", "two begins", "two ends"]);
  // No process has this id: the highest that Linux gives is 4,194,304.
  writeFileSync(file, "99999999");
  await install("three");
  await expect(inTurn(file, () => Promise.reject(new Error("npm failed")))).rejects.toThrow("npm failed");
  await install("four");
  expect(order.slice(4)).toEqual(["three begins", "three ends", "four begins", "four ends"]);
});

test("P1 a turn that an earlier process left holds up nobody, whoever has its id now", async () => {
  const file = join(folder, "installing");
  // Ids repeat, most of all in a container. Elsewhere than on Linux nothing tells another process from the one that was killed.
  const ids = process.platform === "linux" ? [process.pid, process.ppid] : [process.pid];
  for (const left of ids.flatMap((id) => [`${id}`, `${id} 1 00000000-0000-0000-0000-000000000000`])) {
    writeFileSync(file, left);
    expect(isHeld(file), left).toBe(false);
  }
  writeFileSync(file, `${process.pid}`);
  expect(await inTurn(file, async () => "installed")).toBe("installed");
});

test("P1 another process that installs has its turn until it ends, also when it is killed", async () => {
  const file = join(folder, "installing");
  const script = `import { inTurn } from ${JSON.stringify(join(import.meta.dirname, "install.mjs"))};
    await inTurn(${JSON.stringify(file)}, () => new Promise(() => { setInterval(() => {}, 1000); console.log("installs"); }));`;
  const other = spawn(process.execPath, ["--input-type=module", "-e", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    await once(other.stdout, "data");
    expect(isHeld(file)).toBe(true);
  } finally {
    other.kill("SIGKILL");
    await once(other, "exit");
  }
  expect(isHeld(file)).toBe(false);
});
