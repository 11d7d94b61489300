import type { Db } from "@farthing/db/client.ts";
import { insertCode, insertOffer, insertRetailer, NOW, type NewOffer } from "../catalogue/catalogue.testing.ts";
import { insertBrand } from "../testing/insert-brand.testing.ts";
import { insertNetwork } from "../testing/insert-network.testing.ts";
import { insertSignedInMember } from "../testing/insert-signed-in-member.testing.ts";
import { revealCode, type RevealArguments, type RevealOutcome } from "./operations.server.ts";
import { issueRevealToken } from "./token.ts";

export const TOKEN_SECRET = "a secret of tests";

export interface Person {
  id: string;
  sessionId: string;
}

/** Opens a brand with one retailer, whose codes a test's members reveal. */
export async function openReveals(db: Db) {
  const { id: brandId } = await insertBrand(db);
  const { id: networkId } = await insertNetwork(db);
  const { id: retailerId } = await insertRetailer(db, { brandIds: [brandId] });

  const person = () => insertSignedInMember(db, { brandId });
  const makeOffer = (more: Partial<NewOffer> = {}) => insertOffer(db, { networkId, retailerId, ...more });

  /** Reveals the offer's code to the member, who has just opened its page. */
  function reveal(
    member: Person,
    offer: { id: string; publicId: string },
    more: Partial<RevealArguments> = {},
  ): Promise<RevealOutcome> {
    return revealCode(db, {
      secret: TOKEN_SECRET,
      token: issueRevealToken({ secret: TOKEN_SECRET, sessionId: member.sessionId, offerId: offer.id, now: NOW }),
      sessionId: member.sessionId,
      memberId: member.id,
      brandId,
      offerPublicId: offer.publicId,
      variantPublicId: null,
      now: NOW,
      ...more,
    });
  }

  /** Returns the number of reveals of the offer. */
  async function reveals(offerId: string): Promise<number> {
    return (await db.selectFrom("code_reveals").select("id").where("offer_id", "=", offerId).execute()).length;
  }

  /** Inserts an offer with a pool of this many codes. */
  async function makePool(size: number): Promise<{ id: string; publicId: string }> {
    const offer = await makeOffer();
    for (let index = 0; index < size; index += 1)
      await insertCode(db, { offerId: offer.id, codeKind: "pool", code: `POOL-${index}` });
    return offer;
  }

  return { brandId, person, makeOffer, makePool, reveal, reveals };
}
