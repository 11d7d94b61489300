import { execFile, execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { request } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { findBrandByHost } from "@farthing/core/brands/queries.server.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { loadSite, builtSite, textOf } from "@farthing/site/testing/site.testing.ts";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readConfig } from "../env.ts";
import { requestLogger } from "../monitoring/logger.ts";
import { closeAll, type Closing } from "../process/shutdown.ts";
import { startServer } from "../start-server.ts";

// Runs the commands of docs/operations/brands.md, from an empty database to the first page. Only starting the process
// differs.

const page = readFileSync(new URL("../../../docs/operations/brands.md", import.meta.url), "utf8");
const root = new URL("../../../", import.meta.url);
const commands = [...page.matchAll(/```sh\n([^]*?)```/g)].map(([, text]) => text ?? "");
const settingsText = commands.find((text) => text.includes("export FARTHING_ENV")) ?? "";
const brandCommands = commands.filter((text) => text.includes("npm run") && text.includes("brands --"));
const firstPage = commands.find((text) => text.includes("curl")) ?? "";

const { db, url } = await testDatabase();
loadSite();
const closing: Closing[] = [];
const logger = pino({ level: "silent" });
const dataDir = mkdtempSync(join(tmpdir(), "farthing-first-brand-"));
let settings: NodeJS.ProcessEnv = {};
let port = 0;
let stop = () => {};

beforeAll(async () => {
  const shown = execFileSync("sh", ["-ec", `${settingsText}\nenv -0`], {
    encoding: "utf8",
    env: { PATH: process.env["PATH"] },
  });
  settings = Object.fromEntries(
    shown
      .split("\0")
      .filter(Boolean)
      .map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]),
  );
  // Only the address of the database differs.
  Object.assign(settings, { DATABASE_URL: url, DATA_DIR: dataDir });
  const { server } = await startServer({
    config: { ...readConfig({ ...settings, ROLES: "web" }), port: 0 },
    logger,
    logRequest: requestLogger(logger),
    tell: () => {},
    closing,
    loadSite: async () => builtSite,
  });
  ({ port } = server.address() as AddressInfo);
  stop = () => {
    server.close();
    server.closeAllConnections();
  };
}, 120_000);
afterAll(async () => {
  stop();
  await closeAll(closing, logger);
  rmSync(dataDir, { recursive: true, force: true });
});

/** Sends a request as the documented proxy does. */
async function ask(path: string, { method = "GET", form = "", headers = {} as Record<string, string> } = {}) {
  const { promise, resolve, reject } = Promise.withResolvers<{
    status: number;
    headers: Record<string, unknown>;
    text: string;
  }>();
  const sent = request(
    {
      ...{ host: "127.0.0.1", port, path, method, agent: false },
      headers: {
        host: "club.example",
        "x-forwarded-proto": "https",
        "x-forwarded-for": "203.0.113.9",
        ...(method === "POST"
          ? { origin: "https://club.example", "content-type": "application/x-www-form-urlencoded" }
          : {}),
        ...headers,
      },
    },
    (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (part: string) => (text += part));
      response.on("error", reject);
      response.on("end", () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
    },
  );
  sent.on("error", reject);
  sent.end(form);
  return promise;
}

