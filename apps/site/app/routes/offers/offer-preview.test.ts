import { daysFromNow, NOW } from "@farthing/core/catalogue/catalogue.testing.ts";
import { issuePreview } from "@farthing/core/catalogue/offers/preview-token.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { describe, expect, test } from "vitest";
import { loadSite, textOf } from "../../../testing/site.testing.ts";
import { openOfferClub } from "./offer-club.testing.ts";

const { db } = await testDatabase();
loadSite();
const { club, newOffer } = await openOfferClub(db);
const previewOf = (publicId: string) => issuePreview({ key: club.services.previewKey, publicId, now: NOW });

describe("A2 previews of offers", () => {
  test("A2 an operator's link shows a draft that begins later as it will be, and no cache keeps it", async () => {
    const offer = await newOffer({ kind: "deal", status: "withdrawn", startsAt: daysFromNow(3), title: "A draft" });
    const early = await club.get(`${offer.path}&preview=${previewOf(offer.publicId)}`);
    expect(early.status).toBe(200);
    expect(early.headers.get("cache-control")).toContain("no-store");
    expect(await early.text()).toContain("Get deal");
    expect((await club.get(offer.path)).status).toBe(410);
  });

  test("A2 without a valid link nothing is shown early, and none is kept", async () => {
    const offer = await newOffer({ kind: "deal", status: "withdrawn" });
    const other = await newOffer({ kind: "deal" });
    for (const token of ["", "1.x", previewOf(other.publicId)]) {
      const answer = await club.get(`${offer.path}&preview=${encodeURIComponent(token)}`);
      expect(answer.status).toBe(410);
      expect(answer.headers.get("cache-control")).toContain("no-store");
      expect(textOf(await answer.text())).not.toContain("Get deal");
    }
  });

  test("A2 a wrong slug keeps the preview on its way to the right one", async () => {
    const offer = await newOffer({ kind: "deal", status: "withdrawn" });
    const preview = previewOf(offer.publicId);
    const answer = await club.get(`/offers/wrong?offer=${offer.publicId}&preview=${preview}`);
    expect(answer.status).toBe(301);
    expect(answer.headers.get("location")).toContain(`preview=${preview}`);
  });
});
