import { fieldIn, insertOperator, loadAdmin, openTestAdmin } from "@farthing/admin/testing/admin.testing.ts";
import { NOW } from "@farthing/core/catalogue/catalogue.testing.ts";
import { findApiKey } from "@farthing/core/partners/find-api-key.server.ts";
import { addApiKey, seenPartner } from "@farthing/core/partners/operations.server.ts";
import { addWebhook, announceEvent } from "@farthing/core/partners/webhooks.server.ts";
import { webhookSecret } from "@farthing/core/partners/webhook-rules.ts";
import { makePartner } from "@farthing/core/partners/partners.testing.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { newId } from "@farthing/db/uuid.ts";
import { afterEach, describe, expect, test } from "vitest";

const { db } = await testDatabase();
loadAdmin();

const admin = openTestAdmin(db);
afterEach(() => expect(admin.errors).toEqual([]));

const owner = await insertOperator(db, { role: "owner" });
const finance = await insertOperator(db, { role: "finance" });
const logged = async () =>
  JSON.stringify(await db.selectFrom("audit_entries").select(["action", "before", "after"]).orderBy("seq").execute());
const keyIn = (html: string) => /fpk_[\w-]+_[\w-]{20,}/.exec(html)?.[0] ?? "";
const secretIn = (html: string) => /whsec_[\w-]+/.exec(html)?.[0] ?? "";

