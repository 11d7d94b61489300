import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import packageJson from "../../../package.json" with { type: "json" };

const program = "/usr/bin/systemd-analyze";
const units = new URL("../../../deploy/systemd/", import.meta.url);
const names = readdirSync(units);
const read = (name: string) => readFileSync(new URL(name, units), "utf8");
const folder = mkdtempSync(join(tmpdir(), "farthing-units-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Copies the units with a stand-in for the program, which is not installed here. */
function copied(): string[] {
  const standIn = join(folder, "farthing");
  writeFileSync(standIn, "#!/bin/sh\n");
  chmodSync(standIn, 0o755);
  mkdirSync(join(folder, "units"), { recursive: true });
  return names.map((name) => {
    const file = join(folder, "units", name.replace("@.", "@3000."));
    writeFileSync(file, read(name).replaceAll("/opt/farthing/bin/farthing", standIn));
    return file;
  });
}

describe("deploy/systemd", () => {
  test("R1 systemd accepts the units", (context) => {
    if (!existsSync(program)) return context.skip("systemd is not installed here");
    for (const file of copied()) {
      const { stdout, stderr } = spawnSync(program, ["verify", file], { encoding: "utf8" });
      const said = `${stdout}${stderr}`.split("\n");
      expect(said.filter((line) => line.includes(folder) || line.includes("farthing"))).toEqual([]);
    }
  });

  test("S1 the services are exposed as little as systemd can make them: below 2 of 10", (context) => {
    if (!existsSync(program)) return context.skip("systemd is not installed here");
    for (const file of copied().filter((unit) => unit.endsWith(".service"))) {
      const { stdout, stderr } = spawnSync(program, ["security", "--offline=true", "--threshold=20", file], {
        encoding: "utf8",
      });
      expect(Number(/Overall exposure level for \S+: ([\d.]+)/.exec(stdout)?.[1] ?? 10), stdout + stderr).toBeLessThan(
        2,
      );
    }
  });

  test("P1 the units run commands that a release has, as an account of their own, with the documented settings", () => {
    for (const name of names.filter((unit) => unit.endsWith(".service"))) {
      const [, command = ""] =
        /^ExecStart=(?:\/usr\/bin\/env PORT=%i )?\/opt\/farthing\/bin\/farthing (\S+)$/m.exec(read(name)) ?? [];
      expect(Object.keys(packageJson.scripts), name).toContain(command);
      expect(read(name)).toMatch(/^User=farthing$/m);
      expect(read(name)).toMatch(/^EnvironmentFile=\/etc\/farthing\.env$/m);
    }
  });
});
