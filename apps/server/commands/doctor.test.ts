import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { insertBrand } from "@farthing/core/testing/insert-brand.testing.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { newId } from "@farthing/db/uuid.ts";
import { afterAll, expect, test } from "vitest";
import { example } from "../../../docs/examples/fenced-blocks.ts";
import { runShell } from "../../../docs/examples/run-example.testing.ts";
import type { NamedFinding } from "../doctor/examine.ts";

const { db, url } = await testDatabase();
const folder = mkdtempSync(join(tmpdir(), "farthing-doctor-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const SECRETS = { METRICS_TOKEN: "Zx81kPq0vTn47wLc", STRIPE_WEBHOOK_SECRET: "whsec_4kZq81LmPw", mail: "Hv20pXdR" };
const PERSON = "ada.lovelace@home.example";

function doctor(args: string[], env: NodeJS.ProcessEnv = {}) {
  const file = fileURLToPath(new URL("./doctor.ts", import.meta.url));
  const { status, stdout, stderr } = spawnSync(process.execPath, [file, ...args], {
    encoding: "utf8",
    cwd: folder,
    env: { PATH: process.env["PATH"], NODE_ENV: "development", FARTHING_ENV: "dev", DATABASE_URL: url, ...env },
  });
  return { status, stdout, stderr };
}

const read = (stdout: string) => JSON.parse(stdout) as { ok: boolean; findings: NamedFinding[] };

test("P6 npm run doctor prints a table, JSON for programs, and 1 where something is wrong", () => {
  const { status, stdout, stderr } = doctor([], { SMTP_URL: "smtp://127.0.0.1:1" });
  expect([status, stderr]).toEqual([1, ""]);
  expect(stdout).toMatch(/^wrong {2}mail +The mail server does not answer\.$/m);
  expect(stdout).toMatch(/^\d+ faults?, \d+ to look at, \d+ in order$/m);
  const { findings, ok } = read(doctor(["--json"], { SMTP_URL: "smtp://127.0.0.1:1" }).stdout);
  expect(ok).toBe(false);
  expect(findings.find(({ check }) => check === "mail")).toMatchObject({ level: "wrong" });
});

test("P6 unknown options end with 2 and the usage, --help with 0", () => {
  expect(doctor(["--fix"])).toMatchObject({
    status: 2,
    stdout: "",
    stderr: expect.stringContaining("--json") as string,
  });
  expect(doctor(["now"])).toMatchObject({ status: 2 });
  expect(doctor(["--help"])).toMatchObject({ status: 0, stdout: expect.stringContaining("--json") as string });
});

test("P3 settings that can’t be read are findings, not a stack trace, and nothing is started in DATA_DIR", () => {
  const { status, stdout, stderr } = doctor([], { PORT: "99999", DATABASE_URL: "", DATA_DIR: join(folder, "data") });
  expect([status, stderr]).toEqual([1, ""]);
  expect(stdout).toMatch(/^wrong {2}settings +PORT is/m);
  const unstarted = doctor([], { DATABASE_URL: "", DATA_DIR: join(folder, "data") });
  expect(unstarted.stdout).toMatch(/^wrong {2}database +The embedded database does not run\.$/m);
  expect(readdirSync(folder)).toEqual([]);
});

test("S1 neither secrets nor people stand in what it prints", async () => {
  const { id: brandId } = await insertBrand(db);
  const mail = { id: newId(), brand_id: brandId, recipient: PERSON, kind: "welcome", state: "given-up" } as const;
  await db
    .insertInto("mails")
    .values({ ...mail, settled_at: new Date(), last_error: `no ${PERSON}` })
    .execute();
  const env = {
    ...{ METRICS_TOKEN: SECRETS.METRICS_TOKEN, STRIPE_WEBHOOK_SECRET: SECRETS.STRIPE_WEBHOOK_SECRET },
    SMTP_URL: `smtp://${encodeURIComponent(PERSON)}:${SECRETS.mail}@127.0.0.1:1`,
  };
  const printed = [doctor([], env), doctor(["--json"], env)].map(({ stdout, stderr }) => stdout + stderr).join("");
  expect(printed).toContain("given up");
  for (const hidden of [...Object.values(SECRETS), PERSON]) expect(printed).not.toContain(hidden);
});

test("P6 the documented command runs as it is written, and ends with 0 where nothing is wrong", async () => {
  // As little of a mail server as is greeted.
  const server = createServer((socket) => {
    socket.on("data", (data) => socket.write(String(data).startsWith("QUIT") ? "221 Bye\r\n" : "250 Hello\r\n"));
    socket.on("error", () => undefined).write("220 Ready\r\n");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const env = { DATABASE_URL: url, DATA_DIR: folder, SMTP_URL: `smtp://127.0.0.1:${port}`, FARTHING_ENV: "dev" };
  try {
    const run = runShell(example("docs/operations/doctor.md", "npm run doctor"), { cwd: folder, env });
    // The servers of tests flush nothing to disk, which is a fault; otherwise the command ends with 0.
    const { code, stdout } = await run.then(
      (printed) => ({ code: 0, stdout: printed }),
      (error: { code: number; stdout: string }) => error,
    );
    const faults = stdout.split("\n").filter((line) => line.startsWith("wrong"));
    expect(faults.filter((line) => !/fsync|full_page_writes|synchronous_commit|free \(/.test(line))).toEqual([]);
    expect(code).toBe(faults.length === 0 ? 0 : 1);
  } finally {
    await new Promise<void>((resolve) => server.close(() => resolve()));
  }
});