describe("B5 P3 a production install from an empty database, as documented", () => {
  test("P3 the documented settings are enough", () => {
    expect(readConfig(settings)).toMatchObject({ environment: "production", publicScheme: "https", host: "127.0.0.1" });
  });

  test("B5 without a brand /readyz names the command that creates one", async () => {
    const { status, text } = await ask("/readyz");
    expect({ status, notes: JSON.parse(text).notes as unknown }).toEqual({
      status: 200,
      notes: [expect.stringContaining("npm run brands -- create")],
    });
    expect((await ask("/")).status).toBe(421);
  });

  test("B5 every documented command runs, and the running process shows the brand", async () => {
    expect(brandCommands.length).toBeGreaterThanOrEqual(5);
    const folder = mkdtempSync(join(tmpdir(), "farthing-operator-"));
    try {
      for (const text of brandCommands) {
        const command = text.replaceAll("npm run", `npm --prefix ${root.pathname} run`);
        // npm runs scripts in the checkout; the file that the operator edits is in their own folder.
        const inFolder = command.replaceAll(/\bterms\.md\b/g, join(folder, "terms.md"));
        await promisify(execFile)("sh", ["-ec", inFolder], { cwd: folder, env: settings, encoding: "utf8" });
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
    expect(await findBrandByHost(db, "club.example")).toMatchObject({
      name: "Village Club",
      features: { loginConfetti: true },
      banner: { text: "We are new here: tell us what you miss", href: "/faq" },
    });
    expect((await findBrandByHost(db, "club.example"))?.legalPages.map(({ slug }) => slug)).toContain("modern-slavery");
    expect(await findBrandByHost(db, "members.club.example")).not.toBeNull();
    expect(await findBrandByHost(db, "www.club.example")).toBeNull();
  }, 600_000);

  test("B5 the documented curl shows the home page's title", async () => {
    const command = firstPage.replace("127.0.0.1:3000", `127.0.0.1:${port}`);
    // That the host is unknown is cached for five seconds; another host of the brand was not requested yet.
    const { stdout } = await promisify(execFile)(
      "sh",
      ["-ec", command.replace("Host: club.example", "Host: members.club.example")],
      {
        encoding: "utf8",
      },
    );
    expect(stdout).toContain("Village Club");
  });

  test.each([
    ["/", /Money back for those who turn up/],
    ["/login", /Log in/],
    ["/register", /Create account|Join|Continue/],
    ["/retailers", /retailers/i],
    ["/search?q=boots", /boots/],
    ["/faq", /Village Club|questions/i],
    ["/legal/terms", /Village Club/],
    ["/legal/privacy", /help@club\.example/],
    ["/legal/cookies", /Village Club/],
    ["/legal/accessibility", /Village Club/],
    ["/legal/modern-slavery", /Modern slavery/],
    ["/forgotten-password", /password/i],
    ["/sitemaps/pages-1.xml", /legal\/terms/],
    ["/manifest.webmanifest", /Village Club/],
    ["/robots.txt", /Sitemap/],
  ])("B5 %s of the new brand is a whole page", async (path, words) => {
    const { status, text } = await ask(path, { headers: { host: "members.club.example" } });
    expect(status).toBe(200);
    expect(/<html/.test(text) ? textOf(text) : text).toMatch(words);
    expect(text).not.toMatch(/chalkside\.localhost|Chalkside/);
  });

  test("M1 registration offers the brand's member types and continues to the second step", async () => {
    const { text } = await ask("/register", { headers: { host: "members.club.example" } });
    const offered = [...text.matchAll(/<option[^>]*value="([a-z_]+)"/g)].map(([, value]) => value);
    expect(offered).toEqual(expect.arrayContaining(["charity", "organisation"]));
    expect(offered).not.toContain("nhs");
    const { status } = await db
      .selectFrom("member_statuses")
      .innerJoin("member_types", "member_types.id", "member_type_id")
      .select("member_statuses.slug as status")
      .where("member_types.slug", "=", "charity")
      .orderBy("member_statuses.position")
      .executeTakeFirstOrThrow();
    const form = new URLSearchParams({
      member_type: "charity",
      member_status: status,
      email: "new@mailbox.example",
      email_confirmation: "new@mailbox.example",
      password: "Wren-and-Otter-2026",
      password_confirmation: "Wren-and-Otter-2026",
    });
    const names = new Set([...text.matchAll(/<(?:input|select)[^>]*name="([^"]+)"/g)].map(([, name]) => name ?? ""));
    for (const name of form.keys()) expect([...names]).toContain(name);
    const answer = await ask("/register", {
      method: "POST",
      form: String(form),
      headers: { host: "members.club.example", origin: "https://members.club.example" },
    });
    expect(answer.status, textOf(answer.text).slice(0, 600)).toBe(303);
    expect(answer.headers["location"]).toBe("/register/details");
  });
});
