import { execFile, execFileSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import type { AddressInfo } from "node:net";
import { userInfo } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { findBrandByHost } from "@farthing/core/brands/queries.server.ts";
import { openDatabase } from "@farthing/db/client.ts";
import { installedPostgres } from "@farthing/db/testing/installed-servers.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { SMTPServer } from "smtp-server";
import { afterAll, expect, test } from "vitest";
import { commandList } from "../../bin/operator-commands.mjs";
import { example, root } from "./fenced-blocks.ts";
import { temporaryFolder } from "./run-example.testing.ts";

// The commands of docs/operations/installing.md that need no root and no systemd, with what a release has: its command, its Node and our
// files. Only addresses and folders differ.

const page = "docs/operations/installing.md";
const openssl = ["/usr/bin/openssl", "/usr/local/bin/openssl"].find(existsSync);
const folder = temporaryFolder();
const programs = installedPostgres();
afterAll(() => programs?.stop());
const { url: embeddedUrl } = await testDatabase();
const url = programs ? (await programs.start()).url : embeddedUrl;
const settings = join(folder, "farthing.env");
const certificate = join(folder, "mail.pem");
const PASSWORD = "Hv20pXdR";

/** Lays out a release with links to this checkout. Returns the folder of its command. */
function layOut(): string {
  const bin = join(folder, "release/bin");
  mkdirSync(bin, { recursive: true });
  for (const name of ["apps", "packages", "node_modules"]) symlinkSync(join(root, name), join(folder, "release", name));
  copyFileSync(join(root, "bin/farthing"), join(bin, "farthing"));
  chmodSync(join(bin, "farthing"), 0o755);
  writeFileSync(join(bin, "commands"), commandList());
  return bin;
}

/** A mail server with TLS, a user and a password, that delivers nothing. */
async function startMailServer(program: string) {
  const subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"];
  const files = ["-keyout", `${certificate}.key`, "-out", certificate];
  // Without this test's variables, as the commands below: valid from now on by the machine's clock, where a test has another.
  execFileSync(program, ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", ...subject, ...files], {
    stdio: "ignore",
    env: { PATH: process.env["PATH"] },
  });
  const server = new SMTPServer({
    key: readFileSync(`${certificate}.key`),
    cert: readFileSync(certificate),
    logger: false,
    onAuth: ({ username, password }, _session, done) =>
      username === "user" && password === PASSWORD ? done(null, { user: username }) : done(new Error("No")),
  });
  server.on("error", () => {});
  await new Promise<void>((resolve) => server.listen(0, "localhost", () => resolve()));
  afterAll(() => new Promise<void>((resolve) => server.close(() => resolve())));
  return (server.server.address() as AddressInfo).port;
}

/** Whether this test has another clock than the machine, whose clock the commands have. */
function isShifted(): boolean {
  const machine = execFileSync("date", ["+%s"], { encoding: "utf8", env: { PATH: process.env["PATH"] } });
  return Math.abs(Number(machine) * 1000 - Date.now()) > 60_000;
}

const bin = layOut();
const port = openssl ? await startMailServer(openssl) : 0;

async function run(text: string): Promise<{ code: number; stdout: string; stderr: string }> {
  const adapted = text
    .replaceAll("/var/backups/farthing", join(folder, "backups"))
    .replaceAll("/etc/farthing.env", settings)
    .replace("farthing setup", `farthing setup --user ${userInfo().username} --data-dir ${join(folder, "data")}`);
  const env = {
    ...{ PATH: `${bin}:${process.env["PATH"] ?? ""}`, FARTHING_ENV_FILE: settings, NODE_EXTRA_CA_CERTS: certificate },
    ...{
      DATABASE_URL: url,
      SMTP_URL: `smtp://user:${PASSWORD}@localhost:${port}`,
      AWIN_API_TOKEN: "the-token-from-awin",
    },
  };
  return await promisify(execFile)("sh", ["-ec", adapted], { cwd: folder, env, encoding: "utf8" }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error: { code: number; stdout: string; stderr: string }) => error,
  );
}

test("P1 P3 the documented setup makes a club that production starts on, and the documented look finds nothing wrong with it", async (context) => {
  if (!openssl) return context.skip("openssl is not installed here");
  const { code, stdout, stderr } = await run(example(page, "farthing setup \\"));
  expect([stderr, code]).toEqual([expect.not.stringContaining("- "), 0]);
  expect(stdout).toMatch(/https:\/\/club\.example\/admin\/join\/\S{20,}/);
  const { db, close } = openDatabase({ url });
  expect(await findBrandByHost(db, "www.club.example")).toMatchObject({ name: "Village Club" });
  await close();

  const look = await run(example(page, "farthing doctor"));
  const faults = look.stdout.split("\n").filter((line) => line.startsWith("wrong"));
  // The servers of tests flush nothing to disk, and the machine may have little space.
  const excused = /fsync|full_page_writes|synchronous_commit|free \(/;
  const unexpected = faults.filter((line) => !excused.test(line) && !(isShifted() && /^wrong +clock/.test(line)));
  expect(unexpected).toEqual([]);
  expect(look.stdout).toMatch(/^ok +settings +The server starts on these settings\.$/m);
  expect(look.stdout).toMatch(/^ok +mail +The mail server answers\.$/m);
});

test("R1 the documented backup holds the brand, and not the secret", async (context) => {
  if (!openssl || !programs) return context.skip("openssl, or a PostgreSQL with pg_dump, is not installed here");
  expect(await run(example(page, "pg_dump --format"))).toMatchObject({ code: 0 });
  const dump = join(folder, "backups/club.dump");
  expect(programs.run("pg_restore", ["--data-only", "--table=brands", "--file=-", dump])).toContain("Village Club");
  expect(readdirSync(join(folder, "backups")), "the secret stays elsewhere").toEqual(["club.dump"]);
});
