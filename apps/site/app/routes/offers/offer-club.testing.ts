import {
  insertCode,
  insertOffer,
  insertProgramme,
  insertRetailer,
  type NewOffer,
} from "@farthing/core/catalogue/catalogue.testing.ts";
import { insertNetwork } from "@farthing/core/testing/insert-network.testing.ts";
import type { Db } from "@farthing/db/client.ts";
import { hiddenField, openClub, type TestClub } from "../../../testing/site.testing.ts";

type Member = Awaited<ReturnType<TestClub["newMember"]>>;

/** Opens a club with one network, whose offers a test inserts and reveals. */
export async function openOfferClub(db: Db) {
  const club = await openClub(db);
  const { id: networkId } = await insertNetwork(db);

  async function newOffer(
    options: Partial<NewOffer> & {
      retailerStatus?: "active" | "paused" | "in_administration" | "closed";
      brandId?: string;
    } = {},
  ) {
    const { retailerStatus = "active", brandId = club.brand.id, ...offer } = options;
    const retailer = await insertRetailer(db, { brandIds: [brandId], status: retailerStatus });
    const programme = await insertProgramme(db, { networkId, retailerId: retailer.id });
    const made = await insertOffer(db, {
      networkId,
      retailerId: retailer.id,
      programmeId: programme.id,
      headline: "15% off",
      title: "15% off boots",
      ...offer,
    });
    return { ...made, retailer, programme, path: `/offers/${made.slug}?offer=${made.publicId}` };
  }

  async function newCodeOffer(code = "BOOTS15", options: Parameters<typeof newOffer>[0] = {}) {
    const offer = await newOffer({ kind: "code", ...options });
    await insertCode(db, { offerId: offer.id, code });
    return offer;
  }

  const revealsOf = async (member: { id: string }) =>
    (await db.selectFrom("code_reveals").select("id").where("member_id", "=", member.id).execute()).length;
  const reveal = async (offer: { path: string }, member: Member) => {
    const token = hiddenField(await (await club.get(offer.path, { member })).text(), "reveal_code");
    return await club.get(`${offer.path}&reveal_code=${token}`, { member });
  };

  return { club, networkId, newOffer, newCodeOffer, revealsOf, reveal };
}