describe("W10 partners in the admin", () => {
  test("W10 a new partner's key is shown once and works; two of a mode are in use at most; the log has no key", async () => {
    const wrong = await admin.post("/admin/partners/new", owner, {
      name: "Shop",
      origins: "https://shop.example/path",
    });
    expect(wrong.status).toBe(422);
    expect(await wrong.text()).toContain("https://shop.example/path");
    const made = await (
      await admin.post("/admin/partners/new", owner, {
        name: "Shop",
        origins: "https://shop.example\nhttps://b.example",
      })
    ).text();
    const first = keyIn(made);
    const caller = await findApiKey(db, { apiKey: first });
    expect(caller).not.toBeNull();
    const { public_id: publicId } = await db.selectFrom("partners").select("public_id").executeTakeFirstOrThrow();
    const path = `/admin/partners/${publicId}`;
    const shown = await (await admin.get(path, finance)).text();
    expect(shown).not.toContain(first);
    expect(shown).not.toContain("Add a live key");
    expect((await admin.post(path, finance, { act: "key", mode: "live" })).status).toBe(403);

    const second = keyIn(await (await admin.post(path, owner, { act: "key", mode: "live" })).text());
    expect(second).not.toBe(first);
    expect((await admin.post(path, owner, { act: "key", mode: "live" })).status).toBe(409);
    const prefix = first.split("_")[1] ?? "";
    expect(await (await admin.post(path, owner, { act: "revoke", prefix })).text()).toContain(
      `Revoke the key ${prefix}`,
    );
    expect(await findApiKey(db, { apiKey: first })).not.toBeNull();
    await admin.post(path, owner, { act: "revoke", prefix, confirmed: "yes", why: "rotation" });
    expect(await findApiKey(db, { apiKey: first })).toBeNull();
    expect(await findApiKey(db, { apiKey: second })).not.toBeNull();
    const log = await logged();
    expect(log).toContain("partner.create");
    expect(log).toContain("partner.revoke");
    // The secret is the last of a key's three parts, and may have the character between them.
    for (const key of [first, second]) expect(log).not.toContain(key.split("_").slice(2).join("_"));

    const foreign = await makePartner(db);
    const other = `/admin/partners/${foreign.publicId}`;
    const stolen = second.split("_")[1] ?? "";
    const refused = await admin.post(other, owner, { act: "revoke", prefix: stolen, confirmed: "yes", why: "x" });
    expect(refused.status).toBe(409);
    expect(await findApiKey(db, { apiKey: second })).not.toBeNull();
  });

  test("W10 origins are allowed, and withdrawn after a question; a suspended partner's keys stop", async () => {
    const partner = await makePartner(db);
    const path = `/admin/partners/${partner.publicId}`;
    const origins = async () =>
      (await db.selectFrom("partner_origins").select("origin").where("partner_id", "=", partner.id).execute()).map(
        ({ origin }) => origin,
      );
    expect((await admin.post(path, owner, { act: "allow", origin: "https://new.example/" })).status).toBe(422);
    await admin.post(path, owner, { act: "allow", origin: "https://new.example" });
    expect(await origins()).toContain("https://new.example");
    const withdraw = { act: "withdraw", origin: "https://new.example" };
    expect(await (await admin.post(path, owner, withdraw)).text()).toContain("Withdraw https://new.example?");
    expect(await origins()).toContain("https://new.example");
    await admin.post(path, owner, { ...withdraw, confirmed: "yes", why: "domain sold" });
    expect(await origins()).not.toContain("https://new.example");

    await admin.post(path, owner, { act: "suspend", confirmed: "yes", why: "unpaid" });
    const stateOf = () =>
      db.selectFrom("partners").select("suspended_at").where("id", "=", partner.id).executeTakeFirstOrThrow();
    expect(await stateOf()).toEqual({ suspended_at: NOW });
    expect(await (await admin.get("/admin/partners?state=suspended", owner)).text()).toContain(partner.publicId);
    await admin.post(path, owner, { act: "resume" });
    expect(await stateOf()).toEqual({ suspended_at: null });
  });

  test("W10 a partner's name and its limit are changed, with the log, and count from the next request on", async () => {
    const partner = await makePartner(db);
    const path = `/admin/partners/${partner.publicId}`;
    for (const per_minute of ["0", "1.5", "100001", "", "many"]) {
      const refused = await admin.post(path, owner, { act: "change", name: "The shop", per_minute });
      expect([per_minute, refused.status]).toEqual([per_minute, 422]);
      expect(await refused.text()).toContain("Give a whole number from 1 to 100,000.");
    }
    expect((await admin.post(path, owner, { act: "change", name: " ", per_minute: "2" })).status).toBe(422);
    const { name } = await db
      .selectFrom("partners")
      .select("name")
      .where("id", "=", partner.id)
      .executeTakeFirstOrThrow();
    const opened = seenPartner({ name, mintsPerMinute: 300 });
    expect(fieldIn(await (await admin.get(path, owner)).text(), "seen")).toBe(opened);
    const change = { act: "change", name: "The shop", per_minute: "2", seen: opened };
    expect(await (await admin.post(path, owner, change)).text()).toContain("<h1>The shop</h1>");
    const { key } = await addApiKey(db, { partnerId: partner.id });
    expect(await findApiKey(db, { apiKey: key })).toMatchObject({ perMinute: 2 });
    const seen = seenPartner({ name: "The shop", mintsPerMinute: 2 });
    expect((await admin.post(path, owner, { ...change, seen })).status, "nothing differs").toBe(409);
    // A colleague who opened the form before raises the limit: the name that was saved since stays.
    const late = await admin.post(path, owner, { ...change, name, per_minute: "600" });
    expect(late.status).toBe(409);
    const page = await late.text();
    expect(page).toContain("Somebody saved this while you were typing");
    expect(fieldIn(page, "seen")).toBe(seen);
    const entries = await db
      .selectFrom("audit_entries")
      .select("action")
      .where("subject_id", "=", partner.publicId)
      .execute();
    expect(entries).toEqual([{ action: "partner.change" }]);
    const [entry] = await db
      .selectFrom("audit_entries")
      .select(["before", "after"])
      .where("subject_id", "=", partner.publicId)
      .where("action", "=", "partner.change")
      .execute();
    expect(entry).toMatchObject({
      before: { mints_per_minute: 300 },
      after: { name: "The shop", mints_per_minute: 2 },
    });
  });

  test("W10 a webhook that is disabled keeps its secret", async () => {
    const partner = await makePartner(db);
    const path = `/admin/partners/${partner.publicId}`;
    const add = { act: "webhook", url: "https://hooks.example/off", mode: "live" };
    const secret = secretIn(await (await admin.post(path, owner, add)).text());
    const { id } = await db
      .updateTable("partner_webhooks")
      .set({ disabled_at: NOW })
      .where("partner_id", "=", partner.id)
      .returning("id")
      .executeTakeFirstOrThrow();
    const refused = await admin.post(path, owner, { act: "rotate", webhook: id });
    expect(refused.status).toBe(409);
    expect(await refused.text()).toContain("Nothing was done: nothing is sent to it.");
    expect(secretIn(await (await admin.post(path, owner, add)).text())).toBe(secret);
  });

  test("W10 a webhook's secret is shown when it is made and when it is rotated, once in a day; deliveries are sent again", async () => {
    const partner = await makePartner(db);
    const path = `/admin/partners/${partner.publicId}`;
    const url = "https://hooks.example/farthing";
    expect((await admin.post(path, owner, { act: "webhook", url: "http://hooks.example", mode: "live" })).status).toBe(
      422,
    );
    const first = secretIn(await (await admin.post(path, owner, { act: "webhook", url, mode: "live" })).text());
    const { id } = await db
      .selectFrom("partner_webhooks")
      .select("id")
      .where("partner_id", "=", partner.id)
      .executeTakeFirstOrThrow();
    expect(first).toBe(webhookSecret(admin.services.webhooks.key, { id, version: 1 }));
    expect(await (await admin.get(path, owner)).text()).not.toContain("whsec_");
    const second = secretIn(await (await admin.post(path, owner, { act: "rotate", webhook: id })).text());
    expect(second).toBe(webhookSecret(admin.services.webhooks.key, { id, version: 2 }));
    expect((await admin.post(path, owner, { act: "rotate", webhook: id })).status).toBe(409);

    const disable = { act: "disable", webhook: id, url };
    expect(await (await admin.post(path, owner, disable)).text()).toContain(`Send nothing more to ${url}?`);
    const sent = async () => {
      const payment = { partnerId: partner.id, kind: "payment.paid", data: {}, now: NOW } as const;
      const event_id = await announceEvent(db, payment);
      const rows = await db
        .selectFrom("partner_webhook_deliveries")
        .select("id")
        .where("event_id", "=", event_id)
        .execute();
      return rows.length;
    };
    expect(await sent()).toBe(1);
    const confirmed = { ...disable, confirmed: "yes", why: "the address was mistyped" };
    expect(await (await admin.post(path, owner, confirmed)).text()).toContain(`Nothing more is sent to ${url}.`);
    expect(await sent()).toBe(0);
    expect((await admin.post(path, owner, confirmed)).status).toBe(409);
    expect((await admin.post(path, finance, confirmed)).status).toBe(403);
    const again = secretIn(await (await admin.post(path, owner, { act: "webhook", url, mode: "live" })).text());
    expect(again).toBe(second);
    expect(await sent()).toBe(1);

    const delivery = newId();
    await db
      .insertInto("partner_webhook_deliveries")
      .values({
        ...{ id: delivery, webhook_id: id, event_id: newId(), kind: "payment.succeeded", body: "{}", attempts: 8 },
        ...{ created_at: NOW, next_try_at: null, last_status: 500 },
      })
      .execute();
    const list = `${path}/webhooks/${id}`;
    expect(await (await admin.get(`${list}?state=given-up`, finance)).text()).toContain("given up");
    expect(await (await admin.get(`${list}?event=nonsense`, finance)).text()).toContain("No deliveries match");
    expect((await admin.post(list, finance, { act: "replay", ids: [delivery] })).status).toBe(403);
    const foreign = await makePartner(db);
    expect(
      (await admin.post(`/admin/partners/${foreign.publicId}/webhooks/${id}`, owner, { ids: [delivery] })).status,
    ).toBe(404);
    const strange = await addWebhook(db, { partnerId: foreign.id, url, allowLocal: false });
    const elsewhere = `/admin/partners/${foreign.publicId}/webhooks/${strange.id}`;
    expect((await admin.post(elsewhere, owner, { ids: [delivery], confirmed: "yes" })).status).toBe(409);
    const replay = { act: "replay", ids: [delivery] };
    expect(await (await admin.post(list, owner, replay)).text()).toContain("Send this delivery again?");
    expect(await logged()).not.toContain("delivery.replay");
    expect(await (await admin.post(list, owner, { ...replay, confirmed: "yes" })).text()).toContain("sent again");
    const row = await db
      .selectFrom("partner_webhook_deliveries")
      .selectAll()
      .where("id", "=", delivery)
      .executeTakeFirstOrThrow();
    expect(row).toMatchObject({ next_try_at: NOW, attempts: 0 });
    const log = await logged();
    expect(log).toContain("delivery.replay");
    expect(log).not.toContain("whsec_");
  });
});

