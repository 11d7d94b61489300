import { insertCategory, insertOffer, insertRetailer, NOW } from "@farthing/core/catalogue/catalogue.testing.ts";
import { insertNetwork } from "@farthing/core/testing/insert-network.testing.ts";
import { indexCatalogue } from "@farthing/core/search/index-catalogue.server.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { beforeAll, describe, expect, test } from "vitest";
import { loadSite, openClub, type TestClub } from "../testing/site.testing.ts";

const { db } = await testDatabase();
loadSite();

let club: TestClub;
beforeAll(async () => {
  club = await openClub(db, { banner: { id: "b1", text: "Half term is coming", href: null } });
  const network = await insertNetwork(db);
  const category = await insertCategory(db, "Boots");
  const retailer = await insertRetailer(db, {
    slug: "boots-and-co",
    brandIds: [club.brand.id],
    categoryIds: [category.id],
  });
  for (let number = 0; number < 30; number += 1)
    await insertOffer(db, {
      networkId: network.id,
      retailerId: retailer.id,
      title: `Boot offer ${number}`,
      categoryIds: [category.id],
    });
  await indexCatalogue(db, { now: NOW });
});

describe("S1 parameters that a page does not read", () => {
  test.each([
    "/",
    "/search?q=boot",
    "/search?q=boot&sort=newest&page=2",
    "/retailers",
    "/retailers?letter=b",
    "/retailers/boots-and-co",
    "/categories/boots",
    "/faq",
    "/faq?q=cash",
    "/partners",
    "/status",
    "/legal/terms",
    "/login?next=/retailers",
    "/register",
    "/forgotten-password",
    "/nothing/here",
  ])("S1 an unknown parameter appears nowhere in %s: not in links, forms or the data for its script", async (path) => {
    const mark = "zq7marker";
    const more = `utm_source=${mark}&${mark}=1&Q=${mark}&q[]=${mark}`;
    for (const member of [null, await club.newMember()]) {
      const answer = await club.get(`${path}${path.includes("?") ? "&" : "?"}${more}`, { member });
      expect(await answer.text()).not.toContain(mark);
      expect(answer.headers.get("location") ?? "").not.toContain(mark);
    }
  });

  test("D6 Y1 forms that come back to the page keep the parameters that it reads", async () => {
    const html = await (await club.get("/search?utm_source=mail&page=2&q=boot")).text();
    const fields = [...html.matchAll(/name="next" value="([^"]*)"/g)].map(([, value]) =>
      value?.replaceAll("&amp;", "&"),
    );
    expect(fields.length).toBeGreaterThanOrEqual(2);
    expect(new Set(fields)).toEqual(new Set(["/search?q=boot&page=2"]));
  });
});
