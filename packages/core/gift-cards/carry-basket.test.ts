import { randomBytes } from "node:crypto";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { newId } from "@farthing/db/uuid.ts";
import { beforeAll, expect, test } from "vitest";
import { keepHousePartner } from "../partners/house-partner.server.ts";
import { insertBrand } from "../testing/insert-brand.testing.ts";
import { insertSignedInMember } from "../testing/insert-signed-in-member.testing.ts";
import { addToBasket, carryBasket, findBasket, removeFromBasket } from "./basket.server.ts";
import { memoryIssuer, product } from "./memory-issuer.testing.ts";
import { syncCatalogue } from "./sync-catalogue.server.ts";

const { db } = await testDatabase();
let at = new Date("2026-11-20T10:00:00Z").getTime();
const now = () => new Date(at);
const world = memoryIssuer([product("fixed", { name: "Fern & Hollow" })], now);
let brandId = "";
let partnerId = "";

beforeAll(async () => {
  brandId = (await insertBrand(db)).id;
  await keepHousePartner(db, { originOf: (host) => `https://${host}` });
  ({ id: partnerId } = await db
    .selectFrom("partners")
    .select("id")
    .where("is_house", "=", true)
    .executeTakeFirstOrThrow());
  await syncCatalogue(db, world.issuer, { now: now() });
});

/** Opens the gift-card page: a visit of its own, with what the login's visit before left. Null: a visitor. */
async function openPage(login: { id: string; sessionId: string } | null): Promise<string> {
  const id = newId();
  at += 1_000;
  await db
    .insertInto("widget_sessions")
    .values({
      ...{ id, partner_id: partnerId, origin: "https://club.example", bearer_hash: randomBytes(32) },
      ...{ opened_at: now(), expires_at: new Date(at + 1_800_000) },
      ...{ member_id: login?.id ?? null, member_session_id: login?.sessionId ?? null },
    })
    .execute();
  await carryBasket(db, { sessionId: id });
  return id;
}
const add = (sessionId: string) => addToBasket(db, { sessionId, slug: "fern-hollow", facePence: 2500 });
const faces = async (sessionId: string) =>
  (await findBasket(db, { sessionId })).lines.map(({ facePence }) => facePence);

test("G2 a member's basket is still there after a reload, and an emptied one stays empty", async () => {
  const robin = await insertSignedInMember(db, { brandId });
  const first = await openPage(robin);
  await add(first);
  await add(first);
  const second = await openPage(robin);
  expect(await faces(second)).toEqual([2500, 2500]);
  expect(await faces(first)).toEqual([]);
  for (const { publicId } of (await findBasket(db, { sessionId: second })).lines)
    await removeFromBasket(db, { sessionId: second, line: publicId });
  expect(await faces(await openPage(robin))).toEqual([]);
});

test("G2 two loads at once have one basket between them", async () => {
  const robin = await insertSignedInMember(db, { brandId });
  await add(await openPage(robin));
  const loads = await Promise.all([openPage(robin), openPage(robin)]);
  expect((await Promise.all(loads.map(faces))).flat()).toEqual([2500]);
});

test("G2 S1 a basket is nobody else's: another member's, a visitor's or another login's", async () => {
  const robin = await insertSignedInMember(db, { brandId });
  await add(await openPage(robin));
  expect(await faces(await openPage(await insertSignedInMember(db, { brandId })))).toEqual([]);
  const visitor = await openPage(null);
  await add(visitor);
  expect(await faces(await openPage(null))).toEqual([]);
  expect(await faces(visitor)).toEqual([2500]);
});