describe("W10 a partner's usage in the admin", () => {
  test("W10 it is on the partner's page in short, and by day or month with a file; wrong days are said", async () => {
    const partner = await makePartner(db, { name: "Usage shop" });
    const id = newId();
    await db
      .insertInto("payments")
      .values({
        ...{ id, public_id: id.replaceAll("-", "").slice(-22), partner_id: partner.id, state: "paid" },
        ...{ reference: "order", idempotency_key: id, amount_pence: 4_321, provider_payment_id: id },
        ...{ created_at: NOW, changed_at: NOW },
      })
      .execute();
    const path = `/admin/partners/${partner.publicId}`;
    const read = async (address: string) => {
      const answer = await admin.get(address, finance);
      return [answer.status, await answer.text()] as const;
    };
    expect((await read(path))[1]).toContain("1 taken of 1 begun");
    const [status, page] = await read(`${path}/usage`);
    expect(status).toBe(200);
    expect(page).toContain("£43.21");
    expect(page).toContain(`${path}/usage.csv?mode=live`);
    expect((await read(`${path}/usage.csv?by=month`))[1]).toContain(",1,1,43.21,0.00,0,");
    expect((await read(`${path}/usage.csv?mode=test`))[1]).not.toContain("43.21");
    const [wrong, words] = await read(`${path}/usage?from=2026-11-02&to=2026-11-01`);
    expect([wrong, words.includes("To is before From")]).toEqual([422, true]);
    expect((await read(`${path}/usage.csv?from=2026-11-02&to=2026-11-01`))[0]).toBe(303);
    expect((await read("/admin/partners/nobody/usage.csv"))[0]).toBe(404);
    const support = await insertOperator(db, { role: "support" });
    expect((await admin.get(`${path}/usage.csv`, support)).status).toBe(403);
  });
});
