import { giveCard } from "@farthing/core/gift-cards/presents.server.ts";
import { aGift, openWallets } from "@farthing/core/gift-cards/wallet.testing.ts";
import { openArchive } from "@farthing/core/personal-data/archive.testing.ts";
import { exportArchive } from "@farthing/core/personal-data/export-archive.server.ts";
import { insertBrand } from "@farthing/core/testing/insert-brand.testing.ts";
import { siteRoutes } from "@farthing/site/testing/site.testing.ts";
import { newId } from "@farthing/db/uuid.ts";
import { sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";
import { deriveKey } from "../secrets/derive-key.ts";
import { insertMemberWithPassword, testPassword } from "../sign-in/accounts.testing.ts";
import { cookieOf, realServer, SERVER_SECRET, type Answer } from "./real-server.testing.ts";
import { openSession } from "./sessions.testing.ts";

const logged: string[] = [];
const server = await realServer({ onLogLine: (line) => void logged.push(line) });
const { db } = server;
const one = await insertBrand(db, { slug: "one", isDefault: true });
const host = "one.test";
const wallets = await openWallets(db, { brandId: one.id, keys: [deriveKey(SERVER_SECRET, "gift-cards")] });

let owner = { id: "", cookie: "", newDevice: "" };
let other = "";
const card = { id: "", code: "" };

beforeAll(async () => {
  const id = await insertMemberWithPassword(db, one, "owner@one.test");
  const device = await openSession(server, { brand: one, memberId: id });
  // Its proof is an old one.
  const longAgo = new Date(Date.now() - 86_400_000);
  await db.updateTable("member_sessions").set({ authenticated_at: longAgo }).where("id", "=", device.id).execute();
  owner = {
    id,
    cookie: await cookieOf(server, { host, email: "owner@one.test", password: testPassword }),
    newDevice: device.cookie,
  };
  const memberId = await insertMemberWithPassword(db, one, "other@one.test");
  other = (await openSession(server, { brand: one, memberId })).cookie;
  const bought = await wallets.buyCard(id);
  Object.assign(card, { id: bought.card, code: bought.code });
});

const path = () => `/money/gift-cards/${card.id}`;
const show = (cookie: string) => server.post(path(), { host, cookie, form: { intent: "show" } });

/** Opens every page as a browser with `cookie`, each from another network, whose number of requests is limited. Returns the paths of those with the code. */
async function pagesWithCode(cookie: string): Promise<string[]> {
  const found: string[] = [];
  let asked = 0;
  for (const route of siteRoutes().filter(({ hasLoader }) => hasLoader)) {
    const filled = route.path
      .replace(":card", card.id)
      .replace("*", "no-such-page")
      .replace(/\/:[a-z]+\?/gi, "")
      .replace(/:[a-z]+/gi, "x");
    const answer = await server.get(filled, { host, cookie, from: `192.0.2.${2 + (asked++ % 250)}` });
    if (answer.whole.includes(card.code)) found.push(route.path);
  }
  return found;
}

/** A text as it is, as bytea columns show it, and as base64 at each of the three offsets that it can start at. */
function formsOf(text: string): string[] {
  const base64 = [0, 1, 2].map((offset) => {
    const whole = Buffer.concat([Buffer.alloc(offset), Buffer.from(text)]).toString("base64");
    // Its first and last letters depend on what stands beside it.
    return whole.slice(offset === 0 ? 0 : offset + 1, whole.length - 4);
  });
  return [text, Buffer.from(text).toString("hex"), ...base64];
}

/** Returns the tables, of every schema that a dump holds, with the text in a row, in any of its forms. */
async function tablesWith(text: string): Promise<string[]> {
  const { rows } = await sql<{ schema: string; name: string }>`
    select table_schema as schema, table_name as name from information_schema.tables
    where table_schema not in ('pg_catalog', 'information_schema') and table_type = 'BASE TABLE' order by 1, 2`.execute(
    db,
  );
  const patterns = formsOf(text).map((form) => `%${form}%`);
  const found: string[] = [];
  for (const { schema, name } of rows) {
    const { rows: hits } = await sql`
      select from ${sql.id(schema, name)} t where translate(t::text, '-_', '+/') like any(${patterns}) or t::text like any(${patterns})`.execute(
      db,
    );
    if (hits.length > 0) found.push(name);
  }
  return found;
}

const tablesWithCode = () => tablesWith(card.code);

const lineOfCard = () =>
  db.selectFrom("gift_card_lines").select("id").where("public_id", "=", card.id).executeTakeFirstOrThrow();

const has = ({ whole }: Answer) => whole.includes(card.code);

describe("G6 a gift card's code", () => {
  test("G6 is in the answer to its owner's “Show the code”, and a new device proves who it is first", async () => {
    expect(card.code).toMatch(/^CODE-gc-/);
    const strange = await show(owner.newDevice);
    expect(strange.status).toBe(303);
    expect(strange.headers.location).toMatch(/^\/login\/again\?next=/);
    expect(has(strange)).toBe(false);
    expect((await server.get(path(), { host, cookie: owner.cookie })).text).toContain("Show the code");
    expect(has(await show(owner.cookie)), "the control: its owner sees it").toBe(true);
    expect((await show(other)).status).toBe(404);
    expect(has(await show(owner.newDevice)), "another device of the owner's is still new").toBe(false);
  });

  test("G6 is on no page, of another member's or of its owner's, in no address and no header", async () => {
    for (const cookie of [other, owner.cookie, ""]) expect(await pagesWithCode(cookie)).toEqual([]);
  }, 120_000);

  test("G6 is in no file of the archive, which says that codes are not in it", async () => {
    const archive = { brand: one, memberId: owner.id, memberName: "Owner", attachmentKey: null, now: new Date() };
    const parts: Uint8Array[] = [];
    for await (const part of exportArchive(db, archive)) parts.push(part);
    const files = openArchive(Buffer.concat(parts));
    expect(Object.keys(files).some((name) => name.includes("gift-card-wallet"))).toBe(true);
    expect(JSON.stringify(files)).toContain("Codes are not in this archive");
    expect(Object.keys(files).filter((name) => files[name]?.includes(card.code))).toEqual([]);
  });

  test("G6 is in no table, mail, ledger entry or log, also after it is given away and opened", async () => {
    const gift = aGift({ recipientEmail: "friend@example.org" });
    expect(await giveCard(db, { memberId: owner.id, card: card.id, gift, now: wallets.now() })).toBe("given");
    expect(has(await show(owner.cookie))).toBe(false);
    await wallets.work();
    const link = `/gift/${wallets.tokenFor("friend@example.org")}`;
    const scanner = await server.get(link, { host });
    expect(scanner.status).toBe(200);
    expect(has(scanner)).toBe(false);
    expect(scanner.headers["referrer-policy"]).toBe("no-referrer");
    const opened = await server.post(link, { host });
    expect(has(opened), "the control: its receiver sees it").toBe(true);
    expect(opened.headers["cache-control"]).toBe("private, no-store");
    const cookie = opened.cookies.map((line) => line.split(";")[0]).join("; ");
    expect(has(await server.get(link, { host, cookie })), "and again in the same browser").toBe(true);
    for (const asking of [{ host }, { host, cookie: owner.cookie }, { host, cookie: other }])
      for (const answer of [await server.get(link, asking), await server.post(link, asking)])
        expect(has(answer)).toBe(false);
    expect(await tablesWithCode()).toEqual([]);
    // The controls: what is there is found, in each form.
    expect(await tablesWith(`gc-${card.id}`.slice(3))).toContain("gift_card_lines");
    for (const form of formsOf(card.code).slice(1)) {
      const note = { brand_id: one.id, member_id: owner.id, amount_pence: 1, noted_at: new Date(), note: `x${form}y` };
      const { id: lineId } = await lineOfCard();
      const { id } = await db
        .insertInto("gift_card_spends")
        .values({ ...note, id: newId(), line_id: lineId })
        .returning("id")
        .executeTakeFirstOrThrow();
      expect(await tablesWithCode(), form).toEqual(["gift_card_spends"]);
      await db.deleteFrom("gift_card_spends").where("id", "=", id).execute();
    }
    expect(JSON.stringify(wallets.delivered)).not.toContain(card.code);
    expect(logged.length).toBeGreaterThan(10);
    const token = wallets.tokenFor("friend@example.org");
    expect(logged.filter((line) => line.includes(card.code) || line.includes(token))).toEqual([]);
  });
});
