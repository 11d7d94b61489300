import { execFileSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readConfig } from "@farthing/server/env.ts";
import { environmentSchema } from "@farthing/server/environment-schema.ts";
import { expect, test } from "vitest";
import { example } from "./fenced-blocks.ts";
import { temporaryFolder } from "./run-example.testing.ts";

const document = "docs/operations/many-processes.md";
const folder = temporaryFolder();

/** Returns the variables of an example, as systemd reads the file. */
function variablesOf(file: string): Record<string, string> {
  const lines = example(document, `# /etc/farthing/${file}.env`).split("\n");
  return Object.fromEntries(
    lines
      .filter((line) => line !== "" && !line.startsWith("#"))
      .map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]),
  );
}

test.each([
  ["web", 16],
  ["collector", 4],
  ["worker", 10],
])("P3 the documented environment of a %s starts it in production, with that role alone", (role, databasePoolSize) => {
  const config = readConfig({ ...variablesOf("common"), ...variablesOf(role) });
  expect([...config.roles]).toEqual([role]);
  expect(config).toMatchObject({ environment: "production", databasePoolSize });
  expect(config.databaseUrl).not.toBe(config.databaseDirectUrl);
});

test("P3 every documented variable is one that is read", () => {
  const known = new Set(Object.keys(environmentSchema.shape));
  const named = ["common", "web", "collector", "worker"].flatMap((file) => Object.keys(variablesOf(file)));
  expect(named.filter((name) => !known.has(name))).toEqual([]);
});

test("R1 HAProxy accepts the documented configuration", (context) => {
  const program = ["/usr/sbin/haproxy", "/usr/local/sbin/haproxy"].find((file) => existsSync(file));
  if (!program) return context.skip("HAProxy is not installed here (Debian: apt-get install haproxy)");
  const file = join(folder, "haproxy.cfg");
  // The certificate of the example is the club's own.
  writeFileSync(file, example(document, "frontend visitors").replace(/bind :443 ssl crt \S+/, "bind 127.0.0.1:1"));
  const printed = execFileSync("sh", ["-c", `${program} -c -f ${file} 2>&1`], { encoding: "utf8" });
  expect(printed).toMatch(/valid/i);
});
