import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { askForAlert } from "../alerts/operations.server.ts";
import { insertRateTier } from "../catalogue/catalogue.testing.ts";
import { listCashbackRetailers } from "../catalogue/home/queries.server.ts";
import { listOfferCards } from "../catalogue/offers/offer-cards.server.ts";
import { rateValue } from "../catalogue/rates.ts";
import { findRetailerPage } from "../catalogue/retailers/queries.server.ts";
import { findRetailerTarget } from "../clicks/queries.server.ts";
import { insertBrand } from "../testing/insert-brand.testing.ts";
import { insertSignedInMember } from "../testing/insert-signed-in-member.testing.ts";
import {
  editorialFile,
  editorialRetailer,
  importTexts,
  programme,
  promotion,
  recordsFile,
} from "./catalogue-files.testing.ts";
import { seedNetworks } from "./seed-networks.server.ts";

const { db } = await testDatabase();
await seedNetworks(db);

test("C1 O7 where the preferred programme ends, all that members see of the retailer is of the one that builds its links", async () => {
  const now = new Date("2026-11-20T12:00:00Z");
  const { id: brandId } = await insertBrand(db);
  const { id: memberId } = await insertSignedInMember(db, { brandId });
  const other = {
    ...{ network: "cj", networkProgrammeId: "777", name: "Shop", currency: "GBP" },
    ...{ landingUrl: "https://shop-1.example/", validDomains: ["shop-1.example"] },
  };
  await importTexts(db, {
    programmes: recordsFile(programme(1)),
    promotions: recordsFile(promotion(11, 1)),
    editorial: editorialFile([editorialRetailer("1", { otherProgrammes: [other] })]),
  });
  const slug = "shop-1";
  const { id: retailerId } = await db.selectFrom("retailers").select("id").executeTakeFirstOrThrow();
  await db.insertInto("brand_retailers").values({ brand_id: brandId, retailer_id: retailerId }).execute();
  const second = db.selectFrom("programmes").select("id").where("network_programme_id", "=", "777");
  await insertRateTier(db, { programmeId: (await second.executeTakeFirstOrThrow()).id, bp: 700 });
  const said = async () => {
    const at = { brandId, now };
    const page = await findRetailerPage(db, { ...at, slug });
    const [card] = await listOfferCards(db, at);
    const home = await listCashbackRetailers(db, at);
    const paying = await sql`select id from retailers_paying(${now}, 700)`.execute(db);
    await askForAlert(db, { ...at, memberId, slug });
    const alert = await db.selectFrom("rate_alerts").select("known_value").executeTakeFirstOrThrow();
    await db.deleteFrom("rate_alerts").execute();
    const link = await findRetailerTarget(db, { brandId, slug });
    return {
      page: page?.rates.map(rateValue),
      card: card?.plusCashback,
      home: home.map(({ bestRate }) => bestRate && rateValue(bestRate)),
      paying: paying.rows.length,
      alert: alert.known_value,
      link: link.outcome === "found" ? link.target.networkProgrammeId : link.outcome,
    };
  };
  const first = { page: [600], card: "plus 6% cashback", home: [600], paying: 0, alert: 600, link: "1" };
  const next = { page: [700], card: "plus 7% cashback", home: [700], paying: 1, alert: 700, link: "777" };
  expect(await said()).toEqual(first);
  await importTexts(db, { programmes: recordsFile(programme(1, { status: "suspended" })) });
  expect(await said()).toEqual(next);
  await importTexts(db, { programmes: recordsFile(programme(1)) });
  // The offer is of the first programme, which builds its link again; the retailer's links stay.
  expect(await said()).toEqual({ ...next, card: "plus 6% cashback" });
  await db.updateTable("programmes").set({ status: "closed" }).where("network_programme_id", "=", "777").execute();
  await importTexts(db, { programmes: recordsFile(programme(1)) });
  expect(await said(), "another import finds it").toEqual(first);
  await importTexts(db, { programmes: recordsFile(programme(1, { status: "closed" })) });
  const preferred = db.selectFrom("programmes").select("network_programme_id").where("is_preferred", "=", true);
  expect(await preferred.execute(), "none is joined").toEqual([{ network_programme_id: "1" }]);
});
