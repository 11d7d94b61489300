import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseEnv } from "node:util";
import { findLinkOperator } from "@farthing/core/operators/sign-in.server.ts";
import { findBrandByHost } from "@farthing/core/brands/queries.server.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readConfig } from "../env.ts";

// The command as a process, with a real database and as little of a mail server as is greeted.

const { db, url } = await testDatabase();
const folder = mkdtempSync(join(tmpdir(), "farthing-setup-"));
const PASSWORD = "Hv20pXdR-mail";
const TOKEN = "token-of-the-network-8842";
let smtp = "";
const server = createServer((socket) => {
  socket.on("error", () => undefined).write("220 Ready\r\n");
  socket.on("data", (data) => {
    const words = String(data);
    if (words.startsWith("EHLO")) socket.write("250-mail\r\n250 AUTH PLAIN\r\n");
    else
      socket.write(
        words.startsWith("QUIT") ? "221 Bye\r\n" : words.startsWith("AUTH") ? "235 Come in\r\n" : "250 Yes\r\n",
      );
  });
});
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  smtp = `smtp://club:${PASSWORD}@127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs the command without a terminal. */
function setup(words: string[], env: NodeJS.ProcessEnv = {}) {
  const command = fileURLToPath(new URL("./setup.ts", import.meta.url));
  return new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    const child = execFile(
      process.execPath,
      [command, ...words],
      { cwd: folder, encoding: "utf8", env: { PATH: process.env["PATH"], ...env } },
      (error, stdout, stderr) => resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    );
    child.stdin?.end();
  });
}

const file = join(folder, "farthing.env");
const settingsNow = () => parseEnv(readFileSync(file, "utf8"));
// A rehearsal, because this mail server has no TLS.
const rehearsal = () => [
  ...["--env", file, "--user", userInfo().username, "--set", "FARTHING_ENV=dev", "--data-dir", join(folder, "data")],
  ...["--domain", "club.example", "--brand-name", "Village Club", "--audience", "people who keep a village going"],
  ...[
    "--member-type",
    "charity,organisation",
    "--operator-email",
    "Ada@club.example",
    "--operator-name",
    "Ada Lovelace",
  ],
  ...["--mail-from", "club@club.example", "--set", "SMTP_URL", "--set", "DATABASE_URL", "--set", "AWIN_API_TOKEN"],
];
const environment = () => ({ SMTP_URL: smtp, DATABASE_URL: url, AWIN_API_TOKEN: TOKEN });
const tokenIn = (stdout: string) => /https?:\/\/club\.example\/admin\/join\/(\S+)/.exec(stdout)?.[1] ?? "";
let firstToken = "";
/** Returns the operator for whom a link opens at the moment when the newest was made. The command's processes keep the machine's clock where a test has another. */
async function opens(token: string) {
  const { created_at: now } = await db
    .selectFrom("operator_links")
    .select("created_at")
    .orderBy("created_at", "desc")
    .executeTakeFirstOrThrow();
  return findLinkOperator(db, { token, now });
}

test("P3 wrong and missing answers are listed at once, in words, and nothing is written", async () => {
  const words = [
    "--env",
    file,
    "--user",
    userInfo().username,
    "--domain",
    "https://club.example",
    "--brand-name",
    "Club",
  ];
  const more = [
    "--member-type",
    "wizards",
    "--theme",
    "neon",
    "--smtp-url",
    "mail.example",
    "--set",
    "PORT=0",
    "--payouts-dir",
    "payouts",
  ];
  const { code, stderr } = await setup([...words, ...more, "--embedded", "--set", `AWIN_API_TOKEN=${TOKEN} ${TOKEN}`]);
  expect(code).toBe(1);
  for (const words of [
    /- PORT is not a whole number/,
    /- SMTP_URL is not a mail server's address/,
    /- MAIL_FROM is not set/,
    /- PAYOUTS_DIR is not a whole path/,
    /- AWIN_PUBLISHER_ID is not set/,
    /- AWIN_API_TOKEN holds spaces/,
    /- --audience is missing/,
    /- --domain is not a host name/,
    /- --member-type "wizards" does not exist/,
    /- --theme "neon" does not exist/,
    /- --operator-email: Enter an e-mail address/,
    /- --operator-name: Enter the person's name/,
  ])
    expect(stderr).toMatch(words);
  expect(stderr).not.toContain(TOKEN);
  expect(readdirSync(folder)).toEqual([]);
});

test("P3 a setting that does not exist is in one list with all else, and no value is asked for that the setup makes", async () => {
  const { code, stderr } = await setup(["--env", file, "--set", "FOO=1", "--no-questions"]);
  expect(code).toBe(1);
  for (const words of [/- --set FOO: there is no such setting/, /- SMTP_URL is not set/, /- AWIN_API_TOKEN is not set/])
    expect(stderr).toMatch(words);
  expect(stderr).toContain("--audience is missing");
  expect(stderr).not.toContain("AWIN_PUSH_SECRET");
  expect(existsSync(file)).toBe(false);
});

test("P3 a database and a mail server that do not answer are named together, without their passwords", async () => {
  const unreachable = {
    DATABASE_URL: "postgres://farthing:hush-hush@127.0.0.1:1/farthing",
    SMTP_URL: "smtp://127.0.0.1:1",
  };
  const { code, stderr } = await setup(rehearsal(), { ...environment(), ...unreachable });
  expect(code).toBe(1);
  expect(stderr).toMatch(/farthing at 127\.0\.0\.1:1\. Nothing listens there/);
  expect(stderr).toMatch(/The mail server does not answer/);
  expect(stderr).not.toContain("hush-hush");
  expect(existsSync(file)).toBe(false);
});

test("B5 A1 one command makes settings, brand and owner, shows the link once and no secret", async () => {
  const { code, stdout, stderr } = await setup(rehearsal(), environment());
  expect([stderr, code]).toEqual(["", 0]);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const settings = settingsNow();
  expect(readConfig(settings)).toMatchObject({ databaseUrl: url, mail: { smtpUrl: smtp } });
  expect(settings["PAYOUTS_DIR"]).toBe(join(folder, "data", "payouts"));
  expect(statSync(join(folder, "data", "payouts")).mode & 0o777).toBe(0o700);
  const secrets = ["FARTHING_SECRET", "METRICS_TOKEN", "AWIN_PUSH_SECRET"].map((name) => settings[name] ?? "");
  expect(new Set(secrets).size).toBe(3);
  for (const secret of secrets) expect(secret).toMatch(/^[0-9a-f]{64}$/);
  for (const hidden of [...secrets, PASSWORD, TOKEN, url]) expect(stdout).not.toContain(hidden);
  expect(await findBrandByHost(db, "club.example")).toMatchObject({ slug: "village-club", name: "Village Club" });
  firstToken = tokenIn(stdout);
  expect(await opens(firstToken)).toMatchObject({ email: "ada@club.example", name: "Ada Lovelace" });
  expect(stdout).toMatch(/farthing .*start[^]*farthing .*doctor[^]*farthing .*catalogue:import/);
});

test("A1 the same command again changes no setting and makes a new link; the first one ends", async () => {
  const before = readFileSync(file, "utf8");
  const { code, stdout } = await setup(rehearsal(), environment());
  expect([code, readFileSync(file, "utf8")]).toEqual([0, before]);
  expect(stdout).toContain("stays as it is");
  expect([await opens(firstToken), (await opens(tokenIn(stdout)))?.email]).toEqual([null, "ada@club.example"]);
});

test("P3 S1 an existing file is changed with --replace only, and keeps its secrets and what no option names", async () => {
  const before = settingsNow();
  const refused = await setup([...rehearsal(), "--set", "PORT=4011"], environment());
  expect(refused).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/other values for PORT\. .*--replace/) as string,
  });
  expect(settingsNow()).toEqual(before);
  const { code } = await setup([...rehearsal(), "--set", "PORT=4011", "--replace"], environment());
  expect([code, settingsNow()]).toEqual([0, { ...before, PORT: "4011" }]);
});
