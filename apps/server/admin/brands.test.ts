import { mkdtempSync, rmSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { insertOperator, loadAdmin, openTestAdmin } from "@farthing/admin/testing/admin.testing.ts";
import { findBrandByHost } from "@farthing/core/brands/queries.server.ts";
import { startOf } from "@farthing/core/brands/theme-colours.server.ts";
import { insertRetailer, NOW } from "@farthing/core/catalogue/catalogue.testing.ts";
import { searchCatalogue } from "@farthing/core/search/queries.server.ts";
import { findCarerMigration } from "@farthing/core/carer-migrations/operations.server.ts";
import { insertBrand } from "@farthing/core/testing/insert-brand.testing.ts";
import { insertMember } from "@farthing/core/testing/insert-member.testing.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { builtSite, loadSite } from "@farthing/site/testing/site.testing.ts";
import { pino } from "pino";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { seedBeginnings } from "../development/seed-reference.ts";
import { readConfig } from "../env.ts";
import { requestLogger } from "../monitoring/logger.ts";
import type { SitePages } from "../pages/site-pages.ts";
import { closeAll, type Closing } from "../process/shutdown.ts";
import { startServer } from "../start-server.ts";

const { db, url } = await testDatabase();
loadAdmin();
loadSite();
const admin = openTestAdmin(db);
afterEach(() => expect(admin.errors).toEqual([]));

const catalogue = await insertOperator(db, { role: "catalogue" });
const owner = await insertOperator(db, { role: "owner" });
const finance = await insertOperator(db, { role: "finance" });
await seedBeginnings(db);
const first = await insertBrand(db, { slug: "first-club" });

const coloursOf = (theme: string) =>
  Object.fromEntries(
    Object.entries(startOf(theme).pairs).flatMap(([area, { ground, text }]) => [
      [`${area}-ground`, ground],
      [`${area}-text`, text],
    ]),
  );
const ninth = {
  ...{ theme: "tillside", name: "Harbourside", slug: "harbourside", strapline: "For those who keep boats afloat" },
  ...{ audience: "boat builders", supportEmail: "help@harbour.example", hosts: "Harbour.example www.harbour.example" },
  ...{ "type-charity": "on", "type-organisation": "on", retailers: "on" },
  ...coloursOf("tillside"),
};
const entries = (action: string) =>
  db.selectFrom("audit_entries").selectAll().where("action", "=", action).orderBy("seq").execute();
const formOf = (html: string) => {
  const fields: Record<string, string> = {};
  const [, form = ""] = /<form[^>]*class="panel"[^>]*>([^]*?)<\/form>/.exec(html) ?? [];
  const text = (value = "") => value.replaceAll("&amp;", "&").replaceAll("&#x27;", "'").replaceAll("&quot;", '"');
  for (const [input = ""] of form.matchAll(/<input[^>]*>/g)) {
    const of = (name: string) => new RegExp(` ${name}="([^"]*)"`).exec(input)?.[1];
    if (of("type") === "checkbox" && !/ checked/.test(input)) continue;
    fields[of("name") ?? ""] = text(of("value"));
  }
  for (const [, name = "", value] of form.matchAll(/<textarea[^>]*name="([^"]+)"[^>]*>([^<]*)/g))
    fields[name] = text(value);
  return fields;
};

describe("B5 two running processes", () => {
  const closing: Closing[] = [];
  const logger = pino({ level: "silent" });
  const dataDir = mkdtempSync(join(tmpdir(), "farthing-brands-"));
  const processes: { port: number; pages: SitePages; stop(): void }[] = [];

  beforeAll(async () => {
    for (let count = 0; count < 2; count += 1) {
      const settings = { FARTHING_ENV: "dev", DATABASE_URL: url, DATA_DIR: dataDir, ROLES: "web" };
      const { server, pages } = await startServer({
        ...{ config: { ...readConfig(settings), port: 0 }, logger, logRequest: requestLogger(logger), closing },
        ...{ tell: () => {}, loadSite: async () => builtSite },
      });
      const { port } = server.address() as AddressInfo;
      const stop = () => {
        server.close();
        server.closeAllConnections();
      };
      if (!pages) throw new Error("The process has no pages.");
      processes.push({ port, pages, stop });
    }
    // Each begins to listen after it has started, and forgets its pages then.
    await vi.waitUntil(async () => (await countListeners()) === processes.length, { timeout: 60_000 });
  }, 120_000);
  afterAll(async () => {
    for (const { stop } of processes) stop();
    await closeAll(closing, logger);
    rmSync(dataDir, { recursive: true, force: true });
  });

  async function countListeners(): Promise<number> {
    const { rows } = await sql<{ count: number }>`
      select count(*)::integer as count from pg_stat_activity
      where datname = current_database() and state = 'idle' and query = 'listen "site_content"'`.execute(db);
    return rows[0]?.count ?? 0;
  }

  async function ask(port: number, host: string, path = "/", form?: Record<string, string>) {
    const { promise, resolve, reject } = Promise.withResolvers<{ status: number; text: string; location: string }>();
    const origin = `http://${host}:${port}`;
    const sent = request(
      {
        ...{ host: "127.0.0.1", port, path, method: form ? "POST" : "GET", agent: false },
        headers: {
          host: `${host}:${port}`,
          ...(form ? { origin, "content-type": "application/x-www-form-urlencoded" } : {}),
        },
      },
      (response) => {
        let text = "";
        response.setEncoding("utf8");
        response.on("data", (part: string) => (text += part));
        response.on("error", reject);
        response.on("end", () =>
          resolve({ status: response.statusCode ?? 0, text, location: response.headers.location ?? "" }),
        );
      },
    );
    sent.on("error", reject);
    sent.end(form && String(new URLSearchParams(form)));
    return promise;
  }
  const everywhere = async (host: string, path: string) =>
    (await Promise.all(processes.map(({ port }) => ask(port, host, path)))).map(({ text }) => text);
  /** Waits until no process keeps a page: it has heard of the change. Pages leave the store by nothing else here. */
  const heard = () => vi.waitUntil(() => processes.every(({ pages }) => pages.cache.pages === 0), { timeout: 60_000 });

  test("B5 a ninth brand is made in the admin, answers at its hosts in every process at once, and a person joins it", async () => {
    for (const text of await everywhere("first-club.test", "/")) expect(text).toContain("first-club");
    expect(processes.map(({ pages }) => pages.cache.pages)).toEqual([1, 1]);
    const made = await admin.post("/admin/brands/new", catalogue, ninth);
    expect([made.status, made.headers.get("location")]).toEqual([303, "/admin/brands/harbourside?made"]);
    await heard();
    for (const host of ["harbour.example", "www.harbour.example"])
      for (const text of await everywhere(host, "/")) expect(text).toContain("For those who keep boats afloat");
    expect(await entries("brand.create")).toMatchObject([
      {
        subject_type: "brand",
        subject_id: "harbourside",
        before: null,
        after: { name: "Harbourside", hosts: "harbour.example, www.harbour.example", colours: {} },
      },
    ]);
    const [one] = processes;
    const { slug: status } = await db
      .selectFrom("member_statuses")
      .innerJoin("member_types", "member_types.id", "member_type_id")
      .select("member_statuses.slug")
      .where("member_types.slug", "=", "charity")
      .orderBy("member_statuses.position")
      .executeTakeFirstOrThrow();
    const joining = await ask(one?.port ?? 0, "harbour.example", "/register", {
      ...{ member_type: "charity", member_status: status },
      ...{ email: "new@mailbox.example", email_confirmation: "new@mailbox.example" },
      ...{ password: "Wren-and-Otter-2026", password_confirmation: "Wren-and-Otter-2026" },
    });
    expect([joining.status, joining.location]).toEqual([303, "/register/details"]);
  }, 60_000);

  test("B5 a changed banner, look and host show in every process, though the pages were cached", async () => {
    await everywhere("harbour.example", "/");
    const path = "/admin/brands/harbourside";
    const typed = formOf(await (await admin.get(path, catalogue)).text());
    const saved = await admin.post(path, catalogue, { ...typed, act: "save", bannerText: "Regatta & rates" });
    expect([saved.status, saved.headers.get("location")]).toEqual([303, `${path}?saved`]);
    await heard();
    for (const text of await everywhere("harbour.example", "/")) expect(text).toContain("Regatta &amp; rates");

    const look = formOf(await (await admin.get(`${path}/look`, catalogue)).text());
    const purple = { "hero-ground": "#3D1053", "hero-text": "#fff" };
    expect((await admin.post(`${path}/look`, catalogue, { ...look, ...purple })).status).toBe(303);
    await heard();
    const file = "/brand/colours.tillside.-.3d1053ffffff.-.-.css";
    for (const text of await everywhere("harbour.example", "/")) expect(text).toContain(`href="${file}"`);
    for (const text of await everywhere("harbour.example", file)) expect(text).toContain("--hero: #3d1053;");
    expect((await entries("brand.change")).at(-1)).toMatchObject({
      before: { colours: {} },
      after: { colours: { hero: { ground: "#3d1053", text: "#ffffff" } } },
    });

    await everywhere("harbour.example", "/");
    await admin.post(path, catalogue, { act: "add-host", host: "boats.example" });
    await heard();
    for (const text of await everywhere("boats.example", "/")) expect(text).toContain("For those who keep boats");
    const house = await db.selectFrom("partner_origins").select("origin").execute();
    expect(house.map(({ origin }) => origin)).toContain("http://boats.example");
  }, 60_000);
});

describe("B5 making a brand", () => {
  test("B5 colours below 4.5:1 are refused with the nearest that passes, and nothing that was typed is lost", async () => {
    const faint = {
      ...ninth,
      slug: "faint",
      hosts: "faint.example",
      "header-ground": "#777777",
      "header-text": "#999999",
    };
    const answer = await admin.post("/admin/brands/new?theme=tillside", catalogue, faint);
    expect(answer.status).toBe(422);
    const html = await answer.text();
    expect(html).toMatch(/Header: This colour has 1\.\d\d:1 against its text.*The nearest that passes is #[0-9a-f]{6}/);
    expect(html).toContain('value="#999999"');
    expect(html).toContain("For those who keep boats afloat");
    expect(await findBrandByHost(db, "faint.example")).toBeNull();
    expect(await entries("brand.create")).not.toContainEqual(expect.objectContaining({ subject_id: "faint" }));
  });

  test("B5 another theme keeps what was typed; colours that nobody changed become the new theme's, and nothing is made", async () => {
    const press = (theme: string, typed: Record<string, string>) =>
      admin.post(`/admin/brands/new?theme=${theme}`, catalogue, { ...typed, retheme: theme });
    const { retailers: _unticked, ...rest } = { ...ninth, slug: "later", hosts: "later.example www.later.example" };
    const answer = await press("wardlight", { ...rest, "hero-ground": "#3d1053" });
    expect(answer.status).toBe(200);
    const hero = { "hero-ground": "#3d1053", "hero-text": coloursOf("tillside")["hero-text"] ?? "" };
    const form = formOf(await answer.text());
    expect(form).toEqual({ ...rest, ...coloursOf("wardlight"), ...hero, theme: "wardlight" });
    expect(formOf(await (await press("tillside", form)).text())).toEqual({
      ...rest,
      ...coloursOf("tillside"),
      ...hero,
    });
    expect(await findBrandByHost(db, "later.example")).toBeNull();
  });

  test("B5 on a brand's look, another theme keeps the colours that were typed, and a save that comes too late still says so", async () => {
    await insertBrand(db, { slug: "looked-at" });
    await db.updateTable("brands").set({ theme: "tillside" }).where("slug", "=", "looked-at").execute();
    const path = "/admin/brands/looked-at/look";
    const old: Record<string, string> = {
      ...formOf(await (await admin.get(path, catalogue)).text()),
      "accent-ground": "#4b1d63",
    };
    const fresh = formOf(await (await admin.get(path, catalogue)).text());
    const theirs = await admin.post(path, catalogue, { ...fresh, "hero-ground": "#3d1053", "hero-text": "#ffffff" });
    expect(theirs.status).toBe(303);
    const tried = await admin.post(`${path}?theme=wardlight`, catalogue, { ...old, retheme: "wardlight" });
    const form = formOf(await tried.text());
    expect(form).toMatchObject({ theme: "wardlight", version: old["version"], "accent-ground": "#4b1d63" });
    expect(form["action-ground"]).toBe(coloursOf("wardlight")["action-ground"]);
    expect((await admin.post(`${path}?theme=wardlight`, catalogue, form)).status).toBe(409);
  });

  test("B5 every fault is named at its field, and a short name or host of another brand is not taken over", async () => {
    const empty = await (await admin.post("/admin/brands/new", catalogue, { theme: "tillside" })).text();
    for (const fault of ["The name needs", "The short name needs", "is not an e-mail address", "is not a colour"])
      expect(empty).toContain(fault);
    const taken = await admin.post("/admin/brands/new", catalogue, { ...ninth, slug: first.slug, hosts: "x.example" });
    expect(taken.status).toBe(422);
    expect(await taken.text()).toContain("Another brand has this short name");
    const host = { ...ninth, slug: "thief", hosts: "first-club.test" };
    expect(await (await admin.post("/admin/brands/new", catalogue, host)).text()).toContain(
      "first-club.test belongs to the brand first-club",
    );
    expect((await findBrandByHost(db, "first-club.test"))?.name).toBe("first-club");
    expect((await admin.post("/admin/brands/new", finance, ninth)).status).toBe(403);
  });

  test("B5 the preview shows what is typed, saves nothing, runs no script, and is for operators", async () => {
    const query = new URLSearchParams({ ...coloursOf("wardlight"), "hero-ground": "#3d1053", "hero-text": "#ffffff" });
    query.set("theme", "wardlight");
    query.set("name", "Seen <before>");
    const path = `/admin/brands/preview?${query.toString()}`;
    const shown = await admin.get(path, catalogue);
    expect(shown.headers.get("content-security-policy")).toMatch(/^default-src 'none'.*frame-ancestors 'self'/);
    expect(await shown.text()).toContain("/brand/colours.wardlight.-.3d1053ffffff.-.-.css");
    expect((await admin.get(path, finance)).status).toBe(403);
    expect((await admin.get(path, null)).status).toBe(303);
    expect(await (await admin.get("/admin/brands/preview?brand=first-club", owner)).text()).toContain("first-club");
  });
});

describe("B3 a brand's record", () => {
  const path = "/admin/brands/first-club";
  const typed = async (operator = owner) => formOf(await (await admin.get(path, operator)).text());

  test("B3 every field is shown, saved and logged, and the rest stays as it was", async () => {
    await db.updateTable("brands").set({ theme: "chalkside" }).where("id", "=", first.id).execute();
    const before = await typed();
    const change = {
      ...{ strapline: "New words", minimumAge: "16", residence: "gb, im", payoutThresholdPence: "12.50" },
      ...{ bannerText: "Hello", bannerLink: "/faq", "home-cashback": "", "home-lead": "1", "home-offers": "2" },
      ...{ "feature-giftCards": "on", ios: "https://apps.example/1", tagManager: "GTM-ABC123", "type-nhs": "on" },
    };
    expect((await admin.post(path, owner, { ...before, ...change, act: "save" })).status).toBe(303);
    const after = await typed();
    expect(after).toMatchObject({
      ...{ ...before, ...change, residence: "GB, IM", version: after["version"] },
      // What followed moves up.
      ...{ "home-logos": "3", "home-how": "4", "home-categories": "5", "home-latest": "6", "home-ending": "7" },
    });
    const brand = await findBrandByHost(db, "first-club.test");
    expect(brand?.home.slice(0, 2)).toEqual(["lead", "offers"]);
    expect(brand?.home).not.toContain("cashback");
    const [entry] = (await entries("brand.change")).filter(({ subject_id: id }) => id === "first-club");
    expect(entry).toMatchObject({
      actor: owner.email,
      before: { strapline: "", payout_threshold_pence: 1000 },
      after: { strapline: "New words", payout_threshold_pence: 1250, member_types: "nhs" },
    });
    const html = await (await admin.get(path, catalogue)).text();
    expect(html).toContain("Brand changed");
    expect(html, "P7").toContain('<body data-controller="brands" data-action="brand">');
    const unknown = await (await admin.get("/admin/brands/nowhere", catalogue)).text();
    expect(unknown, "P7").toContain('<body data-controller="errors" data-action="show">');
    const same = await admin.post(path, owner, { ...after, act: "save" });
    expect(await same.text()).toContain("Nothing differs");
  });

  test("B3 a stale save says who changed what, and saves neither before one is chosen", async () => {
    const mine = { ...(await typed()), act: "save", audience: "mine" };
    await admin.post(path, catalogue, { ...(await typed(catalogue)), act: "save", audience: "theirs" });
    const stale = await admin.post(path, owner, mine);
    expect(stale.status).toBe(409);
    const html = await stale.text();
    for (const shown of [catalogue.email, "theirs", "mine", "Save mine"]) expect(html).toContain(shown);
    expect((await findBrandByHost(db, "first-club.test"))?.audience).toBe("theirs");
    const [, version = ""] = /name="version" value="(\d+)"/.exec(html) ?? [];
    expect((await admin.post(path, owner, { ...mine, version })).status).toBe(303);
    expect((await findBrandByHost(db, "first-club.test"))?.audience).toBe("mine");
  });

  test("B3 what members can withdraw is an owner's to change", async () => {
    const form = { ...(await typed()), act: "save", payoutThresholdPence: "1.00", strapline: "by catalogue" };
    expect((await admin.post(path, catalogue, form)).status).toBe(303);
    const stored = await db
      .selectFrom("brands")
      .select("payout_threshold_pence")
      .where("id", "=", first.id)
      .executeTakeFirstOrThrow();
    expect(stored.payout_threshold_pence).toBe(1250);
    expect(await (await admin.get(path, catalogue)).text()).not.toContain('name="payoutThresholdPence"');
  });

  test.each([
    [{ supportEmail: "nobody" }, "is not an e-mail address"],
    [{ name: "" }, "The name needs 1 to 60"],
    [{ minimumAge: "12" }, "is below 13"],
    [{ minimumAge: "" }, "is not a whole number"],
    [{ residence: "GB, Wales" }, "is not a country code"],
    [{ payoutThresholdPence: "much" }, "is not in pounds"],
    [{ payoutThresholdPence: "1000.01" }, "is above £1,000"],
    [{ bannerLink: "https://evil.example" }, "is not a path of this site"],
    [{ menu: "Fashion" }, "is no section"],
    [{ menu: "Fashion: hats" }, "which does not exist"],
    [{ ios: "http://apps.example" }, "is not an https address"],
    [{ tagManager: "<script>" }, "is not a container"],
    [{ "type-nhs": "", "type-charity": "" }, "is empty"],
    [{ "feature-appExclusive": "on", ios: "", android: "" }, "sends members to an app store"],
    [{ "feature-carerMigration": "on" }, "carerMigration asks nobody without the statuses"],
    [{ "feature-carerMigration": "on", carerMove: "" }, "carerMigration asks nobody without the statuses"],
    [{ carerMove: "harbourside/charity" }, "The move needs the statuses"],
    [{ carerMove: "", "mover-nhs/retired_nhs_pension": "on" }, "The move needs the club"],
    [{ carerMove: "first-club/nhs", "mover-nhs/retired_nhs_pension": "on" }, "leads to the brand itself"],
    [{ carerMove: "harbourside/nhs", "mover-nhs/retired_nhs_pension": "on" }, "which nobody can join as"],
    [{ carerMove: "harbourside/charity", "mover-nhs/nothing": "on" }, "does not exist"],
  ])("B3 %j is refused in words, and stays in the form", async (wrong, words) => {
    const form = { ...(await typed()), act: "save", ...(wrong as Record<string, string>) };
    const answer = await admin.post(path, owner, form);
    expect(answer.status).toBe(422);
    expect((await answer.text()).replaceAll("&#x27;", "'")).toContain(words);
  });

  test("M7 B3 a ninth brand with the switch and a rule asks its members; a rule that stays keeps the links it was agreed under", async () => {
    const ninthPath = "/admin/brands/harbourside";
    const form = async () => formOf(await (await admin.get(ninthPath, owner)).text());
    const post = async (change: Record<string, string>) =>
      admin.post(ninthPath, owner, { ...(await form()), ...change, act: "save" });
    const brand = await findBrandByHost(db, "harbour.example");
    const status = await db
      .selectFrom("member_statuses")
      .innerJoin("member_types as type", "type.id", "member_type_id")
      .select(["member_statuses.id", "type.id as typeId"])
      .where("type.slug", "=", "charity")
      .where("member_statuses.slug", "=", "retired")
      .executeTakeFirstOrThrow();
    const { id: memberId } = await insertMember(db, { brandId: brand?.id ?? "" });
    await db
      .updateTable("members")
      .set({ member_type_id: status.typeId, member_status_id: status.id })
      .where("id", "=", memberId)
      .execute();
    const asked = () => findCarerMigration(db, { memberId, brandId: brand?.id ?? "", now: NOW });
    const rules = () =>
      db
        .selectFrom("carer_migration_rules")
        .select("id")
        .where("brand_id", "=", brand?.id ?? "")
        .execute();

    await sql`insert into brand_member_types (brand_id, member_type_id, position)
      select ${first.id}, id, 50 from member_types where slug = 'unpaid_carer'`.execute(db);
    expect(await asked()).toBeNull();
    const move = { carerMove: "first-club/unpaid_carer", "mover-charity/retired": "on" };
    expect((await post({ "feature-carerMigration": "on", ...move })).status).toBe(303);
    expect(await asked()).toMatchObject({ fromName: "Harbourside", isAskedNow: true });
    expect((await findBrandByHost(db, "harbour.example"))?.features.carerMigration).toBe(true);
    const [entry] = (await entries("brand.change")).filter(({ subject_id: id }) => id === "harbourside").slice(-1);
    expect(entry?.after).toMatchObject({ carer_move: "charity/retired to first-club/unpaid_carer" });

    const before = await rules();
    expect((await post({ ...move, strapline: "Another line" })).status).toBe(303);
    expect(await rules()).toEqual(before);
    expect((await post({ carerMove: "", "mover-charity/retired": "" })).status, "the switch is on").toBe(422);
    expect((await post({ carerMove: "", "mover-charity/retired": "", "feature-carerMigration": "" })).status).toBe(303);
    expect(await asked()).toBeNull();
  });

  test("B1 hosts are added, made main and removed after a question; never the last, never another brand's", async () => {
    await admin.post(path, owner, { act: "add-host", host: "Two.example" });
    await admin.post(path, owner, { act: "main-host", host: "two.example" });
    expect((await findBrandByHost(db, "two.example"))?.mainHost).toBe("two.example");
    for (const [host, words] of [
      ["https://three.example", "is not a host name"],
      ["harbour.example", "belongs to the brand harbourside"],
    ]) {
      const answer = await admin.post(path, owner, { act: "add-host", host: host ?? "" });
      expect([answer.status, await answer.text()]).toEqual([422, expect.stringContaining(words ?? "")]);
    }
    const remove = { act: "remove-host", host: "first-club.test" };
    expect(await (await admin.post(path, owner, remove)).text()).toContain("Remove first-club.test?");
    const confirmed = { ...remove, confirmed: "yes", why: "sold" };
    expect((await admin.post(path, owner, confirmed)).status).toBe(303);
    expect(await findBrandByHost(db, "first-club.test")).toBeNull();
    const last = await admin.post(path, owner, { ...confirmed, host: "two.example" });
    expect([last.status, await last.text()]).toEqual([409, expect.stringContaining("last host")]);
    const foreign = await admin.post(path, owner, { ...confirmed, host: "harbour.example" });
    expect(foreign.status).toBe(409);
    expect((await findBrandByHost(db, "harbour.example"))?.slug).toBe("harbourside");
    expect((await entries("brand.remove-host")).map(({ why }) => why)).toEqual(["sold"]);
  });

  test("B3 D3 A2 every retailer of the catalogue is shown after a question that says how many are added, with the index and the log", async () => {
    await insertRetailer(db, { name: "Zz Shown", brandIds: [first.id] });
    const hidden = await insertRetailer(db, { name: "Zz Hidden" });
    const place = await insertRetailer(db, { name: "Zz Place", brandIds: [first.id] });
    // A merged record is no retailer of its own any more.
    const merged = await insertRetailer(db, { name: "Zz Merged" });
    await db
      .updateTable("retailers")
      .set({ merged_into_id: place.id, merged_at: NOW, status: "closed" })
      .where("id", "=", merged.id)
      .execute();
    const { all } = await db
      .selectFrom("retailers")
      .select(sql<number>`count(*)::int`.as("all"))
      .where("merged_into_id", "is", null)
      .executeTakeFirstOrThrow();
    const panel = (html: string) =>
      (/<section[^>]*aria-labelledby="retailers".*?<\/section>/s.exec(html)?.[0] ?? "").replaceAll("<!-- -->", "");
    const page = panel(await (await admin.get(path, catalogue)).text());
    expect(page).toContain(`href="/admin/retailers?brand=first-club">2</a> of the catalogue’s ${all} retailers`);
    expect(page).toContain(`href="/admin/retailers?hidden=first-club">The ${all - 2} that it does not show`);
    const list = await (await admin.get("/admin/retailers?hidden=first-club&q=Zz", catalogue)).text();
    expect([...list.matchAll(/<td><a href="[^"]*">(Zz \w+)</g)].map(([, name]) => name)).toEqual(["Zz Hidden"]);

    const act = "show-retailers";
    const asked = await admin.post(path, catalogue, { act });
    expect([asked.status, (await asked.text()).includes(`${all - 2} more retailers are`)]).toEqual([200, true]);
    expect((await admin.post(path, catalogue, { act, confirmed: "yes", why: "" })).status).toBe(422);
    expect((await admin.post(path, finance, { act, confirmed: "yes", why: "all" })).status).toBe(403);
    const search = { brandId: first.id, query: "zz hidden", now: NOW, sort: "relevance", page: 1 } as const;
    const isFound = async () => (await searchCatalogue(db, search)).retailers.some(({ slug }) => slug === hidden.slug);
    expect(await isFound()).toBe(false);
    expect((await admin.post(path, catalogue, { act, confirmed: "yes", why: "a wider club" })).status).toBe(303);
    expect(await isFound()).toBe(true);
    const [entry] = (await entries("brand.show-retailers")).filter(({ subject_id: id }) => id === "first-club");
    expect(entry).toMatchObject({
      ...{ actor: catalogue.email, why: "a wider club", before: { retailers: 2 }, after: { retailers: all } },
    });
    const after = panel(await (await admin.get(path, catalogue)).text());
    expect(after).toContain(`>${all}</a> of the catalogue’s ${all} retailers`);
    expect(after).not.toContain("Show every retailer");
    expect((await admin.post(path, catalogue, { act })).status).toBe(409);
  });
});
